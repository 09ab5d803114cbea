// cutset step, cutset impulse, cutset initial.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/json.h"
#include "commands.h"
#include "control/chain_realization.h"
#include "control/connections.h"
#include "control/state_space_messages.h"
#include "control/time_response.h"
#include "control/transfer_realization.h"
#include "linear/linear_output.h"
#include "linear/linear_source.h"
#include "linear/state_space_output.h"
#include "results/plot.h"

namespace cutset::cli {

namespace {

enum class Kind { Step, Impulse, Initial };

struct ResponseOptions : LinearOptions {
    std::optional<double> duration;
    std::optional<int> points;
    std::string output, title;
    std::string start;  // initial: x1=1,x2=0
};

std::string end_text(StepEnd end) {
    return end == StepEnd::Settles ? "settles" : end == StepEnd::Oscillates ? "oscillates" : "grows";
}

Json information_json(const StepInformation& i) {
    const auto value = [](const std::optional<double>& v) {
        return v && std::isfinite(*v) ? Json(*v) : Json();
    };
    return {{"final_value", number_json(i.final_value)},
            {"rise_time", value(i.rise_time)},
            {"settling_time", value(i.settling_time)},
            {"overshoot", value(i.overshoot)},
            {"undershoot", value(i.undershoot)},
            {"peak", value(i.peak)},
            {"peak_time", value(i.peak_time)}};
}

void print_information(const StepInformation& i, const std::string& name) {
    const auto text = [](const std::optional<double>& v, const char* unit) {
        return v ? short_number(*v) + unit : std::string("-");
    };
    fmt::print("{:<20} {:>11} {:>11} {:>11} {:>11} {:>11} {:>11}\n", name,
               i.end == StepEnd::Settles ? short_number(i.final_value) : end_text(i.end),
               text(i.rise_time, " s"), text(i.settling_time, " s"), text(i.overshoot, " %"),
               text(i.peak, ""), text(i.peak_time, " s"));
}

int respond(const ResponseOptions& options, Kind kind) {
    Workspace workspace;
    Diagnostics& diagnostics = workspace.diagnostics;
    // A delay only shifts a response in time.
    std::vector<std::vector<double>> delays;  // by output, by input
    std::optional<StateSpace> system;
    std::vector<std::vector<TransferFunction>> elements;  // of a transfer function, by output, by input
    if (auto source = open_linear(options, workspace, kind != Kind::Initial)) {
        if (auto* g = std::get_if<ExactTransferMatrix>(&*source)) {
            if (g->has_delays() && kind != Kind::Initial && !g->sample_time)
                for (auto& row : g->delays) {
                    delays.emplace_back();
                    for (Rational& delay : row) {
                        delays.back().push_back(Coefficient(delay).value());
                        delay = 0;
                    }
                }
            report_cancelled(*g, diagnostics);
            if (kind == Kind::Initial) {
                system = realize(*g, diagnostics);
            } else if (auto found = realizable_elements(*g, diagnostics)) {
                elements = std::move(*found);
                system = chain_realization(elements);
                system->inputs = g->inputs;
                system->outputs = g->outputs;
            }
        } else {
            system = std::get<StateSpace>(std::move(*source));
        }
    }
    if (!system || !check_system(*system, diagnostics)) return finish(workspace, options);
    if (options.points && *options.points < 2) {
        diagnostics.report(bad_option("--points must be at least 2"));
        return finish(workspace, options);
    }
    Eigen::VectorXd x0 = Eigen::VectorXd::Zero(system->order());
    if (kind == Kind::Initial) {
        if (options.start.empty()) {
            diagnostics.report(
                bad_option("--from is missing: the states to start from",
                           fmt::format("for example --from \"{}=1\"; states not named start from 0",
                                       system->states.empty() ? "x" : system->states[0])));
            return finish(workspace, options);
        }
        const auto weight = read_weight(options.start, "from", system->states, "states", {}, "", diagnostics);
        if (!weight) return finish(workspace, options);
        if (weight->matrix.rows() != system->order()) {
            diagnostics.report(bad_option(fmt::format("--from gives {} numbers, but there are {} states",
                                                      weight->matrix.rows(), system->order())));
            return finish(workspace, options);
        }
        x0 = weight->matrix.diagonal();
    }
    std::optional<Eigen::Index> points;
    if (options.points) points = *options.points;
    std::vector<TransferFunction> functions;
    for (const auto& row : elements) functions.insert(functions.end(), row.begin(), row.end());
    auto grid = elements.empty() ? response_grid(*system, options.duration, points, diagnostics)
                                 : response_grid(functions, options.duration, points, diagnostics);
    if (!grid) return finish(workspace, options);
    double longest = 0;
    for (const auto& row : delays)
        for (double delay : row) longest = std::max(longest, delay);
    if (longest > 0 && !options.duration) {
        // As long as without the delay, after it.
        const double length = grid->duration() + longest;
        grid->step = std::max(std::min(grid->step, longest / 20), length / 20000);
        grid->points = static_cast<Eigen::Index>(std::ceil(length / grid->step)) + 1;
    }

    const char* words[] = {"step", "impulse", "initial"};
    Plot plot;
    plot.title = !options.title.empty()  ? options.title
                 : kind == Kind::Step    ? "Step response"
                 : kind == Kind::Impulse ? "Impulse response"
                                         : "Response from " + options.start;
    plot.x_label = "time";
    plot.x_unit = "s";
    Json out = {{"inputs", system->inputs}, {"outputs", system->outputs}, {"kind", words[int(kind)]}};
    if (system->sample_time) out["sample_time"] = *system->sample_time;
    out["responses"] = Json::array();
    struct Row {
        std::string name;
        StepInformation information;
    };
    std::vector<Row> rows;
    const Eigen::MatrixXd gains =
        kind == Kind::Step && elements.empty() ? dc_gain(*system) : Eigen::MatrixXd();
    // G(0), sampled G(1), and what becomes of the response.
    const auto final_value = [&](Eigen::Index y, Eigen::Index u) {
        if (elements.empty()) return gains(y, u);
        return elements[y][u].at(system->is_sampled() ? 1.0 : 0.0).real();
    };
    const auto end = [&](Eigen::Index y, Eigen::Index u) {
        return elements.empty() ? step_end(*system, u, y) : step_end(elements[y][u]);
    };
    const Eigen::Index runs = kind == Kind::Initial ? 1 : system->B.cols();
    for (Eigen::Index u = 0; u < runs; ++u) {
        const auto response = kind == Kind::Step      ? step_response(*system, u, *grid)
                              : kind == Kind::Impulse ? impulse_response(*system, u, *grid)
                                                      : initial_response(*system, x0, *grid);
        if (!response || !response->outputs.allFinite()) {
            Diagnostic d = bad_option("the response grows beyond all numbers within the time shown",
                                      "give a shorter --duration");
            d.code = "response-overflow";
            diagnostics.report(std::move(d));
            return finish(workspace, options);
        }
        const auto detailed = kind == Kind::Step ? detailed_step_response(*system, u, *grid) : response;
        if (!detailed) return finish(workspace, options);
        out["time"] = response->time;
        for (Eigen::Index y = 0; y < system->C.rows(); ++y) {
            const std::string& output = system->outputs[y];
            const double delay =
                delays.empty() ? 0 : delays[static_cast<std::size_t>(y)][static_cast<std::size_t>(u)];
            const auto shifted = delay == 0           ? response
                                 : kind == Kind::Step ? step_response(*system, u, *grid, delay)
                                                      : impulse_response(*system, u, *grid, delay);
            if (!shifted) return finish(workspace, options);
            const bool many = kind != Kind::Initial && system->B.cols() > 1;
            const std::string name = many ? channel_name(output, system->inputs[u]) : output;
            Curve curve;
            curve.label = name;
            curve.x = response->time;
            curve.y.assign(shifted->outputs.col(y).data(), shifted->outputs.col(y).data() + grid->points);
            curve.held = system->is_sampled();
            Json one = {{"output", output}, {"values", curve.y}};
            if (kind != Kind::Initial) one["input"] = system->inputs[u];
            if (kind == Kind::Step) {
                StepInformation information = step_information(*detailed, y, final_value(y, u), end(y, u));
                if (information.peak_time) *information.peak_time += delay;
                if (information.settling_time) *information.settling_time += delay;
                one.update(information_json(information));
                one["stable"] = information.end == StepEnd::Settles;
                one["end"] = end_text(information.end);
                rows.push_back({name, information});
            }
            if (kind == Kind::Impulse && !system->is_sampled() && system->D(y, u) != 0) {
                Diagnostic d;
                d.severity = Severity::Warning;
                d.code = "impulse-at-start";
                d.message = fmt::format(
                    "{} has a direct term {} from {}: its response has an infinite impulse of that "
                    "area at t = 0, which is not shown",
                    output, short_number(system->D(y, u)), system->inputs[u]);
                diagnostics.report(std::move(d));
            }
            out["responses"].push_back(std::move(one));
            plot.curves.push_back(std::move(curve));
        }
    }
    if (options.json) {
        if (!options.output.empty() && !show_plot(plot, options.output, true, diagnostics))
            return finish(workspace, options);
        return finish_json(std::move(out), workspace);
    }
    if (!plot.curves.empty()) show_plot(plot, options.output, options.quiet, diagnostics);
    if (!rows.empty() && !options.quiet) {
        fmt::print("{:<20} {:>11} {:>11} {:>11} {:>11} {:>11} {:>11}\n", "", "final", "rise", "settling",
                   "overshoot", "peak", "at");
        for (const Row& row : rows) print_information(row.information, row.name);
        const auto any = [&](StepEnd end) {
            return std::any_of(rows.begin(), rows.end(),
                               [&](const Row& r) { return r.information.end == end; });
        };
        if (any(StepEnd::Oscillates))
            fmt::print("oscillates: poles on the border of stability, so that the response never settles\n");
        if (any(StepEnd::Grows))
            fmt::print("grows: an integrator or an unstable pole, so that there is no final value\n");
    }
    std::fflush(stdout);
    return finish(workspace, options);
}

void add_response(CommandLine& line, Kind kind, const char* name, const char* description,
                  const char* examples) {
    auto o = std::make_shared<ResponseOptions>();
    Command& c = line.add(name, groups::linear, description, [o, kind] { return respond(*o, kind); });
    add_linear_options(c, *o);
    if (kind == Kind::Initial)
        c.option("--from", o->start, "states to start from: \"x1=1,x2=-0.5\"; the others 0");
    c.option("--duration", o->duration, "time shown [s]; default: until the slowest mode has settled");
    c.option("--points", o->points, "number of points; default: by the fastest mode");
    c.option("-o,--output", o->output, "picture file: .svg, .png or .pdf");
    c.option("--title", o->title, "title of the plot");
    c.footer(examples);
}

}  // namespace

void add_step(CommandLine& line) {
    add_response(line, Kind::Step, "step", "step response, with rise time, settling time and overshoot",
                 "Examples:\n"
                 "  cutset step motor.dym --inputs u --outputs w\n"
                 "  cutset step --tf \"1/(s^2+0.4*s+1)\" -o step.svg\n"
                 "  cutset step --tf \"exp(-2*s)/(s+1)\"\n"
                 "  cutset step closed.json --duration 5 --json\n"
                 "Rise time is from 10 % to 90 %, settling within 2 % of the final value.");
}

void add_impulse(CommandLine& line) {
    add_response(line, Kind::Impulse, "impulse", "impulse response",
                 "Examples:\n"
                 "  cutset impulse motor.dym --inputs u --outputs w\n"
                 "  cutset impulse --tf \"1/(s+1)^2\" -o impulse.svg");
}

void add_initial(CommandLine& line) {
    add_response(line, Kind::Initial, "initial",
                 "response of the linear system from given states, without inputs",
                 "Examples:\n"
                 "  cutset initial closed.json --from \"x1=1\"\n"
                 "  cutset initial closed.json --from \"angle=0.1,speed=0\" --duration 3 -o decay.svg");
}

}  // namespace cutset::cli

#include "linear/frequency_channels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "base/json.h"
#include "control/frequency_response.h"
#include "control/modes.h"
#include "control/transfer_realization.h"
#include "linear/linear_output.h"
#include "linear/margins_output.h"

namespace cutset::cli {

namespace {

constexpr Eigen::Index small_order = 250;  // up to here zeros and poles of every channel are computed

// A system without zeros and poles, and the place of its first channel.
struct LargeSystem {
    StateSpace system;
    std::size_t first = 0;
};

// The response of a large system at enough frequencies; the phase is made continuous from point to point,
// beginning with the angle that the slope of the magnitude tells (-90° for each integrator).
void sweep(const LargeSystem& large, const FrequencyOptions& options, std::vector<Channel>& channels) {
    const StateSpace& s = large.system;
    const FrequencyResponse response(s);
    const double fastest =
        std::sqrt(s.A.cwiseAbs().rowwise().sum().maxCoeff() * s.A.cwiseAbs().colwise().sum().maxCoeff());
    const double nyquist = s.sample_time ? std::numbers::pi / *s.sample_time : 0;
    double high = options.to.value_or(
        nyquist ? nyquist : std::pow(10, std::ceil(std::log10(std::max(fastest, 1e-12)))));
    if (nyquist) high = std::min(high, nyquist);
    const double low = options.from.value_or(high / 1e7);
    std::vector<double> grid;
    const int count = options.points.value_or(400);
    for (int k = 0; k < count; ++k)
        grid.push_back(low * std::pow(high / low, static_cast<double>(k) / (count - 1)));
    std::vector<Eigen::MatrixXcd> values = response.at_frequencies(grid);
    // Halved where neighbours differ by more than 1 dB or 10 degrees.
    for (int round = 0; round < 5 && grid.size() < 4000; ++round) {
        std::vector<double> more;
        for (std::size_t k = 0; k + 1 < grid.size(); ++k) {
            bool rough = false;
            for (Eigen::Index e = 0; e < values[k].size() && !rough; ++e) {
                const Complex ratio = values[k + 1](e) / values[k](e);
                rough = std::fabs(std::log(std::abs(ratio))) > 0.115 + std::log(grid[k + 1] / grid[k]) * 4 ||
                        std::fabs(std::arg(ratio)) > 0.175;
            }
            if (rough) more.push_back(std::sqrt(grid[k] * grid[k + 1]));
        }
        if (more.empty() || more.size() > 2000) break;
        const std::vector<Eigen::MatrixXcd> added = response.at_frequencies(more);
        std::vector<std::pair<double, Eigen::MatrixXcd>> all;
        for (std::size_t k = 0; k < grid.size(); ++k) all.emplace_back(grid[k], std::move(values[k]));
        for (std::size_t k = 0; k < more.size(); ++k) all.emplace_back(more[k], added[k]);
        std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        grid.clear();
        values.clear();
        for (auto& [w, v] : all) {
            grid.push_back(w);
            values.push_back(std::move(v));
        }
    }
    for (Eigen::Index i = 0; i < s.C.rows(); ++i)
        for (Eigen::Index j = 0; j < s.B.cols(); ++j) {
            Channel& c = channels[large.first + static_cast<std::size_t>(i * s.B.cols() + j)];
            double phase = 0;
            for (std::size_t k = 0; k < grid.size(); ++k) {
                const Complex v = values[k](i, j);
                const double angle = std::arg(v);
                if (k == 0) {
                    const double slope =
                        std::log(std::abs(values[1](i, j) / v)) / std::log(grid[1] / grid[0]);
                    const double expected = std::round(slope) * std::numbers::pi / 2;
                    // Within half a turn below what the slope tells, so that a negative gain begins at -180°.
                    phase = angle + 2 * std::numbers::pi *
                                        std::round((expected - 1e-6 - angle) / (2 * std::numbers::pi));
                } else {
                    phase += std::remainder(angle - phase, 2 * std::numbers::pi);
                }
                c.points.push_back({grid[k], std::log(std::abs(v)), phase});
            }
        }
}

// Channels of one system; the prefix tells several systems apart.
bool add_channels(const LinearSystem& system, const std::string& prefix, bool with_margins,
                  std::vector<Channel>& out, std::vector<LargeSystem>& large, Diagnostics& diagnostics) {
    const auto name = [&](const std::string& input, const std::string& output) {
        return prefix.empty() ? channel_name(output, input) : prefix;
    };
    if (const auto* g = std::get_if<ExactTransferMatrix>(&system)) {
        if (!g->symbols.empty()) {
            check_realizable(*g, diagnostics);  // says which symbols need values
            return false;
        }
        report_cancelled(*g, diagnostics);
        for (std::size_t i = 0; i < g->rows(); ++i)
            for (std::size_t k = 0; k < g->columns(); ++k) {
                Channel c{name(g->inputs[k], g->outputs[i]), g->inputs[k], g->outputs[i], {}, {}, {}};
                c.function = transfer_function(g->elements[i][k], g->delays[i][k], g->sample_time);
                if (with_margins)
                    c.margins = stability_margins(g->elements[i][k], g->delays[i][k], g->sample_time);
                out.push_back(std::move(c));
            }
        return true;
    }
    const StateSpace& s = std::get<StateSpace>(system);
    const bool small = s.order() <= small_order;
    if (!small) {
        large.push_back({s, out.size()});
        if (with_margins) {
            Diagnostic d;
            d.severity = Severity::Note;
            d.code = "no-margins";
            d.message = fmt::format(
                "margins are not computed here: the system has {} states, and zeros and poles of every "
                "channel are computed up to {} only",
                s.order(), small_order);
            d.help =
                "cutset margins computes those of one channel of any order; --no-margins does not ask for "
                "them";
            diagnostics.report(std::move(d));
        }
    }
    // Once for all channels.
    const auto poles = small ? settled_poles(s.A, s.sample_time) : std::nullopt;
    if (small && !poles) {
        diagnostics.report(bad_option("the eigenvalues of the system could not be computed"));
        return false;
    }
    for (Eigen::Index i = 0; i < s.C.rows(); ++i)
        for (Eigen::Index k = 0; k < s.B.cols(); ++k) {
            const std::string &input = s.inputs[static_cast<std::size_t>(k)],
                              &output = s.outputs[static_cast<std::size_t>(i)];
            Channel c{name(input, output), input, output, {}, {}, {}};
            if (small) {
                c.function = transfer_function(s, k, i, &*poles);
                if (!c.function) {
                    diagnostics.report(bad_option("the eigenvalues of the system could not be computed"));
                    return false;
                }
                if (with_margins) c.margins = stability_margins(s, k, i, *c.function, *poles, diagnostics);
            }
            out.push_back(std::move(c));
        }
    return true;
}

}  // namespace

double decibel(double log_magnitude) {
    return log_magnitude * 20 / std::numbers::ln10;
}

double degrees(double radians) {
    return radians * 180 / std::numbers::pi;
}

void add_frequency_options(Command& c, FrequencyOptions& o) {
    add_linear_options(c, o);
    c.option("--also", o.also, "a further system to compare with: a transfer function or a file");
    c.option("--from", o.from, "lowest frequency [rad/s]; default: below the slowest pole or zero");
    c.option("--to", o.to, "highest frequency [rad/s]; default: above the fastest, or the Nyquist frequency");
    c.option("--points", o.points,
             "number of frequencies to begin with; more are added where the curve bends (200)");
    c.option("-o,--output", o.output, "picture file: .svg, .png or .pdf; default: on the terminal");
    c.option("--title", o.title, "title of the plot");
    c.flag("--hz", o.hertz, "frequencies in Hz instead of rad/s, in pictures and text");
    c.flag("--no-margins", o.no_margins, "do not look at the closed loop");
}

std::optional<std::vector<Channel>> open_channels(const FrequencyOptions& options, Workspace& workspace) {
    const auto fail = [&](const std::string& message, const std::string& help = "") {
        workspace.diagnostics.report(bad_option(message, help));
        return std::nullopt;
    };
    for (const auto& [name, value] : {std::pair{"--from", options.from}, {"--to", options.to}})
        if (value && !(*value > 0 && std::isfinite(*value)))
            return fail(fmt::format("{} must be a positive number", name));
    if (options.from && options.to && !(*options.from < *options.to))
        return fail("--from must be below --to");
    if (options.points && (*options.points < 2 || *options.points > 100000))
        return fail("--points must be between 2 and 100000");
    const auto system = open_linear(options, workspace);
    if (!system) return std::nullopt;
    std::vector<Channel> channels;
    std::vector<LargeSystem> large;
    const std::string first = options.also.empty()  ? ""
                              : !options.tf.empty() ? options.tf
                                                    : options.file.substr(options.file.rfind('/') + 1);
    const bool with_margins = !options.no_margins;
    if (!add_channels(*system, first, with_margins, channels, large, workspace.diagnostics))
        return std::nullopt;
    for (const std::string& text : options.also) {
        LinearOptions other;
        static_cast<ModelOptions&>(other) = options;
        other.file.clear();
        other.set.clear();
        other.sample_time = options.sample_time;
        if (is_linear_file(text) || text.ends_with(".dym"))
            other.file = text;
        else
            other.tf = text;
        const auto more = open_linear(other, workspace);
        if (!more) return std::nullopt;
        if (!add_channels(*more, text.substr(is_linear_file(text) ? text.rfind('/') + 1 : 0), with_margins,
                          channels, large, workspace.diagnostics))
            return std::nullopt;
    }
    for (const LargeSystem& l : large) sweep(l, options, channels);
    std::erase_if(channels, [&](const Channel& c) {
        if (!c.function || !c.function->is_zero()) return false;
        Diagnostic d = bad_option(fmt::format("{}: the transfer function is zero and is left out", c.name));
        d.severity = Severity::Warning;
        d.code = "zero-transfer";
        workspace.diagnostics.report(std::move(d));
        return true;
    });
    if (channels.empty())
        return fail("no input has an effect on any output that was chosen",
                    "choose others with --inputs and --outputs");
    if (channels.size() > 36)
        return fail(fmt::format("{} curves are too many for one picture", channels.size()),
                    "choose some with --inputs and --outputs");
    std::vector<TransferFunction> functions;
    for (const Channel& c : channels)
        if (c.function) functions.push_back(*c.function);
    if (functions.empty()) return channels;
    if (options.from && functions[0].sample_time &&
        *options.from >= std::numbers::pi / *functions[0].sample_time)
        return fail(fmt::format("--from lies above the Nyquist frequency, {} rad/s",
                                short_number(std::numbers::pi / *functions[0].sample_time)));
    const std::vector<double> grid = frequency_grid(functions, options.from, options.to,
                                                    static_cast<std::size_t>(options.points.value_or(200)));
    for (Channel& c : channels) {
        if (!c.function) continue;
        for (double w : grid) {
            // Sampled systems of different rates: each to its own Nyquist frequency.
            if (c.function->sample_time && w > std::numbers::pi / *c.function->sample_time * (1 + 1e-12))
                break;
            c.points.push_back(frequency_point(*c.function, w));
        }
    }
    return channels;
}

int show_frequency_curves(const FrequencyOptions& options, const FrequencyCurves& curves) {
    Workspace workspace;
    const auto channels = open_channels(options, workspace);
    if (!channels) return finish(workspace, options);
    const Plot plot = curves.plot(*channels, options);
    if (options.json) {
        if (!options.output.empty() && !show_plot(plot, options.output, true, workspace.diagnostics))
            return finish(workspace, options);
        Json list = Json::array();
        for (const Channel& c : *channels) {
            Json one = {
                {"input", c.input}, {"output", c.output}, {"name", c.name}, {"frequency", Json::array()}};
            for (const FrequencyPoint& p : c.points) one["frequency"].push_back(p.frequency);
            for (const auto& [key, value] : curves.columns) {
                Json& column = one[key] = Json::array();
                for (const FrequencyPoint& p : c.points) column.push_back(number_json(value(p)));
            }
            if (c.margins) {
                one["margins"] = margins_json(*c.margins);
                for (const char* key :
                     {"encirclements", "open_loop_unstable", "closed_loop_unstable", "closed_loop_stable"})
                    one[key] = one["margins"][key];
            }
            list.push_back(std::move(one));
        }
        Json j;
        if (list.size() == 1) j = list[0];
        j["channels"] = std::move(list);
        if (channels->front().function && channels->front().function->sample_time)
            j["sample_time"] = *channels->front().function->sample_time;
        return print_json(std::move(j), workspace);
    }
    show_plot(plot, options.output, options.quiet, workspace.diagnostics);
    if (!options.quiet && channels->size() <= 6)
        for (const Channel& c : *channels)
            if (c.margins) fmt::print("{}\n{}", c.name, curves.text(c, options));
    std::fflush(stdout);
    return finish(workspace, options);
}

}  // namespace cutset::cli

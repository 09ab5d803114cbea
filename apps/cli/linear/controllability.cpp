// cutset controllability, cutset observability, cutset gramians.
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "base/json.h"
#include "commands.h"
#include "control/norms.h"
#include "control/realization.h"
#include "control/staircase.h"
#include "control/state_space_messages.h"
#include "linear/linear_output.h"
#include "linear/linear_source.h"
#include "linear/matrix_text.h"
#include "linear/state_space_output.h"

namespace cutset::cli {

namespace {

struct RankOptions : LinearOptions {
    double tolerance = rank_tolerance;
};

struct Words {
    const char *yes, *no, *signal, *key;
};
constexpr Words reach_words = {"controllable", "uncontrollable", "input", "controllability"};
constexpr Words show_words = {"observable", "unobservable", "output", "observability"};
// From this distance on a mode counts as hard to move or to see.
constexpr double weak = 1e-6;

Json report_json(const ControllabilityReport& report, const StateSpace& system,
                 const std::vector<std::string>& signals, const Words& words) {
    Json out = {{words.yes, report.complete()},
                {"order", report.order},
                {"rank", report.rank},
                {"smallest_kept", report.smallest_kept},
                {"largest_dropped", report.largest_dropped},
                {"indices", Json::object()},
                {"modes", Json::array()}};
    for (std::size_t i = 0; i < signals.size() && i < report.indices.size(); ++i)
        out["indices"][signals[i]] = report.indices[i];
    for (const FixedMode& mode : report.fixed) {
        Json states = Json::array();
        for (Eigen::Index i : mode.states) states.push_back(system.states[i]);
        out["modes"].push_back({{"eigenvalue", complex_json(mode.eigenvalue)}, {"states", states}});
    }
    Json distances = Json::array();
    for (const auto& d : report.distances)
        distances.push_back({{"eigenvalue", complex_json(d.eigenvalue)}, {"distance", d.distance}});
    out["distances"] = distances;
    return out;
}

void print_report(const ControllabilityReport& report, const StateSpace& system,
                  const std::vector<std::string>& signals, const Words& words) {
    if (report.complete())
        fmt::print("{}: all {} states\n", words.yes, report.order);
    else
        fmt::print("not {}: rank {} of {}\n", words.yes, report.rank, report.order);
    for (const FixedMode& mode : report.fixed)
        if (mode.eigenvalue.imag() >= 0)
            fmt::print("  {} mode {}{}\n", words.no, shown(mode, system.states),
                       mode.eigenvalue.imag() != 0 ? " and conjugate" : "");
    std::string indices;
    for (std::size_t i = 0; i < signals.size() && i < report.indices.size() && i < 20; ++i)
        indices += fmt::format("{}{} {}", i ? ", " : "", signals[i], report.indices[i]);
    if (!indices.empty()) fmt::print("  indices: {}\n", indices);
    for (const auto& d : report.distances) {
        bool known = false;
        for (const FixedMode& mode : report.fixed)
            known |= std::abs(mode.eigenvalue - d.eigenvalue) <= 1e-6 * (1 + std::abs(d.eigenvalue));
        if (!known && d.distance < weak && d.eigenvalue.imag() >= 0)
            fmt::print("  the mode {} is nearly {}: distance {:.1e}\n",
                       complex_text(d.eigenvalue, d.eigenvalue.imag() != 0), words.no, d.distance);
    }
    if (report.order > 0 && report.rank > 0)
        fmt::print("  decided by relative singular values: smallest kept {:.1e}, largest dropped {:.1e}\n",
                   report.smallest_kept, report.largest_dropped);
}

int ranks(const RankOptions& options, bool reach, bool show) {
    Workspace workspace;
    const auto system = open_state_space(options, workspace, false);
    if (!system || !check_system(*system, workspace.diagnostics)) return finish(workspace, options);
    if (!(options.tolerance > 0 && options.tolerance < 1)) {
        workspace.diagnostics.report(bad_option("--tolerance must be between 0 and 1"));
        return finish(workspace, options);
    }
    Json out = {{"states", system->states}, {"inputs", system->inputs}, {"outputs", system->outputs}};
    bool first = true;
    const auto add = [&](const ControllabilityReport& report, const std::vector<std::string>& signals,
                         const Words& words) {
        if (options.json) {
            const Json one = report_json(report, *system, signals, words);
            out[words.key] = one;
            out[words.yes] = report.complete();
            // A command about one of the two has its answer at the top as well.
            if (reach != show) out.update(one);
        } else {
            if (!first) fmt::print("\n");
            print_report(report, *system, signals, words);
        }
        first = false;
    };
    if (reach) add(examine_controllability(*system, options.tolerance), system->inputs, reach_words);
    if (show) add(examine_observability(*system, options.tolerance), system->outputs, show_words);
    if (options.json) return finish_json(std::move(out), workspace);
    std::fflush(stdout);
    return finish(workspace, options);
}

int gramians_command(const LinearOptions& options) {
    Workspace workspace;
    const auto system = open_state_space(options, workspace);
    if (!system || !check_system(*system, workspace.diagnostics)) return finish(workspace, options);
    const auto g = gramians(*system, workspace.diagnostics);
    if (!g) return finish(workspace, options);
    const auto h2 = h2_norm(*system, workspace.diagnostics);
    const auto hinf = hinf_norm(*system, workspace.diagnostics);
    if (options.json) {
        std::vector<double> hankel(g->hankel.data(), g->hankel.data() + g->hankel.size());
        Json out = {{"controllability_gramian", matrix_json(g->controllability)},
                    {"observability_gramian", matrix_json(g->observability)},
                    {"hankel_singular_values", hankel},
                    {"residual", std::max(g->controllability_residual, g->observability_residual)},
                    {"states", system->states}};
        if (h2) out["h2_norm"] = number_json(*h2);
        if (hinf)
            out["hinf_norm"] = number_json(hinf->gain), out["hinf_frequency"] = number_json(hinf->frequency);
        return finish_json(std::move(out), workspace);
    }
    if (system->order() <= 20) {
        fmt::print("{}\n", matrix_text("controllability Gramian", g->controllability, system->states,
                                       system->states));
        fmt::print("{}\n",
                   matrix_text("observability Gramian", g->observability, system->states, system->states));
    }
    fmt::print("Hankel singular values");
    for (Eigen::Index i = 0; i < g->hankel.size() && i < 40; ++i)
        fmt::print("  {}", short_number(g->hankel[i]));
    fmt::print("\n");
    if (h2) fmt::print("H2 norm                 {}\n", std::isfinite(*h2) ? short_number(*h2) : "infinite");
    if (hinf)
        fmt::print(
            "H-infinity norm         {} at {}\n", short_number(hinf->gain),
            std::isfinite(hinf->frequency) ? short_number(hinf->frequency) + " rad/s" : "infinite frequency");
    fmt::print("residual                {:.1e}\n",
               std::max(g->controllability_residual, g->observability_residual));
    std::fflush(stdout);
    return finish(workspace, options);
}

}  // namespace

void add_controllability(CommandLine& line) {
    auto o = std::make_shared<RankOptions>();
    Command& c = line.add("controllability", groups::linear,
                          "what the inputs reach and the outputs show, with the modes that they do not",
                          [o] { return ranks(*o, true, true); });
    add_linear_options(c, *o);
    c.option("--tolerance", o->tolerance, "relative singular values below this count as zero; default 1e-10");
    c.footer(
        "Examples:\n"
        "  cutset controllability plant.dym --inputs u --outputs y\n"
        "  cutset controllability plant.json --json\n"
        "Ranks are decided by orthogonal transformations of the scaled system, so units do not matter.");
}

void add_observability(CommandLine& line) {
    auto o = std::make_shared<RankOptions>();
    Command& c =
        line.add("observability", groups::linear, "what the outputs show, with the modes that they do not",
                 [o] { return ranks(*o, false, true); });
    add_linear_options(c, *o);
    c.option("--tolerance", o->tolerance, "relative singular values below this count as zero; default 1e-10");
    c.footer("Example:\n  cutset observability plant.dym --outputs y");
}

void add_gramians(CommandLine& line) {
    auto o = std::make_shared<LinearOptions>();
    Command& c =
        line.add("gramians", groups::linear, "Gramians, Hankel singular values, H2 and H-infinity norm",
                 [o] { return gramians_command(*o); });
    add_linear_options(c, *o);
    c.footer("Examples:\n  cutset gramians plant.json\n  cutset gramians --tf \"1/(s^2+0.1*s+1)\" --json");
}

}  // namespace cutset::cli

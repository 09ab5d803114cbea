#include "linear/reachability_output.h"

#include <fmt/format.h>

#include <cmath>

#include "control/state_space_messages.h"

namespace cutset::cli {

namespace {

struct SideWords {
    const char *yes, *no, *signal, *key;
};
constexpr SideWords reach_words = {"controllable", "uncontrollable", "input", "controllability"};
constexpr SideWords show_words = {"observable", "unobservable", "output", "observability"};
// From this distance on a mode counts as hard to move or to see.
constexpr double weak = 1e-6;

Json report_json(const ControllabilityReport& report, const StateSpace& system,
                 const std::vector<std::string>& signals, const SideWords& words) {
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
                  const std::vector<std::string>& signals, const SideWords& words) {
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

Json reachability_json(const ReachabilityStudy& study) {
    const StateSpace& system = study.system;
    Json out = {{"states", system.states}, {"inputs", system.inputs}, {"outputs", system.outputs}};
    const bool both = study.controllability && study.observability;
    const auto add = [&](const std::optional<ControllabilityReport>& report,
                         const std::vector<std::string>& signals, const SideWords& words) {
        if (!report) return;
        const Json one = report_json(*report, system, signals, words);
        out[words.key] = one;
        out[words.yes] = report->complete();
        // A command about one of the two has its answer at the top as well.
        if (!both) out.update(one);
    };
    add(study.controllability, system.inputs, reach_words);
    add(study.observability, system.outputs, show_words);
    return out;
}

void print_reachability(const ReachabilityStudy& study) {
    const StateSpace& system = study.system;
    if (study.controllability) print_report(*study.controllability, system, system.inputs, reach_words);
    if (study.controllability && study.observability) fmt::print("\n");
    if (study.observability) print_report(*study.observability, system, system.outputs, show_words);
}

}  // namespace

void add_reachability_options(Command& c, ReachabilityOptions& o) {
    add_linear_options(c, o);
    c.option("--tolerance", o.tolerance, "relative singular values below this count as zero; default 1e-10");
}

int show_reachability(const ReachabilityOptions& options) {
    return run_study(options, reachability_study, {.json = reachability_json, .print = print_reachability});
}

}  // namespace cutset::cli

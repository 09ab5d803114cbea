// cutset poles, cutset zeros.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/json.h"
#include "commands.h"
#include "control/modes.h"
#include "control/realization.h"
#include "control/state_space_messages.h"
#include "control/zeros.h"
#include "linear_output.h"
#include "linear_source.h"
#include "state_space_output.h"

namespace cutset::cli {

namespace {

struct PolesOptions : LinearOptions {
    bool all = false;
};

Json mode_json(const Mode& mode, const std::vector<std::string>& states, bool sampled) {
    Json out = {{"eigenvalue", complex_json(mode.eigenvalue)},
                {"frequency", number_json(mode.frequency)},
                {"damping", mode.damping ? Json(*mode.damping) : Json()},
                {"time_constant", mode.time_constant ? Json(*mode.time_constant) : Json()},
                {"stable", mode.stable(sampled)}};
    Json shares = Json::object();
    for (const Participant& p : participants(mode, states.size(), 1e-3)) shares[states[p.state]] = p.share;
    out["participation"] = shares;
    return out;
}

int poles_command(const PolesOptions& options) {
    Workspace workspace;
    const auto system = open_state_space(options, workspace, false);
    if (!system || !check_system(*system, workspace.diagnostics)) return finish(workspace, options);
    const auto found = modes(system->A, system->sample_time);
    if (!found) {
        workspace.diagnostics.report(state_space_messages::no_convergence("the eigenvalues"));
        return finish(workspace, options);
    }
    const bool sampled = system->is_sampled();
    const bool stable =
        std::all_of(found->begin(), found->end(), [&](const Mode& m) { return m.stable(sampled); });
    if (options.json) {
        Json out = {{"stable", stable}, {"states", system->states}};
        if (sampled) out["sample_time"] = *system->sample_time;
        out["poles"] = out["modes"] = Json::array();
        for (const Mode& mode : *found) {
            out["poles"].push_back(complex_json(mode.eigenvalue));
            out["modes"].push_back(mode_json(mode, system->states, sampled));
        }
        out["eigenvalues"] = out["poles"];
        return finish_json(std::move(out), workspace);
    }
    if (found->empty()) fmt::print("there are no states, so there are no poles\n");
    if (!found->empty())
        fmt::print("{:<24} {:>9} {:>11} {:>13}   {}\n", "pole", "damping", "rad/s", "time const.", "states");
    for (const Mode& mode : *found) {
        if (mode.eigenvalue.imag() < 0) continue;
        std::string names;
        for (const Participant& p :
             participants(mode, options.all ? system->states.size() : 4, options.all ? 0.001 : 0.05))
            names += fmt::format("{}{} {:.2g}", names.empty() ? "" : ", ", system->states[p.state], p.share);
        const std::string text = complex_text(mode.eigenvalue, mode.eigenvalue.imag() != 0);
        // ± is one letter of two bytes.
        fmt::print("{:<{}} {:>9} {:>11} {:>13}   {}\n", text, mode.eigenvalue.imag() != 0 ? 25 : 24,
                   mode.damping ? fmt::format("{:.4g}", *mode.damping) : "-",
                   fmt::format("{:.5g}", mode.frequency),
                   mode.time_constant ? fmt::format("{:.5g} s", *mode.time_constant) : "-", names);
    }
    if (!found->empty() && !options.quiet) {
        const auto unstable =
            std::count_if(found->begin(), found->end(), [&](const Mode& m) { return !m.stable(sampled); });
        if (stable)
            fmt::print("stable\n");
        else
            fmt::print("not stable: {} {} on or beyond the {}\n", unstable,
                       unstable == 1 ? "pole is" : "poles are", sampled ? "unit circle" : "imaginary axis");
    }
    std::fflush(stdout);
    return finish(workspace, options);
}

int zeros_command(const LinearOptions& options) {
    Workspace workspace;
    const auto system = open_state_space(options, workspace);
    if (!system || !check_system(*system, workspace.diagnostics)) return finish(workspace, options);
    const auto found = invariant_zeros(*system);
    const auto small = minimal_realization(*system);
    const auto transmission = invariant_zeros(small.system);
    const auto system_poles = poles(small.system.A, system->sample_time);
    if (!found || !transmission || !system_poles) {
        workspace.diagnostics.report(state_space_messages::no_convergence("the zeros"));
        return finish(workspace, options);
    }
    // Zeros of the whole that those of the minimal part do not explain.
    std::vector<std::complex<double>> decoupling = found->finite;
    for (const auto& z : transmission->finite) {
        const auto at =
            std::min_element(decoupling.begin(), decoupling.end(),
                             [&](const auto& a, const auto& b) { return std::abs(a - z) < std::abs(b - z); });
        if (at != decoupling.end()) decoupling.erase(at);
    }
    const bool single = system->B.cols() == 1 && system->C.rows() == 1;
    const double gain = single ? zero_pole_gain(small.system, transmission->finite, *system_poles) : 0;
    if (options.json) {
        Json out = {{"zeros", complex_json(found->finite)},
                    {"transmission_zeros", complex_json(transmission->finite)},
                    {"decoupling_zeros", complex_json(decoupling)},
                    {"normal_rank", found->normal_rank},
                    {"degenerate", found->degenerate},
                    {"inputs", system->inputs},
                    {"outputs", system->outputs}};
        if (single) out["gain"] = number_json(gain);
        if (system->sample_time) out["sample_time"] = *system->sample_time;
        return finish_json(std::move(out), workspace);
    }
    print_poles("zeros", transmission->finite, system->sample_time);
    if (!decoupling.empty())
        print_poles("further, of modes that the inputs do not reach or the outputs do not show", decoupling,
                    system->sample_time);
    if (single)
        fmt::print("gain {}, {} more poles than zeros\n", short_number(gain),
                   system_poles->size() - std::min(system_poles->size(), transmission->finite.size()));
    else
        fmt::print("rank of the transfer matrix: {}{}\n", found->normal_rank,
                   found->degenerate
                       ? ", less than inputs and outputs: some combination of outputs always vanishes"
                       : "");
    std::fflush(stdout);
    return finish(workspace, options);
}

}  // namespace

void add_poles(CommandLine& line) {
    auto o = std::make_shared<PolesOptions>();
    Command& c =
        line.add("poles", groups::linear, "poles with damping, frequency and the states that take part",
                 [o] { return poles_command(*o); });
    add_linear_options(c, *o);
    c.flag("--all", o->all, "all states with their shares");
    c.footer(
        "Examples:\n"
        "  cutset poles motor.dym                  of the model at its steady state\n"
        "  cutset poles motor.json --json\n"
        "  cutset poles --tf \"1/(s^2+0.4*s+1)\"");
}

void add_zeros(CommandLine& line) {
    auto o = std::make_shared<LinearOptions>();
    Command& c = line.add("zeros", groups::linear, "zeros of a system with any number of inputs and outputs",
                          [o] { return zeros_command(*o); });
    add_linear_options(c, *o);
    c.footer(
        "Examples:\n"
        "  cutset zeros motor.dym --inputs u --outputs w\n"
        "  cutset zeros plant.json --json\n"
        "JSON: `zeros` are the invariant zeros; without `decoupling_zeros` they are the "
        "`transmission_zeros`.");
}

}  // namespace cutset::cli

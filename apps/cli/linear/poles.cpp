// cutset poles.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "commands.h"
#include "linear/linear_options.h"
#include "linear/symbolic_roots.h"
#include "operations/linear/pole_plots.h"
#include "operations/linear/pole_study.h"

namespace cutset::cli {

namespace {

struct PolesOptions : LinearOptions {
    bool all = false;
    std::string output;  // of the map
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

Json poles_json(const PoleStudy& study) {
    Json out = {{"stable", study.stable()}, {"states", study.states}};
    if (study.sample_time) out["sample_time"] = *study.sample_time;
    out["poles"] = out["modes"] = Json::array();
    for (const Mode& mode : study.modes) {
        out["poles"].push_back(complex_json(mode.eigenvalue));
        out["modes"].push_back(mode_json(mode, study.states, study.sampled()));
        if (study.exact) out["modes"].back()["multiplicity"] = study.multiplicity(mode);
    }
    out["eigenvalues"] = out["poles"];
    return out;
}

void print_modes(const PoleStudy& study, bool all) {
    if (study.modes.empty()) {
        fmt::print("{}\n", study.exact ? "the transfer function has no poles"
                                       : "there are no states, so there are no poles");
        return;
    }
    fmt::print("{:<24} {:>9} {:>11} {:>13}   {}\n", "pole", "damping", "rad/s", "time const.",
               study.exact ? "multiplicity" : "states");
    std::optional<Complex> last;
    for (const Mode& mode : study.modes) {
        if (mode.eigenvalue.imag() < 0 || (study.exact && last == mode.eigenvalue)) continue;
        last = mode.eigenvalue;
        std::string names;
        for (const Participant& p : participants(mode, all ? study.states.size() : 4, all ? 0.001 : 0.05))
            names += fmt::format("{}{} {:.2g}", names.empty() ? "" : ", ", study.states[p.state], p.share);
        if (study.exact) names = std::to_string(study.multiplicity(mode));
        const std::string text = complex_text(mode.eigenvalue, mode.eigenvalue.imag() != 0);
        // ± is one letter of two bytes.
        fmt::print("{:<{}} {:>9} {:>11} {:>13}   {}\n", text, mode.eigenvalue.imag() != 0 ? 25 : 24,
                   mode.damping ? fmt::format("{:.4g}", *mode.damping) : "-",
                   fmt::format("{:.5g}", mode.frequency),
                   mode.time_constant ? fmt::format("{:.5g} s", *mode.time_constant) : "-", names);
    }
}

void print_stability(const PoleStudy& study) {
    if (study.modes.empty()) return;
    if (study.stable()) {
        fmt::print("stable\n");
        return;
    }
    const bool sampled = study.sampled();
    const auto count = std::count_if(study.modes.begin(), study.modes.end(),
                                     [&](const Mode& m) { return !m.stable(sampled); });
    const auto border = std::count_if(study.modes.begin(), study.modes.end(),
                                      [&](const Mode& m) { return m.on_border(sampled); });
    fmt::print("not stable: {} {} {} the {}\n", count, count == 1 ? "pole is" : "poles are",
               border == count ? "on"
               : border == 0   ? "beyond"
                               : "on or beyond",
               sampled ? "unit circle" : "imaginary axis");
}

int poles_command(const PolesOptions& options) {
    using Study = std::variant<PoleStudy, SymbolicRoots>;
    return run_study(options, pole_study,
                     {.write =
                          [&](const Study& study, Diagnostics& diagnostics) {
                              const auto* poles = std::get_if<PoleStudy>(&study);
                              return options.output.empty() || !poles ||
                                     show_plot(pole_map(*poles), options.output, true, diagnostics);
                          },
                      .json =
                          [](const Study& study) {
                              if (const auto* poles = std::get_if<PoleStudy>(&study))
                                  return poles_json(*poles);
                              return symbolic_roots_json(std::get<SymbolicRoots>(study));
                          },
                      .print =
                          [&](const Study& study) {
                              const auto* poles = std::get_if<PoleStudy>(&study);
                              if (!poles)
                                  return print_symbolic_roots(std::get<SymbolicRoots>(study), "poles");
                              print_modes(*poles, options.all);
                              if (!options.quiet) print_stability(*poles);
                          }});
}

}  // namespace

void add_poles(CommandLine& line) {
    auto o = std::make_shared<PolesOptions>();
    Command& c =
        line.add("poles", groups::linear, "poles with damping, frequency and the states that take part",
                 [o] { return poles_command(*o); });
    add_linear_options(c, *o);
    c.flag("--all", o->all, "all states with their shares");
    c.option("-o,--output", o->output, "a map of the poles: .svg, .png, .pdf");
    c.footer(
        "Examples:\n"
        "  cutset poles motor.dym                  of the model at its steady state\n"
        "  cutset poles motor.json --json\n"
        "  cutset poles motor.dym -o poles.svg     a map\n"
        "  cutset poles --tf \"1/((s+1)^5*(s^2+0.4*s+1))\"\n"
        "  cutset poles motor.dym --symbolic       formulas in the parameters\n"
        "  cutset poles --tf \"1/(s^2+2*d*w*s+w^2)\"\n"
        "The poles of transfer functions are those of their exact coefficients, with multiplicity.");
}

}  // namespace cutset::cli

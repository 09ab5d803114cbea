// cutset margins.
#include "control/margins.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "base/json.h"
#include "commands.h"
#include "linear_output.h"
#include "linear_source.h"
#include "state_space_output.h"

namespace cutset::cli {

namespace {

int margins(const LinearOptions& options) {
    Workspace workspace;
    const auto system = open_state_space(options, workspace);
    if (!system) return finish(workspace, options);
    const auto m = stability_margins(*system, workspace.diagnostics);
    if (!m) return finish(workspace, options);
    const auto decibel = [](double factor) { return 20 * std::log10(factor); };
    if (options.json) {
        Json out = {{"stable", m->stable}, {"poles", complex_json(m->closed_poles)}};
        out["gain_margin"] = m->gain ? Json(m->gain->factor) : Json();
        out["gain_margin_db"] = m->gain ? Json(decibel(m->gain->factor)) : Json();
        out["gain_margin_frequency"] = m->gain ? Json(m->gain->frequency) : Json();
        out["phase_margin"] = m->phase ? Json(m->phase->degrees) : Json();
        out["phase_margin_frequency"] = m->phase ? Json(m->phase->frequency) : Json();
        out["delay_margin"] = m->delay ? Json(m->delay->delay) : Json();
        out["delay_margin_frequency"] = m->delay ? Json(m->delay->frequency) : Json();
        out["modulus_margin"] = m->modulus ? Json(*m->modulus) : Json();
        out["maximum_sensitivity"] = m->modulus ? Json(1 / *m->modulus) : Json();
        out["gain_margins"] = out["phase_margins"] = Json::array();
        for (const auto& g : m->gains)
            out["gain_margins"].push_back({{"frequency", g.frequency}, {"factor", g.factor}});
        for (const auto& p : m->phases)
            out["phase_margins"].push_back(
                {{"frequency", p.frequency}, {"degrees", p.degrees}, {"delay", p.delay}});
        return finish_json(std::move(out), workspace);
    }
    fmt::print("closed loop      {}\n", m->stable ? "stable" : "not stable");
    if (m->gain)
        fmt::print("gain margin      {} ({:.4g} dB) at {} rad/s\n", short_number(m->gain->factor),
                   decibel(m->gain->factor), short_number(m->gain->frequency));
    else
        fmt::print("gain margin      infinite: the phase never passes -180 degrees\n");
    if (m->phase)
        fmt::print("phase margin     {} degrees at {} rad/s\n", short_number(m->phase->degrees),
                   short_number(m->phase->frequency));
    else
        fmt::print("phase margin     infinite: the gain never passes 1\n");
    if (m->delay && m->stable)
        fmt::print("delay margin     {} s at {} rad/s\n", short_number(m->delay->delay),
                   short_number(m->delay->frequency));
    if (m->modulus)
        fmt::print("modulus margin   {} (largest sensitivity {} at {} rad/s)\n", short_number(*m->modulus),
                   short_number(1 / *m->modulus), short_number(*m->modulus_frequency));
    if (m->gains.size() > 1 || m->phases.size() > 1) {
        fmt::print("all crossings\n");
        for (const auto& g : m->gains)
            fmt::print("  phase -180 at {:<12} rad/s: gain may be multiplied by {}\n",
                       short_number(g.frequency), short_number(g.factor));
        for (const auto& p : m->phases)
            fmt::print("  gain 1 at     {:<12} rad/s: phase margin {} degrees\n", short_number(p.frequency),
                       short_number(p.degrees));
    }
    std::fflush(stdout);
    return finish(workspace, options);
}

}  // namespace

void add_margins(CommandLine& line) {
    auto o = std::make_shared<LinearOptions>();
    Command& c = line.add("margins", groups::linear, "gain, phase, delay and modulus margin of a loop",
                          [o] { return margins(*o); });
    add_linear_options(c, *o);
    c.footer(
        "Examples:\n"
        "  cutset margins --tf \"4/(s+1)^3\"\n"
        "  cutset margins loop.json --inputs e --outputs y --json\n"
        "The system is the open loop, closed by negative feedback. Exit status 0 also when the closed loop "
        "is not stable.");
}

}  // namespace cutset::cli

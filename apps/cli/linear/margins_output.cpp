#include "linear/margins_output.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "base/json.h"
#include "linear/linear_output.h"

namespace cutset::cli {

namespace {

using ClosedLoop = Margins::ClosedLoop;

double decibels(double factor) {
    return 20 * std::log10(factor);
}

const char* status(ClosedLoop c) {
    switch (c) {
        case ClosedLoop::Stable:
            return "stable";
        case ClosedLoop::Border:
            return "border";
        case ClosedLoop::Unstable:
            return "unstable";
        case ClosedLoop::InfinitelyUnstable:
            return "infinitely-unstable";
        case ClosedLoop::IllPosed:
            return "ill-posed";
    }
    return "";
}

template <class T>
Json optional_json(const std::optional<T>& v) {
    return v ? Json(*v) : Json();
}

}  // namespace

std::string frequency_text(double frequency, bool hertz) {
    if (std::isinf(frequency)) return "infinite frequency";
    if (hertz) return short_number(frequency / (2 * std::numbers::pi)) + " Hz";
    return short_number(frequency) + " rad/s";
}

Json margins_json(const Margins& m) {
    Json j;
    j["gain_margin"] = m.gain ? Json(m.gain->factor) : Json();
    j["gain_margin_db"] = m.gain ? Json(decibels(m.gain->factor)) : Json();
    j["gain_margin_frequency"] = j["phase_crossover"] = m.gain ? number_json(m.gain->frequency) : Json();
    j["phase_margin"] = m.phase ? Json(m.phase->degrees) : Json();
    j["phase_margin_frequency"] = j["gain_crossover"] = m.phase ? Json(m.phase->frequency) : Json();
    j["delay_margin"] = m.delay ? Json(m.delay->delay) : Json();
    j["delay_margin_frequency"] = m.delay ? Json(m.delay->frequency) : Json();
    j["gain_margins"] = j["phase_margins"] = Json::array();
    for (const auto& g : m.gains)
        j["gain_margins"].push_back(
            {{"frequency", number_json(g.frequency)}, {"factor", g.factor}, {"db", decibels(g.factor)}});
    for (const auto& p : m.phases)
        j["phase_margins"].push_back(
            {{"frequency", p.frequency}, {"degrees", p.degrees}, {"delay", number_json(p.delay)}});
    j["modulus_margin"] = m.stable() ? Json(1 / m.sensitivity) : Json();
    j["max_sensitivity"] = j["maximum_sensitivity"] = number_json(m.sensitivity);
    j["max_sensitivity_frequency"] = number_json(m.sensitivity_frequency);
    j["open_loop_unstable"] = m.open_loop_unstable;
    j["hidden_unstable"] = m.hidden_unstable;
    j["encirclements"] = optional_json(m.encirclements);
    j["closed_loop_unstable"] = optional_json(m.closed_loop_unstable);
    // On the border neither.
    j["closed_loop_stable"] = m.closed_loop == ClosedLoop::Border ? Json() : Json(m.stable());
    j["closed_loop"] = status(m.closed_loop);
    j["closed_loop_poles"] = complex_json(m.closed_loop_poles);
    return j;
}

std::string closed_loop_text(const Margins& m) {
    std::string what;
    switch (m.closed_loop) {
        case ClosedLoop::Stable:
            what = "stable (negative feedback of 1)";
            break;
        case ClosedLoop::Border:
            what = "on the border of stability";
            break;
        case ClosedLoop::Unstable:
            what = fmt::format("unstable, {} pole{} (negative feedback of 1)", *m.closed_loop_unstable,
                               *m.closed_loop_unstable == 1 ? "" : "s");
            break;
        case ClosedLoop::InfinitelyUnstable:
            what =
                "unstable, with infinitely many unstable poles: |L| stays above 1 at high frequencies, where "
                "the "
                "delay turns its phase on and on";
            break;
        case ClosedLoop::IllPosed:
            what =
                "not well posed: L is -1 at infinite frequency, so that the algebraic loop 1 + L = 0 has no "
                "solution";
            break;
    }
    return fmt::format("  closed loop    {}\n", what);
}

std::string hidden_text(const Margins& m) {
    if (m.hidden_unstable == 0) return "";
    return fmt::format(
        "  hidden         {} unstable pole{} of the system {} not in this loop: no feedback moves {}\n",
        m.hidden_unstable, m.hidden_unstable == 1 ? "" : "s", m.hidden_unstable == 1 ? "is" : "are",
        m.hidden_unstable == 1 ? "it" : "them");
}

std::string margins_text(const Margins& m, bool hertz) {
    std::string out;
    if (m.gain)
        out += fmt::format("  gain margin    {:.4g} dB (factor {}) at {}\n", decibels(m.gain->factor),
                           short_number(m.gain->factor), frequency_text(m.gain->frequency, hertz));
    else
        out += "  gain margin    infinite: the phase does not pass -180°\n";
    if (m.phase)
        out += fmt::format("  phase margin   {:.4g}° at {}\n", m.phase->degrees,
                           frequency_text(m.phase->frequency, hertz));
    else
        out += "  phase margin   infinite: the gain does not pass 1\n";
    if (m.delay)
        out += fmt::format("  delay margin   {} s at {}\n", short_number(m.delay->delay),
                           frequency_text(m.delay->frequency, hertz));
    if (m.stable())
        out += fmt::format("  modulus margin {:.4g}: sensitivity up to {:.4g} at {}\n", 1 / m.sensitivity,
                           m.sensitivity, frequency_text(m.sensitivity_frequency, hertz));
    if (m.gains.size() > 1 || m.phases.size() > 1) {
        constexpr std::size_t most = 12;
        for (std::size_t i = 0; i < std::min(most, m.gains.size()); ++i)
            out += fmt::format("    phase -180° at {}: {:.4g} dB\n",
                               frequency_text(m.gains[i].frequency, hertz), decibels(m.gains[i].factor));
        if (m.gains.size() > most) out += fmt::format("    … {} more\n", m.gains.size() - most);
        for (const auto& p : m.phases)
            out += fmt::format("    gain 1 at {}: {:.4g}°\n", frequency_text(p.frequency, hertz), p.degrees);
    }
    return out + closed_loop_text(m) + hidden_text(m);
}

}  // namespace cutset::cli

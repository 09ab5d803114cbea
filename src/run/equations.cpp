#include "run/equations.h"

#include <algorithm>

#include "base/finite.h"
#include "run/present_delays.h"
#include "run/run_messages.h"

namespace cutset {

// A loop may have a solution on either side of a crossing (sign(i)*i**2 = u): the one that agrees with the
// frozen switch counts, if there is one.
bool Equations::keep_branches() {
    if (now_.whole) return true;
    for (std::size_t i : structure_.branch) {
        if (sliding_.holds(i)) continue;
        const Switch& s = now_.partition.switches[i];
        const Slot slot = now_.layout.variable[s.crossing->index];
        const double found = now_.values[slot], value = now_.condition(i);
        const bool agrees =
            s.node->op == Op::Sign ? found * value >= 0 : (found < 0) == (value != 0) || found == 0;
        if (agrees) continue;
        now_.values[slot] = -found;
        if (sliding_.solve(now_.values, now_.program.continuous) && now_.values[slot] * found <= 0) continue;
        now_.values[slot] = found;
        now_.values.clear_error();
        if (!sliding_.solve(now_.values, now_.program.continuous)) return false;
    }
    return true;
}

// Beyond a crossing that is not located yet the frozen switches may leave a loop without solution
// (sign(i)*i**2 = u for u < 0), or an expression without value (if h > 0 then sqrt(h) else 0); then the
// equations of the far side count, so that the crossing can be found.
bool Equations::run() {
    return run_with_delays(
        now_, [&] { return run_once(); },
        [&] { return run_once() && now_.values.run(now_.program.conditions); });
}

bool Equations::run_once() {
    now_.equations_known = now_.at_derivatives = false;
    const auto finite = [&] { return all_finite(now_.derivatives()); };
    const bool ran = sliding_.solve(now_.values, now_.program.continuous) && keep_branches();
    if (structure_.state.empty() || now_.values.error() || (ran && finite())) return ran;
    now_.values.set_live_switches(true);
    const bool solved = now_.values.run(now_.program.continuous);
    now_.values.set_live_switches(false);
    if (ran && !(solved && finite())) return now_.values.run(now_.program.continuous);
    return solved;
}

// What has been computed stands for the inputs as they are now: computing it again would change nothing.
void Equations::note() {
    if (!structure_.repeatable || !sliding_.empty() || !all_finite(now_.derivatives())) return;
    noted_.resize(structure_.inputs.size());
    for (std::size_t k = 0; k < structure_.inputs.size(); ++k) noted_[k] = now_.values[structure_.inputs[k]];
    noted_time_ = now_.time();
    now_.equations_known = true;
}

bool Equations::known() const {
    if (!now_.equations_known || noted_time_ != now_.time() || !sliding_.empty()) return false;
    for (std::size_t k = 0; k < structure_.inputs.size(); ++k)
        if (noted_[k] != now_.values[structure_.inputs[k]]) return false;
    return true;
}

bool Equations::evaluate() {
    now_.loops.set_robust(true);
    return (run() || now_.run_section(now_.program.continuous)) && derivatives_finite();
}

bool Equations::derivatives_finite() {
    if (all_finite(now_.derivatives())) return true;
    for (std::size_t i = 0; i < now_.layout.derivative.size(); ++i) {
        if (std::isfinite(now_.values[now_.layout.derivative[i]])) continue;
        if (!now_.report_not_finite(now_.program.continuous, now_.time())) return false;
        return now_.fail_in_equations(
            run_messages::value_not_finite(now_.model, now_.partition.states[i], now_.time()));
    }
    return true;
}

// `section`, without a message when it fails.
bool Equations::run_quietly(const Section& section) {
    now_.loops.set_robust(true);
    now_.values.clear_error();
    return &section == &now_.program.continuous ? run() : sliding_.solve(now_.values, section);
}

bool Equations::finite(const Interpreter& values) const {
    return std::all_of(now_.layout.derivative.begin(), now_.layout.derivative.end(),
                       [&](Slot slot) { return std::isfinite(values[slot]); }) &&
           std::all_of(structure_.unknowns.begin(), structure_.unknowns.end(),
                       [&](Slot slot) { return std::isfinite(values[slot]); });
}

}  // namespace cutset

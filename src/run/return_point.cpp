#include "run/return_point.h"

namespace cutset {

void ReturnPoint::keep(double at, std::span<const double> x) {
    time_ = at;
    if (!now_.options.keep_point) return;
    states_.assign(x.begin(), x.end());
}
void ReturnPoint::go_back(bool in_event) {
    if (!now_.options.keep_point) return;
    now_.values[now_.layout.time] = time_;
    now_.set_states(now_.values, states_);
    if (!in_event) return;
    for (VariableIndex v{0}; v < now_.model.variables.end_index(); ++v.value)
        if (const Slot previous = now_.layout.previous[v.value];
            previous && now_.model.variables[v].variability == Variability::Discrete)
            now_.values[now_.layout.variable[v.value]] = now_.values[previous];
    for (std::size_t i = 0; i < now_.partition.switches.size(); ++i)
        now_.condition(i) = now_.values[now_.layout.switches_before[i]];
    disturbed_ = true;
}
}  // namespace cutset

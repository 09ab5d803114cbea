// How long a step of the integrator may be.
//
// Quiet states let the integrator take steps that pass over what happens meanwhile: pulses of inputs,
// conditions that become true and false again. What depends on the time in a way that can make pulses
// (sin(time), a power or a product of times, a function of a state that only counts the time) is sampled at
// many points of the run. The rest follows the states, and the integrator's own error control sees to it.
#pragma once

#include <vector>

#include "ir/partition.h"

namespace cutset {

// Whether an equation or a crossing depends on the time other than linearly, by tables of time (no step
// passes their breakpoints) or by time events.
bool can_pulse(const Partition& partition);

// The smallest number of steps that the run is divided into.
double fewest_steps(const Partition& partition);

// Angular frequencies of what swings with the time, sin(ω·time + φ), in parameters: none when no crossing can
// be missed because there is none.
std::vector<Expr> frequencies(const Partition& partition);
// Steps of a period; nothing but samples shows where relations of a model without states change.
inline double fewest_steps_of_period(const Partition& partition) {
    return partition.states.empty() ? 200 : 20;
}

// Whether the crossings of state events follow from time, states, discrete variables and parameters alone.
bool crossings_need_equations(const Partition& partition);

}  // namespace cutset

// What is said of clocks: missing ones, those that do not fit together, bodies that do not determine their
// variables.
#pragma once

#include "base/diagnostic.h"
#include "ir/flat_model.h"

namespace cutset::clock_messages {

// By one way the partition of `member` has another clock than by the definition at `other`.
Diagnostic do_not_fit(const FlatModel& model, Span where, Span other, VariableIndex member);
// The factor of subSample or superSample that follows from two clocks is no whole number.
Diagnostic no_whole_factor(Span where, Span from, Span to, double factor);
Diagnostic ratio_too_large(Span where);
Diagnostic no_clock(const FlatModel& model, VariableIndex member);
Diagnostic before_start(const FlatModel& model, VariableIndex member);
Diagnostic ratio_of_events(const FlatModel& model, VariableIndex member, Span definition);
// previous(v), but v has no clock.
Diagnostic previous_unclocked(const FlatModel& model, VariableIndex v);
Diagnostic two_solvers(Span where, Span other);
// v' stands in an equation of the clock that is defined at `clock`.
Diagnostic derivative(const FlatModel& model, VariableIndex v, const Origin& origin, Span clock);
// A constraint between states has to be differentiated, and what is sampled has no derivative.
Diagnostic derivative_of_sampled(const FlatModel& model, const Equation& constraint);
// No choice of states of a clocked partition is good for all times.
Diagnostic states_change(const FlatModel& model, VariableIndex candidate);
Diagnostic initial_of_clocked(const FlatModel& model, const Equation& e);
Diagnostic too_many_initial(const FlatModel& model, const Equation& e);
Diagnostic too_many(const FlatModel& model, const Equation& e);
Diagnostic too_few(const FlatModel& model, VariableIndex v);

}  // namespace cutset::clock_messages

// What is said of clocks: missing ones, those that do not fit together, bodies that do not determine their
// variables.
#pragma once

#include "base/diagnostic.h"
#include "ir/flat_model.h"

namespace cutset::clock_messages {

// By one way a partition has another clock than by the definition at `other`.
Diagnostic do_not_fit(const FlatModel& model, Span where, Span other);
Diagnostic ratio_too_large(Span where);
Diagnostic no_clock(const FlatModel& model, VariableIndex member);
Diagnostic before_start(const FlatModel& model, VariableIndex member);
Diagnostic ratio_of_events(const FlatModel& model, VariableIndex member, Span definition);
Diagnostic derivative(const FlatModel& model, VariableIndex v, const Origin& origin);
Diagnostic too_many(const FlatModel& model, const Equation& e);
Diagnostic too_few(const FlatModel& model, VariableIndex v);

}  // namespace cutset::clock_messages

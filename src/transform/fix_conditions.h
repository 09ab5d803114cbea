// A model in one of its modes: conditions of if-expressions replaced by their values there.
//
// `0 = if closed then v1 - v2 else i` has states v1 and v2 while the switch is open and one state less when
// it is closed: no one choice of states and order of computation is valid for both. Where the equations of
// all modes together cannot be solved, the run goes over to the equations of the mode at hand, with an index
// reduction of their own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ir/flat_model.h"

namespace cutset {

// The conditions of if-expressions in `equations` that can change during a run, in order of occurrence; none
// under noevent.
std::vector<Expr> switched_conditions(const FlatModel& model, std::span<const EquationIndex> equations);
// The same of all equations.
std::vector<Expr> switched_conditions(const FlatModel& model);

// The value of a variable or of its derivative before the mode was entered: a discrete variable of the mode's
// model.
struct ValueBefore {
    VariableIndex variable;  // that holds it
    VariableIndex of;
    std::uint32_t order = 0;
};

struct ModeModel {
    FlatModel model;
    std::vector<ValueBefore> before;
    // When clauses from this one on say that a condition, in the order given, has no longer its value.
    std::size_t exits = 0;
};

// `model` with each of `conditions` replaced by its value in `truth`. What is differentiated starts from the
// values before; initial equations and other initial values are gone.
ModeModel fix_conditions(const FlatModel& model, std::span<const Expr> conditions,
                         const std::vector<bool>& truth);

}  // namespace cutset

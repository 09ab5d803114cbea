// A, B, C and D as formulas in the states, inputs, parameters and other variables of the sorted model, for
// small models. What the formulas call by a variable's name is its value at the operating point.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "ir/partition.h"

namespace cutset {

struct SymbolicLinearization {
    std::vector<VariableIndex> states, inputs, outputs;
    std::vector<std::vector<Expr>> A, B, C, D;  // by row
    // Variables that the formulas name and that are no states, inputs or parameters, with how they are
    // computed; in the order of computation.
    std::vector<std::pair<VariableIndex, Expr>> where;
    // Unknowns of loops among them have no formula of their own.
};

// `inputs`: adjustable parameters of the model. Nothing when errors were reported.
std::optional<SymbolicLinearization> linearize_symbolically(const Partition& partition,
                                                            const std::vector<VariableIndex>& inputs,
                                                            const std::vector<VariableIndex>& outputs,
                                                            Diagnostics& diagnostics);

}  // namespace cutset

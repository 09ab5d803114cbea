// Quantities that a question leaves open: parameters, inputs and initial values that become adjustable
// parameters of the FlatModel, so that one Program is valid for all their values and has derivatives by them.
//
//     p        a parameter: no decision of the analysis depends on its value from here on
//     u        an input: its equation is dropped, the value is held from outside
//     x(0)     the initial value of x, der(x)(0) that of its derivative: a parameter of its own
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "ir/flat_model.h"

namespace cutset {

// The inputs of the whole model, and what the experiment gives like one (--input, --known).
std::vector<VariableIndex> inputs_of(const FlatModel& model);

// The parameters for these paths, in their order; an array has one for each element. Their present values
// (of inputs: at `time`) are Variable::value. Empty when errors were reported.
std::vector<VariableIndex> leave_open(FlatModel& model, std::span<const std::string> paths, double time,
                                      Diagnostics& diagnostics);

}  // namespace cutset

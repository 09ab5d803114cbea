// The tables of the standard library (external objects of Modelica.Blocks.Types) as tables of the flat model:
// of one argument, of two, and of time, with their six kinds of smoothness and four of extrapolation. What is
// constant between points or jumps is a choice, so that its events are found like all others.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "objects/evaluator.h"

namespace cutset::objects {

// The results of an external function on a table object; nothing where `symbol` is none of them. The
// inputs of the function stand in frame.locals.
std::optional<std::vector<Value>> table_call(Evaluator& e, const Callable& function,
                                             const std::string& symbol, const std::vector<Value>& arguments,
                                             Frame& frame, Span where);

}  // namespace cutset::objects

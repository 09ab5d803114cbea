// The value of an expression in parameters, as the analysis of a model sees it.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "ir/flat_model.h"

namespace cutset {

std::optional<double> parametric_value(
    const FlatModel& model, Expr e,
    const std::function<std::optional<double>(VariableIndex)>& value_of_parameter);
// Of a call of a table; functions have no value here.
std::optional<double> table_call_value(const FlatModel& model, Expr call, std::span<const double> arguments);

}  // namespace cutset

// Where a model has no slope: an equation whose derivative by one of its variables is infinite at a point, as
// that of sqrt(h) at h = 0, or so large so near to such a point that rounding decides its value.
#pragma once

#include <functional>
#include <optional>

#include "ir/flat_model.h"

namespace cutset {

// Slopes beyond this are worth a look.
inline constexpr double steep_slope = 1e5;

struct InfiniteSlope {
    EquationIndex equation;
    VariableIndex variable;
    double value = 0;  // of the variable
};
// `value`: of a variable; nothing when it is not known.
std::optional<InfiniteSlope> find_infinite_slope(
    const FlatModel& model, double time, const std::function<std::optional<double>(VariableIndex)>& value);

}  // namespace cutset

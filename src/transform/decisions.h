// Decisions by the values of parameters: taken, and looked at again with other values.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/function_ref.h"
#include "ir/decisions.h"

namespace cutset {

// What the decision is for these values; its own `result` plays no part.
std::pair<bool, double> outcome(const ValueDecision& d, const ParametricValue& value_of);
bool outcome(const ComparisonDecision& d, const ParametricValue& value_of);
std::vector<std::uint32_t> outcome(const ChainDecision& d, const ParametricValue& value_of);
std::optional<std::pair<std::uint32_t, std::uint32_t>> outcome(const PivotDecision& d,
                                                               const ParametricValue& value_of);
bool outcome(const RankDecision& d, const ParametricValue& value_of);

// Whether all come out as they did.
bool hold(const Decisions& decisions, const ParametricValue& value_of);

// Those in which the value of such an expression counts.
Decisions concerned(const Decisions& decisions, FunctionRef<bool(Expr)> by);

}  // namespace cutset

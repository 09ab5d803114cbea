// The index of the equations as they were written: how often some of them have to be differentiated before
// all derivatives are determined (Pantelides), and one more where a variable occurs without derivative. It
// does not depend on what was eliminated, v = x' or V1 = V2, before the equations were sorted.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "graph/pantelides.h"
#include "transform/analysis.h"

namespace cutset::passes {

// `combined`: what an equation was replaced by, because it depended on others; nothing for most. Nothing when
// the written equations are singular, as they may be where parameters are zero.
std::optional<std::uint32_t> structural_index(
    Analysis& a, const std::function<std::optional<std::vector<graph::Occurrence>>(EquationIndex)>& combined);

}  // namespace cutset::passes

// The generic ranks behind structural controllability and observability; see structure.h.
#pragma once

#include <cstdint>
#include <vector>

#include "operations/structure/structure.h"

namespace cutset {

// `outputs` are nodes of the graph. Adds defects of rank; reachability is not looked at.
StructuralRank controllable_rank(const Partition& partition, const InfluenceGraph& graph,
                                 const std::vector<VariableIndex>& inputs);
StructuralRank observable_rank(const Partition& partition, const InfluenceGraph& graph,
                               const std::vector<std::uint32_t>& outputs);

}  // namespace cutset

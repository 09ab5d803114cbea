// Paths in a digraph whose edges carry a length: what reaches what, and by how few.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "graph/strong_components.h"

namespace cutset::graph {

inline constexpr std::uint32_t not_reached = std::numeric_limits<std::uint32_t>::max();

// The least sum of lengths on a path from one of `from` to each node; `lengths` are 0 or 1, by edge
// (Digraph::adjacent). Breadth-first with two ends: an edge of length 0 is followed before those of length 1,
// O(nodes + edges).
std::vector<std::uint32_t> shortest_paths(const Digraph& graph, std::span<const std::uint8_t> lengths,
                                          std::span<const std::uint32_t> from);

// Which nodes are reached from one of `from`, these included.
std::vector<bool> reached_from(const Digraph& graph, std::span<const std::uint32_t> from);

// The same nodes with all edges turned round. `edge_of`, if given, takes for each new edge the number of the
// old one.
Digraph reversed(const Digraph& graph, std::vector<std::uint32_t>* edge_of = nullptr);

// By node: the number of its component.
std::vector<std::uint32_t> component_of(const Components& components, std::size_t nodes);

}  // namespace cutset::graph

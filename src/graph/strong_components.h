// Strong components: the sets of equations that must be solved together, in the order of computation.
//
// Equation e needs equation f when a variable of e is computed from (matched with) f. The strong components
// of this digraph are the blocks of the block lower triangular form. Tarjan's algorithm with an explicit
// stack completes a component after all that it needs, so components come out in the order of computation.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/bipartite.h"
#include "graph/matching.h"

namespace cutset::graph {

// Nodes 0 … nodes() - 1; the edges of node n go to adjacent[start[n]] … adjacent[start[n + 1] - 1].
struct Digraph {
    std::vector<std::uint32_t> start{0};
    std::vector<std::uint32_t> adjacent;

    std::size_t nodes() const { return start.size() - 1; }
    std::span<const std::uint32_t> successors(std::size_t node) const {
        return std::span(adjacent).subspan(start[node], start[node + 1] - start[node]);
    }
    // Appends a node; returns its number.
    std::uint32_t add_node(std::span<const std::uint32_t> successors);
};

// Lists of node or equation numbers, component after component, each list ascending.
struct Components {
    std::vector<std::uint32_t> start{0};
    std::vector<std::uint32_t> members;

    std::size_t size() const { return start.size() - 1; }
    std::span<const std::uint32_t> operator[](std::size_t component) const {
        return std::span(members).subspan(start[component], start[component + 1] - start[component]);
    }
};

// Every equation must be matched. Variables that no equation is matched with count as known.
Components strong_components(const Bipartite& graph, const Matching& matching);

// The same for any digraph whose edges go from a node to what it needs.
Components strong_components(const Digraph& graph);

// True when the component has a cycle: more than one node, or an edge from a node to itself.
bool is_cyclic(const Digraph& graph, std::span<const std::uint32_t> component);

// A shortest cycle through the first node of a cyclic component: each node has an edge to the next, the last
// one to the first. For messages: "a needs b needs c needs a".
std::vector<std::uint32_t> cycle_in(const Digraph& graph, std::span<const std::uint32_t> component);

}  // namespace cutset::graph

// The graph of overconstrained connectors: nodes are records with redundant variables (the orientation of a
// frame). Branches are edges that components make; connections are edges that may be broken. A spanning tree
// of all is kept, each tree with one root; branches are always in it.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/disjoint_sets.h"
#include "ir/flat_model.h"
#include "objects/instance_tree.h"

namespace cutset::objects {

struct GraphEdge {
    ComponentInstance* a = nullptr;
    ComponentInstance* b = nullptr;
    bool a_outside = false, b_outside = false;
    Origin origin;
};

class ConnectionGraph {
  public:
    void add_branch(ComponentInstance& a, ComponentInstance& b);
    void add_connection(GraphEdge edge);
    void add_root(ComponentInstance& a);
    void add_potential_root(ComponentInstance& a, std::int64_t priority);

    // Chooses roots, without a candidate any node, and breaks connections. The result is in the order in
    // which edges were added.
    void settle();
    const std::vector<GraphEdge>& kept() const { return kept_; }
    const std::vector<GraphEdge>& broken() const { return broken_; }
    bool is_root(const ComponentInstance& a) const;
    // In the branch that it is an end of: whether it is nearer to the root than the other end.
    bool is_rooted(const ComponentInstance& a) const;

  private:
    struct Node {
        ComponentInstance* component = nullptr;
        bool root = false, chosen = false;
        bool potential = false;
        std::int64_t priority = 0;
        std::uint32_t depth = 0;
        std::vector<std::uint32_t> near;       // in the spanning tree
        std::vector<std::uint32_t> branch_to;  // other ends of its branches
    };
    std::uint32_t node(ComponentInstance& a);

    std::vector<Node> nodes_;
    DisjointSets trees_;  // of nodes that branches and kept connections join
    std::unordered_map<const ComponentInstance*, std::uint32_t> numbers_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> branches_;
    std::vector<GraphEdge> connections_, kept_, broken_;
};

}  // namespace cutset::objects

#include "objects/connection_graph.h"

#include <algorithm>
#include <deque>
#include <map>

namespace cutset::objects {

std::uint32_t ConnectionGraph::node(ComponentInstance& a) {
    const auto [it, added] = numbers_.emplace(&a, static_cast<std::uint32_t>(nodes_.size()));
    if (added) {
        nodes_.emplace_back();
        nodes_.back().component = &a;
        trees_.add();
    }
    return it->second;
}

void ConnectionGraph::add_branch(ComponentInstance& a, ComponentInstance& b) {
    const std::uint32_t x = node(a), y = node(b);
    branches_.emplace_back(x, y);
    nodes_[x].branch_to.push_back(y);
    nodes_[y].branch_to.push_back(x);
}

void ConnectionGraph::add_connection(GraphEdge edge) {
    node(*edge.a);
    node(*edge.b);
    connections_.push_back(edge);
}

void ConnectionGraph::add_root(ComponentInstance& a) {
    nodes_[node(a)].root = true;
}

void ConnectionGraph::add_potential_root(ComponentInstance& a, std::int64_t priority) {
    Node& n = nodes_[node(a)];
    n.potential = true;
    n.priority = priority;
}

void ConnectionGraph::settle() {
    // Roots stand in different trees in the end: for the choice of what to break they are one node.
    std::optional<std::uint32_t> first_root;
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
        if (!nodes_[n].root) continue;
        nodes_[n].chosen = true;
        if (first_root) trees_.join_to_least(*first_root, n);
        first_root = first_root.value_or(n);
    }
    const auto link = [&](std::uint32_t a, std::uint32_t b) {
        nodes_[a].near.push_back(b);
        nodes_[b].near.push_back(a);
    };
    for (const auto& [a, b] : branches_) {
        trees_.join_to_least(a, b);
        link(a, b);
    }
    for (const GraphEdge& e : connections_) {
        const std::uint32_t a = numbers_.at(e.a), b = numbers_.at(e.b);
        const bool tree = trees_.join_to_least(a, b);
        if (tree) link(a, b);
        (tree ? kept_ : broken_).push_back(e);
    }
    std::map<std::uint32_t, std::uint32_t> best;  // by tree
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
        const std::uint32_t tree = trees_.root(n);
        const auto better = [&](std::uint32_t other) {
            const Node &x = nodes_[n], &y = nodes_[other];
            if (x.chosen != y.chosen) return x.chosen;
            if (x.potential != y.potential) return x.potential;
            return x.potential && x.priority < y.priority;
        };
        const auto it = best.find(tree);
        if (it == best.end())
            best.emplace(tree, n);
        else if (better(it->second))
            it->second = n;
    }
    std::deque<std::uint32_t> open;
    std::vector<bool> seen(nodes_.size());
    for (const auto& [tree, n] : best) nodes_[n].chosen = true;
    for (std::uint32_t n = 0; n < nodes_.size(); ++n)
        if (nodes_[n].chosen) {
            open.push_back(n);
            seen[n] = true;
        }
    while (!open.empty()) {
        const std::uint32_t n = open.front();
        open.pop_front();
        for (const std::uint32_t m : nodes_[n].near) {
            if (seen[m]) continue;
            seen[m] = true;
            nodes_[m].depth = nodes_[n].depth + 1;
            open.push_back(m);
        }
    }
}

bool ConnectionGraph::is_root(const ComponentInstance& a) const {
    const auto it = numbers_.find(&a);
    return it != numbers_.end() && nodes_[it->second].chosen;
}

bool ConnectionGraph::is_rooted(const ComponentInstance& a) const {
    const auto it = numbers_.find(&a);
    if (it == numbers_.end()) return false;
    const Node& n = nodes_[it->second];
    return std::all_of(n.branch_to.begin(), n.branch_to.end(),
                       [&](std::uint32_t other) { return n.depth <= nodes_[other].depth; });
}

}  // namespace cutset::objects

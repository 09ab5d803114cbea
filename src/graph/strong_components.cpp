#include "graph/strong_components.h"

#include <algorithm>
#include <limits>

#include "base/diagnostic.h"

namespace cutset::graph {

std::uint32_t Digraph::add_node(std::span<const std::uint32_t> successors) {
    adjacent.insert(adjacent.end(), successors.begin(), successors.end());
    start.push_back(static_cast<std::uint32_t>(adjacent.size()));
    return static_cast<std::uint32_t>(nodes() - 1);
}

namespace {

constexpr std::uint32_t no_node = std::numeric_limits<std::uint32_t>::max();

// `target(edge)` is the node that an edge leads to, or `no_node`.
template <class Target>
Components tarjan(const std::vector<std::uint32_t>& start, Target target) {
    const std::size_t n = start.size() - 1;
    Components result;
    result.members.reserve(n);
    // order: number of the visit; low: the lowest order on the stack that the node is known to reach.
    std::vector<std::uint32_t> order(n, no_node), low(n, 0), next(n, 0);
    std::vector<char> open(n, 0);
    std::vector<std::uint32_t> stack, path;
    std::uint32_t visits = 0;
    const auto visit = [&](std::uint32_t node) {
        order[node] = low[node] = visits++;
        next[node] = start[node];
        open[node] = 1;
        stack.push_back(node);
        path.push_back(node);
    };
    for (std::uint32_t root = 0; root < n; ++root) {
        if (order[root] != no_node) continue;
        visit(root);
        while (!path.empty()) {
            const std::uint32_t node = path.back();
            if (next[node] < start[node + 1]) {
                const std::uint32_t to = target(next[node]++);
                if (to == no_node) continue;
                if (order[to] == no_node)
                    visit(to);
                else if (open[to])
                    low[node] = std::min(low[node], order[to]);
                continue;
            }
            path.pop_back();
            if (!path.empty()) low[path.back()] = std::min(low[path.back()], low[node]);
            if (low[node] != order[node]) continue;
            const std::size_t begin = result.members.size();
            std::uint32_t member;
            do {
                member = stack.back();
                stack.pop_back();
                open[member] = 0;
                result.members.push_back(member);
            } while (member != node);
            std::sort(result.members.begin() + static_cast<std::ptrdiff_t>(begin), result.members.end());
            result.start.push_back(static_cast<std::uint32_t>(result.members.size()));
        }
    }
    return result;
}

}  // namespace

Components strong_components(const Bipartite& graph, const Matching& matching) {
    CUTSET_ASSERT(matching.size == graph.equations);
    static_assert(no_node == unmatched);
    return tarjan(graph.start,
                  [&](std::uint32_t edge) { return matching.equation_of_variable[graph.adjacent[edge]]; });
}

Components strong_components(const Digraph& graph) {
    return tarjan(graph.start, [&](std::uint32_t edge) { return graph.adjacent[edge]; });
}

bool is_cyclic(const Digraph& graph, std::span<const std::uint32_t> component) {
    if (component.size() != 1) return component.size() > 1;
    const auto successors = graph.successors(component[0]);
    return std::find(successors.begin(), successors.end(), component[0]) != successors.end();
}

std::vector<std::uint32_t> cycle_in(const Digraph& graph, std::span<const std::uint32_t> component) {
    CUTSET_ASSERT(is_cyclic(graph, component));
    const auto position = [&](std::uint32_t node) -> std::size_t {
        const auto at = std::lower_bound(component.begin(), component.end(), node);
        return at != component.end() && *at == node ? static_cast<std::size_t>(at - component.begin())
                                                    : no_node;
    };
    // Breadth first from the first node until an edge leads back to it.
    std::vector<std::uint32_t> came_from(component.size(), no_node);
    std::vector<std::uint32_t> reached{0};
    for (std::size_t i = 0; i < reached.size(); ++i)
        for (std::uint32_t to : graph.successors(component[reached[i]])) {
            const std::size_t p = position(to);
            if (p == no_node) continue;
            if (p == 0) {
                std::vector<std::uint32_t> cycle;
                for (std::uint32_t at = reached[i]; at != no_node; at = came_from[at])
                    cycle.push_back(component[at]);
                std::reverse(cycle.begin(), cycle.end());
                return cycle;
            }
            if (came_from[p] != no_node) continue;
            came_from[p] = reached[i];
            reached.push_back(static_cast<std::uint32_t>(p));
        }
    CUTSET_ASSERT(false && "a strong component has a cycle through each of its nodes");
    return {};
}

}  // namespace cutset::graph

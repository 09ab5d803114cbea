#include "graph/influence.h"

#include <deque>

namespace cutset::graph {

std::vector<std::uint32_t> shortest_paths(const Digraph& graph, std::span<const std::uint8_t> lengths,
                                          std::span<const std::uint32_t> from) {
    std::vector<std::uint32_t> distance(graph.nodes(), not_reached);
    std::deque<std::pair<std::uint32_t, std::uint32_t>> open;  // node and its distance when put there
    for (std::uint32_t n : from)
        if (distance[n] == not_reached) {
            distance[n] = 0;
            open.emplace_back(n, 0);
        }
    while (!open.empty()) {
        const auto [node, d] = open.front();
        open.pop_front();
        if (d != distance[node]) continue;  // a shorter way was found meanwhile
        for (std::uint32_t e = graph.start[node]; e < graph.start[node + 1]; ++e) {
            const std::uint32_t next = graph.adjacent[e], reach = d + lengths[e];
            if (reach >= distance[next]) continue;
            distance[next] = reach;
            if (lengths[e])
                open.emplace_back(next, reach);
            else
                open.emplace_front(next, reach);
        }
    }
    return distance;
}

std::vector<bool> reached_from(const Digraph& graph, std::span<const std::uint32_t> from) {
    std::vector<bool> reached(graph.nodes());
    std::vector<std::uint32_t> open;
    const auto meet = [&](std::uint32_t n) {
        if (reached[n]) return;
        reached[n] = true;
        open.push_back(n);
    };
    for (std::uint32_t n : from) meet(n);
    while (!open.empty()) {
        const std::uint32_t n = open.back();
        open.pop_back();
        for (std::uint32_t next : graph.successors(n)) meet(next);
    }
    return reached;
}

Digraph reversed(const Digraph& graph, std::vector<std::uint32_t>* edge_of) {
    Digraph result;
    result.start.assign(graph.nodes() + 1, 0);
    for (std::uint32_t to : graph.adjacent) ++result.start[to + 1];
    for (std::size_t n = 0; n < graph.nodes(); ++n) result.start[n + 1] += result.start[n];
    result.adjacent.resize(graph.adjacent.size());
    if (edge_of) edge_of->resize(graph.adjacent.size());
    std::vector<std::uint32_t> next(result.start.begin(), result.start.end() - 1);
    for (std::uint32_t n = 0; n < graph.nodes(); ++n)
        for (std::uint32_t e = graph.start[n]; e < graph.start[n + 1]; ++e) {
            const std::uint32_t at = next[graph.adjacent[e]]++;
            result.adjacent[at] = n;
            if (edge_of) (*edge_of)[at] = e;
        }
    return result;
}

std::vector<std::uint32_t> component_of(const Components& components, std::size_t nodes) {
    std::vector<std::uint32_t> result(nodes);
    for (std::uint32_t c = 0; c < components.size(); ++c)
        for (std::uint32_t n : components[c]) result[n] = c;
    return result;
}

}  // namespace cutset::graph

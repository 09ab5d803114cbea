#include "graph/bipartite.h"

#include <limits>
#include <utility>

#include "base/diagnostic.h"

namespace cutset::graph {

Bipartite Bipartite::transpose() const {
    Bipartite result;
    result.equations = variables;
    result.variables = equations;
    result.start.assign(variables + 1, 0);
    for (std::uint32_t v : adjacent) ++result.start[v + 1];
    for (std::size_t v = 0; v < variables; ++v) result.start[v + 1] += result.start[v];
    result.adjacent.resize(adjacent.size());
    std::vector<std::uint32_t> next(result.start.begin(), result.start.end() - 1);
    for (std::size_t e = 0; e < equations; ++e)
        for (std::uint32_t v : row(e)) result.adjacent[next[v]++] = static_cast<std::uint32_t>(e);
    return result;
}

BipartiteBuilder::BipartiteBuilder(std::size_t variables) : last_seen_(variables, 0) {
    graph_.variables = variables;
}

std::uint32_t BipartiteBuilder::add_equation(std::span<const std::uint32_t> variables) {
    const auto equation = static_cast<std::uint32_t>(graph_.equations++);
    for (std::uint32_t v : variables) {
        CUTSET_ASSERT(v < graph_.variables);
        if (last_seen_[v] == equation + 1) continue;
        last_seen_[v] = equation + 1;
        graph_.adjacent.push_back(v);
    }
    CUTSET_ASSERT(graph_.adjacent.size() < std::numeric_limits<std::uint32_t>::max());
    graph_.start.push_back(static_cast<std::uint32_t>(graph_.adjacent.size()));
    return equation;
}

Bipartite BipartiteBuilder::finish() && {
    return std::move(graph_);
}

}  // namespace cutset::graph

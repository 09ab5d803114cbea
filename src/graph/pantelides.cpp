#include "graph/pantelides.h"

#include <algorithm>

#include "graph/dulmage_mendelsohn.h"

namespace cutset::graph {

namespace {

// The last derivative of each equation against the highest derivative of each variable.
Bipartite highest_incidence(const DerivativeStructure& system, const Differentiations& so_far) {
    std::vector<std::uint32_t> column(system.counts.size(), unmatched);
    std::uint32_t columns = 0;
    for (std::size_t v = 0; v < column.size(); ++v)
        if (system.counts[v]) column[v] = columns++;
    BipartiteBuilder builder(columns);
    std::vector<std::uint32_t> own;
    for (std::size_t e = 0; e < system.equations.size(); ++e) {
        own.clear();
        for (const Occurrence& o : system.equations[e])
            if (system.counts[o.variable] && o.order + so_far.equation[e] == so_far.variable[o.variable])
                own.push_back(column[o.variable]);
        builder.add_equation(own);
    }
    return std::move(builder).finish();
}

}  // namespace

Differentiations pantelides(const DerivativeStructure& system, std::size_t most_rounds) {
    Differentiations result;
    result.equation.assign(system.equations.size(), 0);
    result.variable = system.highest;
    while (true) {
        const Bipartite incidence = highest_incidence(system, result);
        const Matching matching = maximum_matching(incidence);
        result.complete = matching.is_perfect();
        if (matching.size == system.equations.size() || result.rounds.size() == most_rounds) return result;
        const CoarseDecomposition parts = dulmage_mendelsohn(incidence, matching);
        auto& round = result.rounds.emplace_back();
        for (std::uint32_t e = 0; e < system.equations.size(); ++e) {
            if (parts.part_of_equation[e] != Part::Over) continue;
            round.push_back(e);
            ++result.equation[e];
            for (const Occurrence& o : system.equations[e])
                result.variable[o.variable] =
                    std::max(result.variable[o.variable], o.order + result.equation[e]);
        }
    }
}

}  // namespace cutset::graph

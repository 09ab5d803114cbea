#include "transform/structural_index.h"

#include <algorithm>

namespace cutset::passes {

std::optional<std::uint32_t> structural_index(
    Analysis& a,
    const std::function<std::optional<std::vector<graph::Occurrence>>(EquationIndex)>& combined) {
    constexpr std::size_t most_rounds = 60;
    std::vector<bool> removed(a.written.size());
    for (EquationIndex e : a.partition.dependent_removed) removed[e.value] = true;
    graph::DerivativeStructure structure;
    structure.highest.assign(a.model().variables.size(), 0);
    structure.counts.assign(a.model().variables.size(), false);
    for (EquationIndex e(0); e.value < a.partition.flat_equations; ++e.value) {
        if (removed[e.value]) continue;
        std::vector<graph::Occurrence> found;
        if (auto own = combined(e)) {
            found = std::move(*own);
        } else {
            const Equation& written = a.written[e.value];
            const bool boolean = written.left->boolean;
            const auto leaves = boolean ? a.leaves({written.left, written.right})
                                        : a.leaves({a.pool().subtract(written.left, written.right)});
            for (Expr leaf : leaves)
                if (a.continuous_variable[leaf->index]) found.push_back({leaf->index, leaf->order});
        }
        for (const graph::Occurrence& o : found) {
            structure.counts[o.variable] = true;
            structure.highest[o.variable] = std::max(structure.highest[o.variable], o.order);
        }
        structure.equations.push_back(std::move(found));
    }
    const graph::Differentiations plan = graph::pantelides(structure, most_rounds);
    if (!plan.complete) return std::nullopt;
    std::uint32_t index = 0;
    bool algebraic = false;
    for (std::uint32_t times : plan.equation) index = std::max(index, times);
    for (std::size_t v = 0; v < structure.counts.size(); ++v)
        algebraic = algebraic || (structure.counts[v] && plan.variable[v] == 0);
    return index + (algebraic ? 1 : 0);
}

}  // namespace cutset::passes

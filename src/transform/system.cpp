#include "transform/system.h"

#include "transform/analysis.h"

namespace cutset::passes {

void add_column(System& system, Columns& columns, Expr leaf) {
    if (columns.of(leaf) != no_column) return;
    columns.set(leaf, std::uint32_t(system.columns.size()));
    system.columns.push_back(leaf);
}

Row make_row(Analysis& a, const Equation& e, EquationIndex index, bool from_initial) {
    return {e.left, e.right, e.left->boolean ? nullptr : a.pool().subtract(e.left, e.right), index,
            from_initial};
}

graph::Bipartite incidence(Analysis& a, const System& system, const Columns& columns) {
    graph::BipartiteBuilder builder(system.columns.size());
    std::vector<std::uint32_t> row_columns;
    for (const Row& row : system.rows) {
        row_columns.clear();
        const auto leaves = row.residual ? a.leaves({row.residual}) : a.leaves({row.left, row.right});
        for (Expr leaf : leaves)
            if (const std::uint32_t c = columns.of(leaf); c != no_column) row_columns.push_back(c);
        builder.add_equation(row_columns);
    }
    return std::move(builder).finish();
}

}  // namespace cutset::passes

#include "run/infinite_slope.h"

#include <algorithm>
#include <cmath>

#include "transform/parametric_value.h"

namespace cutset {

std::optional<InfiniteSlope> find_infinite_slope(
    const FlatModel& model, double time, const std::function<std::optional<double>(VariableIndex)>& value) {
    // Steep slopes that change by half when the variable moves by rounding have no value.
    constexpr double rounding = 1e-12;
    Pool& pool = *model.pool;
    std::optional<VariableIndex> moved;
    double shift = 0;
    const auto known = [&](Expr leaf) -> std::optional<double> {
        if (leaf->op == Op::Time) return time;
        if (leaf->op != Op::Variable && leaf->op != Op::Previous) return std::nullopt;
        if (leaf->op == Op::Variable && leaf->order > 0) return std::nullopt;
        const auto v = value(leaf->variable());
        return v && leaf->op == Op::Variable && moved == leaf->variable() ? std::optional(*v + shift) : v;
    };
    Environment environment;
    environment.leaf = known;
    environment.apply = [&](Expr call, std::span<const double> arguments) {
        return table_call_value(model, call, arguments);
    };
    for (EquationIndex e(0); e < model.equations.end_index(); ++e.value) {
        const Expr terms[2] = {model.equations[e].left, pool.negate(model.equations[e].right)};
        const Expr residual = pool.add(terms);
        std::vector<Expr> leaves;
        for_each_leaf(residual, [&](Expr leaf) {
            if (leaf->op == Op::Variable && leaf->order == 0 &&
                model.variables[leaf->variable()].variability == Variability::Continuous &&
                std::find(leaves.begin(), leaves.end(), leaf) == leaves.end())
                leaves.push_back(leaf);
        });
        for (Expr leaf : leaves) {
            const Expr slope = differentiate(pool, residual, leaf);
            if (slope->is_number()) continue;
            bool complete = true;
            for_each_leaf(slope, [&](Expr l) {
                if (l->op == Op::Variable || l->op == Op::Previous)
                    complete = complete && known(l).has_value();
            });
            const auto at = value(leaf->variable());
            if (!complete || !at || !std::isfinite(*at)) continue;
            const auto here = evaluate(slope, environment);
            const InfiniteSlope found{e, leaf->variable(), *at};
            if (!here || !std::isfinite(*here)) {
                // Without a value also a little aside, it is something else that has none.
                for (double side : {1.0, -1.0}) {
                    moved = leaf->variable();
                    shift = side * 1e-6 * std::max(1.0, std::fabs(*at));
                    const auto aside = evaluate(slope, environment);
                    moved.reset();
                    if (aside && std::isfinite(*aside)) return found;
                }
                continue;
            }
            if (std::fabs(*here) < steep_slope) continue;
            for (double side : {1.0, -1.0}) {
                moved = leaf->variable();
                shift = side * rounding * std::max(1.0, std::fabs(*at));
                const auto aside = evaluate(slope, environment);
                moved.reset();
                if (aside && std::fabs(*aside) < 0.5 * std::fabs(*here)) return found;
            }
        }
    }
    return std::nullopt;
}

}  // namespace cutset

#include "transform/table_pieces.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace cutset::passes {

namespace {

double slope_of(const TableData& table, std::size_t i) {
    return (table.values[i + 1] - table.values[i]) / (table.x[i + 1] - table.x[i]);
}

// Just beyond the point, or before all.
double slope_behind(const TableData& table, double x) {
    const auto after = std::upper_bound(table.x.begin(), table.x.end(), x);
    const bool held = table.outside == Outside::Hold;
    if (after == table.x.begin()) return held ? 0 : slope_of(table, 0);
    if (after == table.x.end()) return held ? 0 : slope_of(table, table.x.size() - 2);
    return slope_of(table, static_cast<std::size_t>(after - table.x.begin()) - 1);
}

// Whether the argument is linear in time, so that its bends are known instants.
bool is_timed(Analysis& a, Expr argument) {
    for (Expr leaf : a.leaves({argument}))
        if (a.variation_of(leaf) == Variation::Varying) return false;
    return as_linear(a.pool(), argument, a.pool().time()).has_value();
}

// The slope of the table that `call`, a first derivative, asks for; null where it stays a call.
Expr slope_by_piece(Analysis& a, Expr call, const Origin& origin) {
    const auto* table = std::get_if<TableData>(&a.model().callees[call->callee()]);
    const Expr argument = call->arg(0);
    if (!table || call->derivatives != 1 || table->interpolation != Interpolation::Linear ||
        !table->y.empty() || table->x.size() < 2 || table->x.size() > most_bending_points ||
        argument->op == Op::Time || a.variation_of(argument) != Variation::Varying)
        return nullptr;
    Pool& pool = a.pool();
    const std::vector<double> points = bends_of(*table);
    std::vector<double> slopes{slope_behind(*table, -std::numeric_limits<double>::infinity())};
    for (double x : points) slopes.push_back(slope_behind(*table, x));
    if (points.size() <= most_single_bends || is_timed(a, argument)) {
        std::vector<Expr> parts;
        for (std::size_t i = 0; i < points.size(); ++i) {
            parts.push_back(pool.less(argument, pool.number(points[i])));
            parts.push_back(pool.number(slopes[i]));
        }
        parts.push_back(pool.number(slopes.back()));
        return parts.size() == 1 ? parts[0] : pool.choose(parts);
    }
    TableData by_number;
    by_number.name = table->name + "_slope";
    by_number.origin = origin;
    for (std::size_t i = 0; i < slopes.size(); ++i) by_number.x.push_back(static_cast<double>(i));
    by_number.values = std::move(slopes);
    const Expr number = piece_number(a, argument, points, origin);
    return pool.apply(a.model().callees.add(std::move(by_number)), 0, {&number, 1});
}

}  // namespace

std::vector<double> bends_of(const TableData& table) {
    const std::vector<double>& x = table.x;
    std::vector<double> points;
    if (x.size() < 2) return points;
    const bool held = table.outside == Outside::Hold;
    double steepest = 0;
    for (std::size_t i = 0; i + 1 < x.size(); ++i)
        steepest = std::max(steepest, std::abs(slope_of(table, i)));
    for (std::size_t i = 0; i < x.size(); ++i) {
        const bool first = i == 0, last = i + 1 == x.size();
        if ((first || last) && !held) continue;
        const double before = first ? 0 : slope_of(table, i - 1), after = last ? 0 : slope_of(table, i);
        const double least = x.size() > most_bending_points
                                 ? 0.05 * steepest
                                 : 1e-12 * std::max(std::abs(before), std::abs(after));
        if (std::abs(after - before) > least) points.push_back(x[i]);
    }
    return points;
}

Expr piece_number(Analysis& a, Expr argument, const std::vector<double>& points, const Origin& origin) {
    TableData position;
    position.origin = origin;
    const double beyond = points.back() - points.front();
    position.x = {points.front() - beyond};
    position.x.insert(position.x.end(), points.begin(), points.end());
    position.x.push_back(points.back() + beyond);
    for (std::size_t i = 0; i < position.x.size(); ++i) position.values.push_back(static_cast<double>(i));
    position.values.front() = 0.5;
    position.values.back() -= 0.5;
    const Expr at = a.pool().apply(a.model().callees.add(std::move(position)), 0, {&argument, 1});
    return a.pool().call(Op::Truncate, at);
}

Expr with_slopes_by_piece(Analysis& a, Expr e, const Origin& origin) {
    std::vector<Expr> calls;
    for_each_node(e, [&](Expr n) {
        if (n->op == Op::Apply && n->derivatives == 1) calls.push_back(n);
    });
    Substitution put(a.pool());
    bool any = false;
    for (Expr call : calls)
        if (const Expr slope = slope_by_piece(a, call, origin)) {
            put.replace(call, slope);
            any = true;
        }
    return any ? put(e) : e;
}

}  // namespace cutset::passes

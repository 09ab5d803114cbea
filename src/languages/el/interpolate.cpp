// Interpolation in tables: straight lines, and natural cubic splines. Outside of its table a function holds
// the outermost values.
#include <algorithm>
#include <array>

#include "ir/object_build.h"
#include "languages/el/body.h"
#include "languages/el/messages.h"

namespace cutset::el {

using namespace object::build;

using object::ExpressionKind;
using object::Operator;

namespace {

// Most pieces of one interpolation: each is one IF inside another.
constexpr std::size_t piece_limit = 150;
constexpr std::size_t piece_limit_of_planes = 2000;

using Numbers = std::vector<double>;

std::optional<Numbers> numbers(const Constant& c) {
    const auto* list = std::get_if<List>(&c.value);
    if (!list) return std::nullopt;
    Numbers out;
    for (const Constant& item : list->items) {
        const auto n = number(item);
        if (!n) return std::nullopt;
        out.push_back(*n);
    }
    return out;
}

bool rises(const Numbers& x) {
    for (std::size_t i = 1; i < x.size(); ++i)
        if (!(x[i] > x[i - 1])) return false;
    return x.size() >= 2;
}

// A table of one, two or three dimensions: breakpoints of each, then the values.
struct Table {
    std::vector<Numbers> breakpoints;
    Constant values;
};

std::optional<Table> table_of(const Constant& c, std::size_t dimensions) {
    const auto* parts = std::get_if<List>(&c.value);
    if (!parts || parts->items.size() != dimensions + 1) return std::nullopt;
    Table out;
    std::size_t pieces = 1;
    for (std::size_t d = 0; d < dimensions; ++d) {
        const auto x = numbers(parts->items[d]);
        if (!x || !rises(*x) || x->size() > piece_limit) return std::nullopt;
        pieces *= x->size();
        out.breakpoints.push_back(*x);
    }
    if (pieces > piece_limit_of_planes) return std::nullopt;
    out.values = parts->items.back();
    return out;
}

// value(i) between the breakpoints i and i + 1, the outermost ones outside.
template <class Piece>
Expression in_pieces(const Numbers& x, const Expression& at, Expression first, Expression last, Span where,
                     Piece piece) {
    Expression out;
    out.kind = ExpressionKind::If;
    out.where = where;
    out.arguments = {operation(Operator::LessEqual, at, real(x.front(), where)), std::move(first)};
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
        out.arguments.push_back(operation(Operator::Less, at, real(x[i + 1], where)));
        out.arguments.push_back(piece(i, operation(Operator::Subtract, at, real(x[i], where))));
    }
    out.arguments.push_back(std::move(last));
    return out;
}

Expression straight_lines(const Numbers& x, const std::vector<Expression>& y, const Expression& at,
                          Span where) {
    return in_pieces(x, at, y.front(), y.back(), where, [&](std::size_t i, Expression from_left) {
        Expression slope = operation(Operator::Divide, operation(Operator::Subtract, y[i + 1], y[i]),
                                     real(x[i + 1] - x[i], where));
        return operation(Operator::Add, y[i],
                         operation(Operator::Multiply, std::move(slope), std::move(from_left)));
    });
}

// Lines along the first dimension between what the others give.
std::optional<Expression> linear(const Table& table, std::size_t d, const Constant& values,
                                 const std::vector<Expression>& at, Span where) {
    if (d == table.breakpoints.size()) {
        if (!number(values)) return std::nullopt;
        return to_expression(values, where);
    }
    const auto* list = std::get_if<List>(&values.value);
    if (!list || list->items.size() != table.breakpoints[d].size()) return std::nullopt;
    std::vector<Expression> y;
    for (const Constant& inner : list->items) {
        auto value = linear(table, d + 1, inner, at, where);
        if (!value) return std::nullopt;
        y.push_back(std::move(*value));
    }
    return straight_lines(table.breakpoints[d], y, at[d], where);
}

// The natural cubic spline through the points: for each interval a + b t + c t² + d t³, with t from its left
// end. Its second derivatives solve a tridiagonal system.
std::vector<std::array<double, 4>> spline(const Numbers& x, const Numbers& y) {
    const std::size_t n = x.size();
    Numbers second(n, 0.0), above(n, 0.0), right(n, 0.0);
    for (std::size_t i = 1; i + 1 < n; ++i) {
        const double left_width = x[i] - x[i - 1], width = x[i + 1] - x[i];
        const double pivot = 2 * (left_width + width) - left_width * above[i - 1];
        above[i] = width / pivot;
        right[i] =
            (6 * ((y[i + 1] - y[i]) / width - (y[i] - y[i - 1]) / left_width) - left_width * right[i - 1]) /
            pivot;
    }
    for (std::size_t i = n - 1; i-- > 1;) second[i] = right[i] - above[i] * second[i + 1];
    std::vector<std::array<double, 4>> out;
    for (std::size_t i = 0; i + 1 < n; ++i) {
        const double width = x[i + 1] - x[i];
        out.push_back({y[i], (y[i + 1] - y[i]) / width - width * (2 * second[i] + second[i + 1]) / 6,
                       second[i] / 2, (second[i + 1] - second[i]) / (6 * width)});
    }
    return out;
}

Expression spline_through(const Numbers& x, const Numbers& y, const Expression& at, Span where) {
    const auto pieces = spline(x, y);
    return in_pieces(x, at, real(y.front(), where), real(y.back(), where), where,
                     [&](std::size_t i, const Expression& t) {
                         Expression value = real(pieces[i][3], where);
                         for (std::size_t k = 3; k-- > 0;)
                             value = operation(Operator::Add, real(pieces[i][k], where),
                                               operation(Operator::Multiply, t, std::move(value)));
                         return value;
                     });
}

// Σ φᵢ(x) sᵢ(y): φᵢ is the spline that is 1 at breakpoint i and 0 at the others, sᵢ the spline along y there.
std::optional<Expression> spline_surface(const Table& table, const std::vector<Expression>& at, Span where) {
    const auto* rows = std::get_if<List>(&table.values.value);
    const Numbers &x = table.breakpoints[0], &y = table.breakpoints[1];
    if (!rows || rows->items.size() != x.size()) return std::nullopt;
    std::vector<Expression> terms;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const auto row = numbers(rows->items[i]);
        if (!row || row->size() != y.size()) return std::nullopt;
        Numbers unit(x.size(), 0.0);
        unit[i] = 1;
        terms.push_back(operation(Operator::Multiply, spline_through(x, unit, at[0], where),
                                  spline_through(y, *row, at[1], where)));
    }
    return balanced(Operator::Add, std::move(terms));
}

}  // namespace

// linearInterp1D(table, x) … linearInterp3D(table, x, y, z), splineInterp1D(table, x), splineInterp2D(table,
// x, y)
Expression Body::interpolate(const Expression& e, int dimensions, bool smooth) {
    const auto written = known(e.arguments[0]);
    const auto table = written ? table_of(*written, static_cast<std::size_t>(dimensions)) : std::nullopt;
    std::vector<Expression> at;
    for (std::size_t i = 1; i < e.arguments.size(); ++i) at.push_back(translate(e.arguments[i]));
    std::optional<Expression> out;
    if (table && !smooth) out = linear(*table, 0, table->values, at, e.where);
    if (table && smooth && dimensions == 2) out = spline_surface(*table, at, e.where);
    if (table && smooth && dimensions == 1)
        if (const auto y = numbers(table->values); y && y->size() == table->breakpoints[0].size())
            out = spline_through(table->breakpoints[0], *y, at[0], e.where);
    if (out) return *out;
    diagnostics_.report(not_a_table(e.arguments[0].where, dimensions, piece_limit));
    return real(0, e.where);
}

}  // namespace cutset::el

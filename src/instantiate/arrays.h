// Arithmetic on scalars, vectors and matrices of expressions. A result that failed has no elements and was
// reported.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "instantiate/context.h"

namespace cutset {

inline constexpr std::uint32_t no_enumeration = 0xFFFFFFFFu;

struct Value {
    std::vector<std::uint32_t> dimensions;  // empty: a scalar
    Expr scalar = nullptr;
    std::vector<Expr> elements;
    std::uint32_t enumeration = no_enumeration;  // in FlatModel::enumerations, for values of one

    Value() = default;
    Value(Expr e) : scalar(e) {}
    bool failed() const { return dimensions.empty() && !scalar; }
    bool is_scalar() const { return dimensions.empty(); }
    bool is_condition() const { return scalar ? scalar->boolean : !elements.empty() && elements[0]->boolean; }
    std::size_t size() const { return is_scalar() ? 1 : elements.size(); }
    Expr operator[](std::size_t i) const { return is_scalar() ? scalar : elements[i]; }
};

// f applied to each element.
template <class F>
Value each(const Value& a, F&& f) {
    if (a.failed()) return {};
    if (a.is_scalar()) return Value(f(a.scalar));
    Value r;
    r.dimensions = a.dimensions;
    r.elements.reserve(a.elements.size());
    for (Expr e : a.elements) r.elements.push_back(f(e));
    return r;
}

// Products with at least one array: number times array, row by column. Nothing when the sizes do not fit.
std::optional<Value> array_product(Pool& pool, const Value& a, const Value& b);

// The elements that indices choose, by their numbers from 0 in the order of the text; fewer indices than
// dimensions choose all of the others. A range keeps its dimension, a single index loses it.
struct IndexRange {
    std::uint32_t first = 1, last = 1;
    bool single = true;
};
struct Selection {
    std::vector<std::size_t> elements;
    std::vector<std::uint32_t> dimensions;
    bool is_consecutive() const;
};
Selection select_elements(const std::vector<std::uint32_t>& dimensions,
                          const std::vector<IndexRange>& ranges);
Value array_part(const Value& a, const std::vector<IndexRange>& ranges);

// Sizes that fit: equal ones, and a column [1; 2] where a vector is wanted or the other way round.
bool fits(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b);

// Of matrices whose sizes fit; `inverse` and `determinant` by minors, for sizes up to `largest_inverse`.
inline constexpr std::uint32_t largest_inverse = 6;
Value transposed(const Value& a);
Value cross_product(Pool& pool, const Value& a, const Value& b);
Expr determinant(Pool& pool, const Value& a);
Value inverse(Pool& pool, const Value& a);

}  // namespace cutset

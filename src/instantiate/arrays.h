// Arithmetic on scalars, vectors and matrices of expressions. A result that failed has no elements and was
// reported.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "instantiate/context.h"

namespace cutset {

struct Value {
    std::vector<std::uint32_t> dimensions;  // empty: a scalar
    Expr scalar = nullptr;
    std::vector<Expr> elements;

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

// Elements [indices] of an array, given from 1; fewer indices than dimensions give a part of it.
Value array_part(const Value& a, const std::vector<std::uint32_t>& indices);

}  // namespace cutset

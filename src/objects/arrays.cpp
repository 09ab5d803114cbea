#include "objects/arrays.h"

#include <algorithm>

#include "flat/shape_text.h"
#include "objects/value_messages.h"
#include "objects/value_operators.h"

namespace cutset::objects {

namespace {

Type type_of_all(const std::vector<Value>& parts, Span where) {
    Type type = parts[0].type;
    for (const Value& p : parts) {
        if (p.size() == 0) {  // {} takes any type
            if (is_numeric(p.type)) continue;
        }
        if (type.basic != p.type.basic && count(parts[0].dimensions) == 0 && is_numeric(type)) {
            type = p.type;
            continue;
        }
        type = common_type(
            type, p.type, [&] { return messages::element_types(where, type_text(type), type_text(p.type)); });
    }
    return type;
}

}  // namespace

Value array_of(Evaluator&, const std::vector<Value>& parts, Span where) {
    if (parts.empty()) return Value(type_of(Basic::Real), {0}, {});
    const Type type = type_of_all(parts, where);
    for (const Value& p : parts)
        if (p.dimensions != parts[0].dimensions)
            throw Refused{
                messages::element_sizes(where, shape_text(parts[0].dimensions), shape_text(p.dimensions))};
    Value r = stack(type, {static_cast<std::uint32_t>(parts.size())}, parts);
    r.type = type;
    return r;
}

Value promoted(Value a, std::size_t dimensions) {
    while (a.dimensions.size() < dimensions) a.dimensions.push_back(1);
    return a;
}

Value concatenated(Evaluator&, std::size_t dimension, const std::vector<Value>& parts, Span where) {
    const Value& first = parts[0];
    if (dimension < 1 || dimension > first.dimensions.size())
        throw Refused{messages::argument_of(where, "cat", "a dimension of its arrays")};
    const std::size_t d = dimension - 1;
    Value r;
    r.type = type_of_all(parts, where);
    r.dimensions = first.dimensions;
    r.dimensions[d] = 0;
    for (const Value& p : parts) {
        bool fits = p.dimensions.size() == first.dimensions.size();
        for (std::size_t k = 0; fits && k < p.dimensions.size(); ++k)
            fits = k == d || p.dimensions[k] == first.dimensions[k];
        if (!fits)
            throw Refused{
                messages::element_sizes(where, shape_text(first.dimensions), shape_text(p.dimensions))};
        r.dimensions[d] += p.dimensions[d];
    }
    const std::size_t blocks = count(
        Dimensions(first.dimensions.begin(), first.dimensions.begin() + static_cast<std::ptrdiff_t>(d)));
    for (std::size_t b = 0; b < blocks; ++b)
        for (const Value& p : parts) {
            const std::size_t n = p.size() / blocks;
            for (std::size_t k = 0; k < n; ++k) r.elements.emplace_back(p.elements[b * n + k]);
        }
    return r;
}

Value reduced(Evaluator& e, const std::string& reduction, const Value& a, std::size_t dimensions,
              Frame& frame, Span where) {
    const auto middle = a.dimensions.begin() + static_cast<std::ptrdiff_t>(dimensions);
    const Dimensions inner(middle, a.dimensions.end());
    const std::size_t each = count(inner), n = count(Dimensions(a.dimensions.begin(), middle));
    Value r(a.type, inner, {});
    Pool& pool = e.pool();
    const bool extreme = reduction == "min" || reduction == "max";
    if (extreme ? !a.has_exprs() : !is_numeric(a.type) && a.type.basic != Basic::Record)
        throw Refused{messages::argument_of(where, reduction, "numbers")};
    for (std::size_t k = 0; k < each; ++k) {
        if (a.type.basic == Basic::Record) {
            // By the operator of the record.
            const object::Operator op =
                reduction == "sum" ? object::Operator::Add : object::Operator::Multiply;
            std::optional<Value> all;
            for (std::size_t i = 0; i < n; ++i) {
                const Value one = element(a, i * each + k);
                all = all ? operate(e, op, *all, one, frame, where) : one;
            }
            if (!all)
                for (const auto& zero : frame.scope.operators(*a.type.record, "'0'"))
                    if (!all) all = e.call(zero, {}, {}, frame, where).at(0);
            if (!all) throw Refused{messages::argument_of(where, reduction, "at least one element")};
            r.elements.emplace_back(all->elements[0]);
            continue;
        }
        std::vector<Expr> all;
        for (std::size_t i = 0; i < n; ++i) all.push_back(e.number_of(a.expr(i * each + k)));
        Expr x = nullptr;
        if (reduction == "sum") {
            x = all.empty() ? pool.number(0) : pool.add(all);
        } else if (reduction == "product") {
            x = all.empty() ? pool.number(1) : pool.multiply(all);
        } else if (all.empty()) {
            // What is left out of consideration: the neutral element.
            x = pool.number(reduction == "min" ? 1e60 : -1e60);
        } else {
            const Op op = reduction == "min" ? Op::Min : Op::Max;
            x = all.size() == 1 ? all[0] : pool.call(op, all);
        }
        r.elements.emplace_back(a.type.basic == Basic::Boolean ? e.truth_of(x) : x);
    }
    return r;
}

Value filled(const Value& scalar, const Dimensions& dimensions) {
    Value r(scalar.type, dimensions, {});
    r.dimensions.insert(r.dimensions.end(), scalar.dimensions.begin(), scalar.dimensions.end());
    const std::size_t n = count(dimensions);
    for (std::size_t k = 0; k < n; ++k)
        r.elements.insert(r.elements.end(), scalar.elements.begin(), scalar.elements.end());
    return r;
}

Value transposed(const Value& a) {
    Value r(a.type, a.dimensions, {});
    std::swap(r.dimensions[0], r.dimensions[1]);
    const std::size_t rows = a.dimensions[0], columns = a.dimensions[1],
                      block = a.size() / std::max<std::size_t>(1, rows * columns);
    for (std::size_t j = 0; j < columns; ++j)
        for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t k = 0; k < block; ++k)
                r.elements.emplace_back(a.elements[(i * columns + j) * block + k]);
    return r;
}

}  // namespace cutset::objects

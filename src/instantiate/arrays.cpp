#include "instantiate/arrays.h"

namespace cutset {

std::optional<Value> array_product(Pool& pool, const Value& a, const Value& b) {
    if (a.is_scalar()) return each(b, [&](Expr e) { return pool.multiply(a.scalar, e); });
    if (b.is_scalar()) return each(a, [&](Expr e) { return pool.multiply(e, b.scalar); });
    if (a.dimensions.size() > 2 || b.dimensions.size() > 2) return std::nullopt;
    // (rows by inner) * (inner by columns); a vector is a row on the left and a column on the right
    const std::size_t rows = a.dimensions.size() == 2 ? a.dimensions[0] : 1;
    const std::size_t inner = a.dimensions.back();
    const std::size_t columns = b.dimensions.size() == 2 ? b.dimensions[1] : 1;
    if (b.dimensions[0] != inner) return std::nullopt;
    Value r;
    if (a.dimensions.size() == 2) r.dimensions.push_back(static_cast<std::uint32_t>(rows));
    if (b.dimensions.size() == 2) r.dimensions.push_back(static_cast<std::uint32_t>(columns));
    std::vector<Expr> terms(inner);
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j) {
            for (std::size_t k = 0; k < inner; ++k)
                terms[k] = pool.multiply(a.elements[i * inner + k], b.elements[k * columns + j]);
            r.elements.push_back(pool.add(terms));
        }
    if (r.dimensions.empty()) return Value(r.elements[0]);
    return r;
}

Value array_part(const Value& a, const std::vector<std::uint32_t>& indices) {
    std::size_t first = 0, count = 1;
    for (std::size_t k = 0; k < a.dimensions.size(); ++k) {
        if (k < indices.size())
            first = first * a.dimensions[k] + (indices[k] - 1);
        else {
            first *= a.dimensions[k];
            count *= a.dimensions[k];
        }
    }
    if (indices.size() == a.dimensions.size()) return Value(a.elements[first]);
    Value r;
    r.dimensions.assign(a.dimensions.begin() + static_cast<std::ptrdiff_t>(indices.size()),
                        a.dimensions.end());
    r.elements.assign(a.elements.begin() + static_cast<std::ptrdiff_t>(first),
                      a.elements.begin() + static_cast<std::ptrdiff_t>(first + count));
    return r;
}

}  // namespace cutset

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

bool Selection::is_consecutive() const {
    for (std::size_t k = 1; k < elements.size(); ++k)
        if (elements[k] != elements[k - 1] + 1) return false;
    return true;
}

Selection select_elements(const std::vector<std::uint32_t>& dimensions,
                          const std::vector<IndexRange>& ranges) {
    Selection r;
    r.elements = {0};
    for (std::size_t k = 0; k < dimensions.size(); ++k) {
        const IndexRange range = k < ranges.size() ? ranges[k] : IndexRange{1, dimensions[k], false};
        const std::size_t count = range.last + 1 - range.first;
        std::vector<std::size_t> next;
        next.reserve(r.elements.size() * count);
        for (std::size_t before : r.elements)
            for (std::size_t i = 0; i < count; ++i)
                next.push_back(before * dimensions[k] + range.first - 1 + i);
        r.elements = std::move(next);
        if (!range.single) r.dimensions.push_back(static_cast<std::uint32_t>(count));
    }
    return r;
}

Value array_part(const Value& a, const std::vector<IndexRange>& ranges) {
    Selection chosen = select_elements(a.dimensions, ranges);
    if (chosen.dimensions.empty()) return Value(a.elements[chosen.elements[0]]);
    Value r;
    r.dimensions = std::move(chosen.dimensions);
    r.elements.reserve(chosen.elements.size());
    for (std::size_t e : chosen.elements) r.elements.push_back(a.elements[e]);
    return r;
}

bool fits(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
    if (a.size() > b.size()) return fits(b, a);
    if (a == b) return true;
    return a.size() == 1 && b.size() == 2 && b[1] == 1 && a[0] == b[0];
}

Value transposed(const Value& a) {
    if (a.is_scalar()) return a;
    const std::uint32_t rows = a.dimensions[0], columns = a.dimensions.size() == 2 ? a.dimensions[1] : 1;
    Value r;
    r.dimensions = {columns, rows};
    r.elements.reserve(a.elements.size());
    for (std::uint32_t j = 0; j < columns; ++j)
        for (std::uint32_t i = 0; i < rows; ++i) r.elements.push_back(a.elements[i * columns + j]);
    return r;
}

Value cross_product(Pool& pool, const Value& a, const Value& b) {
    Value r;
    r.dimensions = {3};
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
        r.elements.push_back(pool.subtract(pool.multiply(a[j], b[k]), pool.multiply(a[k], b[j])));
    }
    return r;
}

namespace {

// The determinant of the given rows and columns of a, by expansion along the rows; minors of the last rows
// are computed once for each set of columns.
Expr minor_of(Pool& pool, const Value& a, const std::vector<std::uint32_t>& rows,
              const std::vector<std::uint32_t>& columns) {
    const std::size_t n = rows.size();
    const std::uint32_t width = a.dimensions[1];
    std::vector<Expr> of(std::size_t(1) << n, nullptr);  // by set of columns: with as many of the last rows
    of[0] = pool.number(1);
    for (std::size_t set = 1; set < of.size(); ++set) {
        const auto count = static_cast<std::size_t>(__builtin_popcountll(set));
        const std::uint32_t row = rows[n - count];
        std::vector<Expr> terms;
        bool minus = false;
        for (std::size_t j = 0; j < n; ++j) {
            if (!(set >> j & 1)) continue;
            const Expr term =
                pool.multiply(a.elements[row * width + columns[j]], of[set & ~(std::size_t(1) << j)]);
            terms.push_back(minus ? pool.negate(term) : term);
            minus = !minus;
        }
        of[set] = pool.add(terms);
    }
    return of.back();
}

std::vector<std::uint32_t> all_but(std::uint32_t n, std::uint32_t without) {
    std::vector<std::uint32_t> list;
    for (std::uint32_t i = 0; i < n; ++i)
        if (i != without) list.push_back(i);
    return list;
}

}  // namespace

Expr determinant(Pool& pool, const Value& a) {
    const std::vector<std::uint32_t> all = all_but(a.dimensions[0], a.dimensions[0]);
    return minor_of(pool, a, all, all);
}

Value inverse(Pool& pool, const Value& a) {
    const std::uint32_t n = a.dimensions[0];
    const Expr whole = determinant(pool, a);
    Value r;
    r.dimensions = {n, n};
    for (std::uint32_t i = 0; i < n; ++i)
        for (std::uint32_t j = 0; j < n; ++j) {
            const Expr cofactor = minor_of(pool, a, all_but(n, j), all_but(n, i));
            r.elements.push_back(pool.divide((i + j) % 2 ? pool.negate(cofactor) : cofactor, whole));
        }
    return r;
}

}  // namespace cutset

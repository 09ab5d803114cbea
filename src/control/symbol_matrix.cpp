#include "control/symbol_matrix.h"

#include <algorithm>

namespace cutset {

SymbolPolynomial determinant(SymbolMatrix m) {
    const std::size_t n = m.rows();
    SymbolPolynomial last(1);
    bool negative = false;
    for (std::size_t k = 0; k < n; ++k) {
        // The pivot of the fewest terms keeps the products short.
        std::optional<std::size_t> pivot;
        for (std::size_t i = k; i < n; ++i)
            if (!m(i, k).is_zero() && (!pivot || m(i, k).terms().size() < m(*pivot, k).terms().size()))
                pivot = i;
        if (!pivot) return {};
        if (*pivot != k) negative = !negative;
        m.swap_rows(k, *pivot);
        for (std::size_t i = k + 1; i < n; ++i)
            for (std::size_t j = k + 1; j < n; ++j)
                m(i, j) = *(m(k, k) * m(i, j) - m(i, k) * m(k, j)).divided_by(last);
        last = m(k, k);
    }
    return negative ? -last : last;
}

SymbolPolynomial resultant(const SymbolPolynomial& a, const SymbolPolynomial& b, unsigned symbol) {
    const std::vector<SymbolPolynomial> p = a.by_powers(symbol), q = b.by_powers(symbol);
    const std::size_t m = p.size() - 1, n = q.size() - 1;
    SymbolMatrix sylvester(m + n, m + n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k <= m; ++k) sylvester(i, i + k) = p[m - k];
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t k = 0; k <= n; ++k) sylvester(n + i, i + k) = q[n - k];
    return determinant(std::move(sylvester));
}

void ExceptionalValues::add(const SymbolPolynomial& p) {
    if (p.is_zero()) complete = false;  // nothing is known
    for (const SymbolPolynomial& factor : distinct_factors(p))
        if (std::find(zeros.begin(), zeros.end(), factor) == zeros.end()) zeros.push_back(factor);
    // The short ones first.
    std::stable_sort(zeros.begin(), zeros.end(), [](const SymbolPolynomial& a, const SymbolPolynomial& b) {
        return a.terms().size() < b.terms().size();
    });
}

void ExceptionalValues::add(const ExceptionalValues& others) {
    for (const SymbolPolynomial& p : others.zeros) add(p);
    complete = complete && others.complete;
}

void ExceptionalValues::add_denominators(const ExactPolynomial& p) {
    for (const Coefficient& c : p.coefficients())
        if (!c.is_number()) add(c.denominator());
}

void ExceptionalValues::add_denominators(const ExactMatrix& m) {
    for (std::size_t i = 0; i < m.rows(); ++i)
        for (std::size_t k = 0; k < m.columns(); ++k)
            if (!m(i, k).is_number()) add(m(i, k).denominator());
}

}  // namespace cutset

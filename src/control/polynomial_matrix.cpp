#include "control/polynomial_matrix.h"

#include <algorithm>

#include "control/minors.h"

namespace cutset {

namespace {

// Row operations on p that are noted in t.
void reduce_row(PolynomialMatrix& p, PolynomialMatrix& t, std::size_t row, const ExactPolynomial& factor,
                std::size_t by) {
    p.add_row(row, factor, by);
    t.add_row(row, factor, by);
}

void scale_row(PolynomialMatrix& p, std::size_t row, const Coefficient& factor) {
    for (std::size_t k = 0; k < p.columns(); ++k) p(row, k) = p(row, k).scaled(factor);
}

}  // namespace

HermiteForm row_hermite_form(const PolynomialMatrix& given) {
    HermiteForm out{given, PolynomialMatrix::identity(given.rows())};
    PolynomialMatrix &p = out.form, &t = out.transformation;
    std::size_t row = 0;
    for (std::size_t column = 0; column < p.columns() && row < p.rows(); ++column) {
        // Euclid down the column, always with the element of the lowest degree.
        bool any = true;
        while (true) {
            std::optional<std::size_t> least;
            std::size_t others = 0;
            for (std::size_t i = row; i < p.rows(); ++i) {
                if (p(i, column).is_zero()) continue;
                ++others;
                if (!least || p(i, column).degree() < p(*least, column).degree()) least = i;
            }
            if (!least) {
                any = false;
                break;
            }
            p.swap_rows(row, *least);
            t.swap_rows(row, *least);
            const Coefficient scale = Coefficient(1) / p(row, column).leading();
            if (!scale.is_one()) {
                scale_row(p, row, scale);
                scale_row(t, row, scale);
            }
            if (others == 1) break;
            for (std::size_t i = row + 1; i < p.rows(); ++i)
                if (!p(i, column).is_zero())
                    reduce_row(p, t, i, -divide(p(i, column), p(row, column)).first, row);
        }
        if (!any) continue;
        for (std::size_t i = 0; i < row; ++i) {
            const ExactPolynomial q = divide(p(i, column), p(row, column)).first;
            if (!q.is_zero()) reduce_row(p, t, i, -q, row);
        }
        ++row;
    }
    return out;
}

HermiteForm column_hermite_form(const PolynomialMatrix& p) {
    HermiteForm dual = row_hermite_form(p.transposed());
    return {dual.form.transposed(), dual.transformation.transposed()};
}

SmithForm smith_form(const PolynomialMatrix& given) {
    SmithForm out{
        given, PolynomialMatrix::identity(given.rows()), PolynomialMatrix::identity(given.columns()), {}, {}};
    PolynomialMatrix& p = out.form;
    const std::size_t size = std::min(p.rows(), p.columns());
    for (std::size_t k = 0; k < size; ++k) {
        while (true) {
            // The element of the lowest degree becomes the pivot.
            std::optional<std::pair<std::size_t, std::size_t>> least;
            for (std::size_t i = k; i < p.rows(); ++i)
                for (std::size_t j = k; j < p.columns(); ++j)
                    if (!p(i, j).is_zero() &&
                        (!least || p(i, j).degree() < p(least->first, least->second).degree()))
                        least = {i, j};
            if (!least) return out;
            p.swap_rows(k, least->first);
            out.left.swap_rows(k, least->first);
            p.swap_columns(k, least->second);
            out.right.swap_columns(k, least->second);
            bool clean = true;
            for (std::size_t i = k + 1; i < p.rows(); ++i) {
                if (p(i, k).is_zero()) continue;
                reduce_row(p, out.left, i, -divide(p(i, k), p(k, k)).first, k);
                clean = clean && p(i, k).is_zero();
            }
            for (std::size_t j = k + 1; j < p.columns(); ++j) {
                if (p(k, j).is_zero()) continue;
                const ExactPolynomial q = -divide(p(k, j), p(k, k)).first;
                p.add_column(j, q, k);
                out.right.add_column(j, q, k);
                clean = clean && p(k, j).is_zero();
            }
            if (!clean) continue;
            // The pivot must divide all that is left: else a row with a remainder joins it.
            std::optional<std::size_t> bad;
            for (std::size_t i = k + 1; i < p.rows() && !bad; ++i)
                for (std::size_t j = k + 1; j < p.columns() && !bad; ++j)
                    if (!divide(p(i, j), p(k, k)).second.is_zero()) bad = i;
            if (!bad) break;
            reduce_row(p, out.left, k, ExactPolynomial(1), *bad);
        }
        const Coefficient scale = Coefficient(1) / p(k, k).leading();
        scale_row(p, k, scale);
        scale_row(out.left, k, scale);
        out.invariants.push_back(p(k, k));
    }
    return out;
}

SmithForm generic_smith_form(const PolynomialMatrix& p) {
    std::vector<std::vector<ExactFraction>> elements(p.rows(), std::vector<ExactFraction>(p.columns()));
    for (std::size_t i = 0; i < p.rows(); ++i)
        for (std::size_t k = 0; k < p.columns(); ++k) elements[i][k].numerator = p(i, k);
    GenericDiagonal diagonal = diagonal_from_minors(elements);
    SmithForm out{PolynomialMatrix(p.rows(), p.columns()), {}, {}, {}, std::move(diagonal.exceptions)};
    for (const ExactFraction& f : diagonal.elements) {
        out.form(out.invariants.size(), out.invariants.size()) = f.numerator;
        out.invariants.push_back(f.numerator);
    }
    return out;
}

namespace {

SmithMcMillanForm with_diagonal(const ExactTransferMatrix& g, std::vector<ExactFraction> diagonal) {
    SmithMcMillanForm out;
    out.rows = g.rows();
    out.columns = g.columns();
    out.poles = out.zeros = ExactPolynomial(1);
    for (const ExactFraction& f : diagonal) {
        out.poles = out.poles * f.denominator;
        out.zeros = out.zeros * f.numerator;
    }
    out.diagonal = std::move(diagonal);
    return out;
}

}  // namespace

SmithMcMillanForm generic_smith_mcmillan_form(const ExactTransferMatrix& g) {
    GenericDiagonal diagonal = diagonal_from_minors(g.elements);
    SmithMcMillanForm out = with_diagonal(g, std::move(diagonal.elements));
    out.exceptions = std::move(diagonal.exceptions);
    return out;
}

SmithMcMillanForm smith_mcmillan_form(const ExactTransferMatrix& g) {
    ExactPolynomial common(1);
    std::vector<std::vector<ExactFraction>> elements = g.elements;
    for (auto& row : elements)
        for (ExactFraction& f : row) {
            f = reduced(f);
            common = least_common_multiple(common, f.denominator);
        }
    PolynomialMatrix n(g.rows(), g.columns());
    for (std::size_t i = 0; i < g.rows(); ++i)
        for (std::size_t k = 0; k < g.columns(); ++k)
            n(i, k) = elements[i][k].numerator * divide(common, elements[i][k].denominator).first;
    const SmithForm smith = smith_form(n);
    std::vector<ExactFraction> diagonal;
    for (const ExactPolynomial& invariant : smith.invariants)
        diagonal.push_back(reduced({invariant, common}));
    SmithMcMillanForm out = with_diagonal(g, std::move(diagonal));
    out.left = smith.left;
    out.right = smith.right;
    return out;
}

ExactPolynomial determinant(const PolynomialMatrix& p) {
    const unsigned variable = symbol_count(p);
    ClearedRows rows = cleared_rows(p, variable);
    SymbolPolynomial below(1);
    for (const SymbolPolynomial& d : rows.denominators) below = below * d;
    return polynomial_in(variable, determinant(std::move(rows.numerators)))
        .scaled(Coefficient::fraction(SymbolPolynomial(1), below));
}

std::vector<int> column_degrees(const PolynomialMatrix& p) {
    std::vector<int> out(p.columns(), -1);
    for (std::size_t i = 0; i < p.rows(); ++i)
        for (std::size_t k = 0; k < p.columns(); ++k) out[k] = std::max(out[k], p(i, k).degree());
    return out;
}

ExactMatrix leading_column_coefficients(const PolynomialMatrix& p, const std::vector<int>& degrees) {
    ExactMatrix out(p.rows(), p.columns());
    for (std::size_t i = 0; i < p.rows(); ++i)
        for (std::size_t k = 0; k < p.columns(); ++k) out(i, k) = p(i, k)[degrees[k]];
    return out;
}

}  // namespace cutset

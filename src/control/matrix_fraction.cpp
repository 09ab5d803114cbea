#include "control/matrix_fraction.h"

#include <algorithm>

#include "base/diagnostic.h"
#include "control/minors.h"

namespace cutset {

namespace {

ExactTransferMatrix transposed(const ExactTransferMatrix& g) {
    ExactTransferMatrix out = g;
    out.elements.assign(g.columns(), std::vector<ExactFraction>(g.rows()));
    for (std::size_t i = 0; i < g.rows(); ++i)
        for (std::size_t k = 0; k < g.columns(); ++k) out.elements[k][i] = g.elements[i][k];
    return out;
}

MatrixFraction transposed(const MatrixFraction& f) {
    return {f.N.transposed(), f.D.transposed()};
}

ExactStateSpace dual(const ExactStateSpace& s) {
    return {s.A.transposed(), s.C.transposed(), s.B.transposed(), s.D.transposed()};
}

// x with x * r = p for upper triangular r with nonzero diagonal, when the division goes without remainder.
PolynomialMatrix right_quotient(const PolynomialMatrix& p, const PolynomialMatrix& r) {
    PolynomialMatrix x(p.rows(), r.rows());
    for (std::size_t i = 0; i < p.rows(); ++i)
        for (std::size_t k = 0; k < r.columns(); ++k) {
            ExactPolynomial rest = p(i, k);
            for (std::size_t j = 0; j < k; ++j)
                if (!r(j, k).is_zero()) rest = rest - x(i, j) * r(j, k);
            auto [quotient, remainder] = divide(rest, r(k, k));
            CUTSET_ASSERT(remainder.is_zero());
            x(i, k) = std::move(quotient);
        }
    return x;
}

}  // namespace

MatrixFraction right_fraction(const ExactTransferMatrix& g) {
    const std::size_t p = g.rows(), m = g.columns();
    MatrixFraction f{PolynomialMatrix(p, m), PolynomialMatrix(m, m)};
    for (std::size_t k = 0; k < m; ++k) {
        ExactPolynomial common(1);
        std::vector<ExactFraction> column;
        for (std::size_t i = 0; i < p; ++i) {
            column.push_back(reduced(g.elements[i][k]));
            common = least_common_multiple(common, column.back().denominator);
        }
        f.D(k, k) = common;
        for (std::size_t i = 0; i < p; ++i)
            f.N(i, k) = column[i].numerator * divide(common, column[i].denominator).first;
    }
    return f;
}

MatrixFraction left_fraction(const ExactTransferMatrix& g) {
    return transposed(right_fraction(transposed(g)));
}

CoprimeFraction right_coprime(const MatrixFraction& f) {
    const std::size_t m = f.D.columns();
    // With symbols elimination makes long fractions; minors do not.
    const PolynomialMatrix both = above(f.D, f.N);
    const PolynomialMatrix divisor =
        symbol_count(both) ? right_divisor(both) : row_hermite_form(both).form.block(0, 0, m, m);
    return {{right_quotient(f.N, divisor), right_quotient(f.D, divisor)}, divisor};
}

CoprimeFraction left_coprime(const MatrixFraction& f) {
    const CoprimeFraction dual = right_coprime(transposed(f));
    return {transposed(dual.fraction), dual.divisor.transposed()};
}

ReducedFraction column_reduced(const MatrixFraction& f) {
    ReducedFraction out{f, PolynomialMatrix::identity(f.D.columns())};
    PolynomialMatrix& D = out.fraction.D;
    while (true) {
        const std::vector<int> degrees = column_degrees(D);
        if (std::find(degrees.begin(), degrees.end(), -1) != degrees.end()) return out;  // singular
        const EchelonForm form = echelon_form(leading_column_coefficients(D, degrees));
        if (form.pivots.size() == D.columns()) return out;
        // The first column that depends on those before it: column = Σ factor_r · column(pivot r).
        std::size_t dependent = 0;
        while (dependent < form.pivots.size() && form.pivots[dependent] == dependent) ++dependent;
        std::vector<std::pair<std::size_t, Coefficient>> combination = {{dependent, Coefficient(1)}};
        for (std::size_t r = 0; r < form.pivots.size() && form.pivots[r] < dependent; ++r)
            if (!form.matrix(r, dependent).is_zero())
                combination.emplace_back(form.pivots[r], -form.matrix(r, dependent));
        // The column of the largest degree is lowered by the others, shifted to its degree.
        // Of equal ones it is the first.
        const auto highest =
            std::max_element(combination.begin(), combination.end(), [&](const auto& a, const auto& b) {
                return std::pair(degrees[a.first], b.first) < std::pair(degrees[b.first], a.first);
            });
        for (const auto& [column, factor] : combination) {
            if (column == highest->first) continue;
            const int shift = degrees[highest->first] - degrees[column];
            const ExactPolynomial by = ExactPolynomial::power_of_variable(static_cast<std::size_t>(shift))
                                           .scaled(factor / highest->second);
            D.add_column(highest->first, by, column);
            out.fraction.N.add_column(highest->first, by, column);
            out.transformation.add_column(highest->first, by, column);
        }
    }
}

ReducedFraction row_reduced(const MatrixFraction& f) {
    const ReducedFraction dual = column_reduced(transposed(f));
    return {transposed(dual.fraction), dual.transformation.transposed()};
}

ExactStateSpace controller_form(const MatrixFraction& right) {
    const std::size_t m = right.D.columns(), p = right.N.rows();
    const std::vector<int> degrees = column_degrees(right.D);
    const auto leading = inverse(leading_column_coefficients(right.D, degrees));
    CUTSET_ASSERT(leading.has_value());
    std::size_t n = 0;
    std::vector<std::size_t> first;  // of each chain
    for (int d : degrees) {
        first.push_back(n);
        n += static_cast<std::size_t>(d);
    }
    ExactStateSpace s{ExactMatrix(n, n), ExactMatrix(n, m), ExactMatrix(p, n), ExactMatrix(p, m)};
    // N = direct · D + rest with column degrees below those of D.
    ExactMatrix top(p, m);
    for (std::size_t i = 0; i < p; ++i)
        for (std::size_t k = 0; k < m; ++k) top(i, k) = right.N(i, k)[degrees[k]];
    s.D = top * *leading;
    PolynomialMatrix rest = right.N;
    for (std::size_t i = 0; i < p; ++i)
        for (std::size_t k = 0; k < m; ++k)
            for (std::size_t j = 0; j < m; ++j)
                if (!s.D(i, j).is_zero()) rest(i, k) = rest(i, k) - right.D(j, k).scaled(s.D(i, j));
    // x of a chain is (s^(d-1), …, s, 1) ξ.
    ExactMatrix low(m, n);
    for (std::size_t k = 0; k < m; ++k)
        for (int d = 0; d < degrees[k]; ++d) {
            const std::size_t column = first[k] + static_cast<std::size_t>(degrees[k] - 1 - d);
            for (std::size_t i = 0; i < m; ++i) low(i, column) = right.D(i, k)[d];
            for (std::size_t i = 0; i < p; ++i) s.C(i, column) = rest(i, k)[d];
        }
    const ExactMatrix feedback = *leading * low;
    for (std::size_t k = 0; k < m; ++k) {
        if (degrees[k] == 0) continue;
        for (std::size_t j = 0; j < n; ++j) s.A(first[k], j) = -feedback(k, j);
        for (std::size_t j = 0; j < m; ++j) s.B(first[k], j) = (*leading)(k, j);
        for (std::size_t d = 1; d < static_cast<std::size_t>(degrees[k]); ++d)
            s.A(first[k] + d, first[k] + d - 1) = 1;
    }
    return s;
}

ExactStateSpace observer_form(const MatrixFraction& left) {
    return dual(controller_form(transposed(left)));
}

std::optional<ExactStateSpace> controllability_form(const ExactStateSpace& s, Crate crate) {
    const std::size_t n = s.order(), m = s.B.columns();
    const auto column_of = [&](const ExactMatrix& v) {
        std::vector<Coefficient> out;
        for (std::size_t i = 0; i < n; ++i) out.push_back(v(i, 0));
        return out;
    };
    // Vectors chosen for each input; a new one counts when it does not depend on those chosen before.
    std::vector<std::vector<ExactMatrix>> chains(m);
    std::vector<std::vector<Coefficient>> reduced_rows;  // echelon rows of what is chosen
    std::vector<std::size_t> leads;
    const auto independent = [&](const ExactMatrix& v) {
        std::vector<Coefficient> row = column_of(v);
        for (std::size_t r = 0; r < reduced_rows.size(); ++r) {
            if (row[leads[r]].is_zero()) continue;
            const Coefficient factor = row[leads[r]];
            for (std::size_t k = 0; k < n; ++k) row[k] -= factor * reduced_rows[r][k];
        }
        const auto lead =
            std::find_if(row.begin(), row.end(), [](const Coefficient& c) { return !c.is_zero(); });
        if (lead == row.end()) return false;
        const auto at = static_cast<std::size_t>(lead - row.begin());
        const Coefficient scale = Coefficient(1) / row[at];
        for (Coefficient& c : row) c *= scale;
        reduced_rows.push_back(std::move(row));
        leads.push_back(at);
        return true;
    };
    std::size_t count = 0;
    const auto extend = [&](std::size_t input) {
        const ExactMatrix next =
            chains[input].empty() ? s.B.block(0, input, n, 1) : s.A * chains[input].back();
        if (count == n || !independent(next)) return false;
        chains[input].push_back(next);
        ++count;
        return true;
    };
    if (crate == Crate::Columns) {
        for (std::size_t k = 0; k < m; ++k)
            while (extend(k)) {
            }
    } else {
        std::vector<bool> open(m, true);
        bool any = true;
        while (any) {
            any = false;
            for (std::size_t k = 0; k < m; ++k)
                if (open[k]) any = (open[k] = extend(k)) || any;
        }
    }
    if (count < n) return std::nullopt;
    ExactMatrix basis(n, n);
    std::size_t column = 0;
    for (const auto& chain : chains)
        for (const ExactMatrix& v : chain) {
            for (std::size_t i = 0; i < n; ++i) basis(i, column) = v(i, 0);
            ++column;
        }
    const auto back = inverse(basis);
    CUTSET_ASSERT(back.has_value());
    return ExactStateSpace{*back * s.A * basis, *back * s.B, s.C * basis, s.D};
}

std::optional<ExactStateSpace> observability_form(const ExactStateSpace& system, Crate crate) {
    const auto form = controllability_form(dual(system), crate);
    if (!form) return std::nullopt;
    return dual(*form);
}

std::optional<ExactTransferMatrix> transfer_matrix_of(const MatrixFraction& f, bool left) {
    if (left) {
        const auto dual = transfer_matrix_of(transposed(f), false);
        if (!dual) return std::nullopt;
        return transposed(*dual);
    }
    // N D^-1 = N adj(D)/det(D): by Cramer's rule, x(k) of x D = row is det(D with row k replaced)/det D.
    const ExactPolynomial below = determinant(f.D);
    if (below.is_zero()) return std::nullopt;
    ExactTransferMatrix g;
    for (std::size_t i = 0; i < f.N.rows(); ++i) {
        g.elements.emplace_back();
        for (std::size_t k = 0; k < f.D.columns(); ++k) {
            PolynomialMatrix replaced = f.D;
            for (std::size_t j = 0; j < f.D.columns(); ++j) replaced(k, j) = f.N(i, j);
            g.elements.back().push_back(reduced({determinant(replaced), below}));
        }
    }
    g.delays.assign(g.rows(), std::vector<Rational>(g.columns()));
    complete_names(g.inputs, g.columns(), "u");
    complete_names(g.outputs, g.rows(), "y");
    return g;
}

namespace {

// adj(sI - A) = Σ s^k R_k and det(sI - A).
struct Resolvent {
    std::vector<ExactMatrix> adjugate;
    ExactPolynomial characteristic;
};

Resolvent resolvent(const ExactMatrix& A) {
    const std::size_t n = A.rows();
    std::vector<Coefficient> c(n + 1);
    c[n] = 1;
    Resolvent out;
    out.adjugate.assign(n, ExactMatrix(n, n));
    ExactMatrix r = ExactMatrix::identity(n);
    for (std::size_t k = n; k-- > 0;) {
        out.adjugate[k] = r;
        ExactMatrix next = A * r;
        Coefficient trace;
        for (std::size_t i = 0; i < n; ++i) trace += next(i, i);
        c[k] = -trace / Coefficient(static_cast<long>(n - k));
        for (std::size_t i = 0; i < n; ++i) next(i, i) += c[k];
        r = std::move(next);
    }
    out.characteristic = ExactPolynomial(std::move(c));
    return out;
}

}  // namespace

ExactPolynomial characteristic_polynomial(const ExactMatrix& A) {
    return resolvent(A).characteristic;
}

ExactTransferMatrix transfer_matrix_of(const ExactStateSpace& s) {
    const Resolvent r = resolvent(s.A);
    const std::size_t n = s.order();
    std::vector<ExactMatrix> numerators;
    for (std::size_t k = 0; k < n; ++k) numerators.push_back(s.C * r.adjugate[k] * s.B);
    ExactTransferMatrix g;
    for (std::size_t i = 0; i < s.C.rows(); ++i) {
        g.elements.emplace_back();
        for (std::size_t j = 0; j < s.B.columns(); ++j) {
            std::vector<Coefficient> c;
            for (std::size_t k = 0; k < n; ++k) c.push_back(numerators[k](i, j));
            const ExactPolynomial strict(std::move(c));
            g.elements.back().push_back(
                reduced({strict + r.characteristic.scaled(s.D(i, j)), r.characteristic}));
        }
    }
    g.delays.assign(g.rows(), std::vector<Rational>(g.columns()));
    complete_names(g.inputs, g.columns(), "u");
    complete_names(g.outputs, g.rows(), "y");
    return g;
}

ExactStateSpace minimal_realization(const ExactTransferMatrix& g) {
    // The side with fewer signals gives the smaller matrices.
    if (g.rows() < g.columns())
        return observer_form(row_reduced(left_coprime(left_fraction(g)).fraction).fraction);
    return controller_form(column_reduced(right_coprime(right_fraction(g)).fraction).fraction);
}

}  // namespace cutset

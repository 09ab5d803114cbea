#include "control/subspaces.h"

namespace cutset {

namespace {

ExactMatrix chosen_columns(const ExactMatrix& m, const std::vector<std::size_t>& columns) {
    ExactMatrix out(m.rows(), columns.size());
    for (std::size_t k = 0; k < columns.size(); ++k)
        for (std::size_t i = 0; i < m.rows(); ++i) out(i, k) = m(i, columns[k]);
    return out;
}

// V_0 = within, V_(i+1) = within ∩ A^-1 (V_i + im B): falls until it stays.
ExactMatrix descend(const ExactMatrix& A, const ExactMatrix& B, const ExactMatrix& within) {
    ExactMatrix v = basis_of(within);
    while (true) {
        ExactMatrix next = intersection(within, inverse_image(A, sum_of(v, B)));
        if (next.columns() == v.columns()) return next;
        v = std::move(next);
    }
}

}  // namespace

ExactMatrix basis_of(const ExactMatrix& columns) {
    return chosen_columns(columns, echelon_form(columns).pivots);
}

ExactMatrix kernel(const ExactMatrix& A) {
    const EchelonForm form = echelon_form(A);
    std::vector<bool> pivot(A.columns());
    for (std::size_t k : form.pivots) pivot[k] = true;
    ExactMatrix out(A.columns(), A.columns() - form.pivots.size());
    std::size_t column = 0;
    for (std::size_t free = 0; free < A.columns(); ++free) {
        if (pivot[free]) continue;
        out(free, column) = 1;
        for (std::size_t r = 0; r < form.pivots.size(); ++r)
            out(form.pivots[r], column) = -form.matrix(r, free);
        ++column;
    }
    return out;
}

ExactMatrix inverse_image(const ExactMatrix& A, const ExactMatrix& B) {
    // A x - B w = 0
    ExactMatrix negative(B.rows(), B.columns());
    for (std::size_t i = 0; i < B.rows(); ++i)
        for (std::size_t k = 0; k < B.columns(); ++k) negative(i, k) = -B(i, k);
    const ExactMatrix both = kernel(beside(A, negative));
    return basis_of(both.block(0, 0, A.columns(), both.columns()));
}

std::optional<ExactSolutions> solve_exactly(const ExactMatrix& A, const ExactMatrix& B) {
    const EchelonForm form = echelon_form(beside(A, B));
    ExactSolutions out{ExactMatrix(A.columns(), B.columns()), kernel(A)};
    for (std::size_t r = 0; r < form.pivots.size(); ++r) {
        if (form.pivots[r] >= A.columns()) return std::nullopt;
        for (std::size_t k = 0; k < B.columns(); ++k)
            out.particular(form.pivots[r], k) = form.matrix(r, A.columns() + k);
    }
    return out;
}

ExactMatrix sum_of(const ExactMatrix& a, const ExactMatrix& b) {
    return basis_of(beside(a, b));
}

ExactMatrix intersection(const ExactMatrix& a, const ExactMatrix& b) {
    // a x = b y: the x give the intersection.
    const ExactMatrix x = inverse_image(a, b);
    return basis_of(a * x);
}

ExactMatrix gram_schmidt(const ExactMatrix& columns) {
    ExactMatrix q = basis_of(columns);
    const auto product = [&](std::size_t a, std::size_t b) {
        Coefficient sum;
        for (std::size_t i = 0; i < q.rows(); ++i) sum += q(i, a) * q(i, b);
        return sum;
    };
    for (std::size_t k = 0; k < q.columns(); ++k)
        for (std::size_t j = 0; j < k; ++j) {
            const Coefficient size = product(j, j);
            if (!size.is_zero()) q.add_column(k, -product(j, k) / size, j);
        }
    return q;
}

ExactMatrix largest_invariant(const ExactMatrix& A, const ExactMatrix& within) {
    return descend(A, ExactMatrix(A.rows(), 0), within);
}

ExactMatrix largest_controlled_invariant(const ExactMatrix& A, const ExactMatrix& B,
                                         const ExactMatrix& within) {
    return descend(A, B, within);
}

}  // namespace cutset

#include "control/exact_matrix.h"

namespace cutset {

EchelonForm echelon_form(ExactMatrix m) {
    EchelonForm out;
    std::size_t row = 0;
    for (std::size_t column = 0; column < m.columns() && row < m.rows(); ++column) {
        // A number rather than a symbol, to keep expressions small.
        std::optional<std::size_t> pivot;
        for (std::size_t i = row; i < m.rows(); ++i)
            if (!m(i, column).is_zero() &&
                (!pivot || (m(i, column).is_number() && !m(*pivot, column).is_number())))
                pivot = i;
        if (!pivot) continue;
        m.swap_rows(row, *pivot);
        const Coefficient scale = Coefficient(1) / m(row, column);
        for (std::size_t k = column; k < m.columns(); ++k) m(row, k) *= scale;
        for (std::size_t i = 0; i < m.rows(); ++i)
            if (i != row && !m(i, column).is_zero()) m.add_row(i, -m(i, column), row);
        out.pivots.push_back(column);
        ++row;
    }
    out.matrix = std::move(m);
    return out;
}

std::size_t rank(const ExactMatrix& m) {
    return echelon_form(m).pivots.size();
}

std::optional<ExactMatrix> inverse(const ExactMatrix& m) {
    const std::size_t n = m.rows();
    const EchelonForm form = echelon_form(beside(m, ExactMatrix::identity(n)));
    if (form.pivots.size() < n || (n && form.pivots.back() >= n)) return std::nullopt;
    return form.matrix.block(0, n, n, n);
}

ExactMatrix exact(const Eigen::MatrixXd& m) {
    ExactMatrix out(static_cast<std::size_t>(m.rows()), static_cast<std::size_t>(m.cols()));
    for (Eigen::Index i = 0; i < m.rows(); ++i)
        for (Eigen::Index k = 0; k < m.cols(); ++k)
            out(static_cast<std::size_t>(i), static_cast<std::size_t>(k)) =
                Coefficient(simple_rational(m(i, k)));
    return out;
}

Eigen::MatrixXd numbers(const ExactMatrix& m, const std::vector<double>& symbols) {
    Eigen::MatrixXd out(static_cast<Eigen::Index>(m.rows()), static_cast<Eigen::Index>(m.columns()));
    for (std::size_t i = 0; i < m.rows(); ++i)
        for (std::size_t k = 0; k < m.columns(); ++k)
            out(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) = m(i, k).value(symbols);
    return out;
}

}  // namespace cutset

#include "control/zeros.h"

#include <algorithm>

#include "control/decompositions.h"
#include "control/row_compression.h"
#include "control/scaling.h"

namespace cutset {

namespace {

struct Matrices {
    Eigen::MatrixXd A, B, C, D;
};

// An equivalent system (equal finite zeros) with D of full row rank.
void reduce_rows(Matrices& s, double threshold) {
    for (;;) {
        const Eigen::Index n = s.A.rows(), m = s.B.cols(), p = s.C.rows();
        if (p == 0) return;
        // U^T D = [D1; 0], U^T C = [C1; C2]
        const RowCompression of_D(s.D);
        const Eigen::Index rank = of_D.rank(threshold);
        if (rank == p) return;
        of_D.apply_left(s.C);
        of_D.apply_left(s.D);
        const Eigen::MatrixXd C1 = s.C.topRows(rank), C2 = s.C.bottomRows(p - rank), D1 = s.D.topRows(rank);
        // C2 V = [S 0]
        const RowCompression of_C(C2.transpose());
        const Eigen::Index lost = of_C.rank(threshold);
        if (lost == 0) {  // rows of zeros: 0 = 0
            s.C = C1;
            s.D = D1;
            return;
        }
        const Eigen::Index k = n - lost;
        Eigen::MatrixXd A = s.A, B = s.B, C1V = C1;
        of_C.apply_left(A);
        of_C.apply_right(A);
        of_C.apply_left(B);
        of_C.apply_right(C1V);
        s.A = A.bottomRightCorner(k, k);
        s.B = B.bottomRows(k);
        Eigen::MatrixXd newC(lost + rank, k), newD(lost + rank, m);
        newC << A.topRightCorner(lost, k), C1V.rightCols(k);
        newD << B.topRows(lost), D1;
        s.C = newC;
        s.D = newD;
    }
}

Matrices transposed(const Matrices& s) {
    return {s.A.transpose(), s.C.transpose(), s.B.transpose(), s.D.transpose()};
}

}  // namespace

std::optional<Zeros> invariant_zeros(const StateSpace& system, double tolerance) {
    if (!system.A.allFinite() || !system.B.allFinite() || !system.C.allFinite() || !system.D.allFinite())
        return {};
    const StateSpace s = scaled(system, scaling_of(system));
    Matrices r{s.A, s.B, s.C, s.D};
    const double size = std::max({s.A.norm(), s.B.norm(), s.C.norm()}), direct = s.D.norm();
    const double threshold = tolerance * (size > 0 ? size : direct);
    // A large D has large rounding errors: inputs are scaled once more, so that it is no larger than the
    // rest.
    if (direct > size && size > 0) {
        r.D *= size / direct;
        r.B *= size / direct;
    }
    reduce_rows(r, threshold);
    r = transposed(r);
    reduce_rows(r, threshold);
    r = transposed(r);
    Zeros out;
    const Eigen::Index n = r.A.rows(), rank = r.D.rows();
    out.normal_rank = rank;
    out.degenerate = rank < std::min(system.B.cols(), system.C.rows());
    if (n == 0) return out;
    if (rank == 0) {
        const auto eigen = eigen_decomposition(r.A, false);
        if (!eigen) return {};
        out.finite = eigen->values;
    } else {
        // [C D] W = [0 F]: the zeros are those s with det([A B] W1 - s [I 0] W1) = 0.
        Eigen::MatrixXd CD(rank, n + rank), AB(n, n + rank);
        CD << r.C, r.D;
        AB << r.A, r.B;
        const Eigen::MatrixXd W = orthogonal_complement(CD.transpose());
        const auto values = generalized_eigenvalues(AB * W, W.topRows(n));
        if (!values) return {};
        for (std::size_t i = 0; i < values->alpha.size(); ++i)
            if (values->beta[i] != 0) out.finite.push_back(values->alpha[i] / values->beta[i]);
    }
    std::stable_sort(out.finite.begin(), out.finite.end(), [&](const auto& a, const auto& b) {
        const double x = system.is_sampled() ? std::abs(a) : a.real(),
                     y = system.is_sampled() ? std::abs(b) : b.real();
        if (x != y) return x > y;
        return a.imag() > b.imag();
    });
    return out;
}

double zero_pole_gain(const StateSpace& system, const std::vector<std::complex<double>>& zeros,
                      const std::vector<std::complex<double>>& poles) {
    if (system.D.size() && system.D(0, 0) != 0 && zeros.size() == poles.size()) return system.D(0, 0);
    // At a point away from zeros and poles.
    double reach = 1;
    for (const auto& z : zeros) reach = std::max(reach, std::abs(z));
    for (const auto& p : poles) reach = std::max(reach, std::abs(p));
    const std::complex<double> at(1.3 * reach, 0.7 * reach);
    const Eigen::Index n = system.order();
    std::complex<double> g = system.D(0, 0);
    if (n > 0) {
        const Eigen::MatrixXcd M =
            at * Eigen::MatrixXcd::Identity(n, n) - system.A.cast<std::complex<double>>();
        const Eigen::MatrixXcd x = ComplexSolver(M).solve(system.B.col(0).cast<std::complex<double>>());
        g += (system.C.row(0).cast<std::complex<double>>() * x)(0);
    }
    // Products one by one, so that neither overflows.
    for (std::size_t i = 0; i < std::max(zeros.size(), poles.size()); ++i) {
        if (i < poles.size()) g *= at - poles[i];
        if (i < zeros.size()) g /= at - zeros[i];
    }
    return g.real();
}

}  // namespace cutset

#include "control/robust_placement.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "control/decompositions.h"

namespace cutset {

namespace {

using Complex = std::complex<double>;

// A pole and the place of its column of X; a pair has two columns, real and imaginary part.
struct Block {
    Complex pole;
    Eigen::Index column = 0;
    Eigen::MatrixXcd basis;  // orthonormal, of the eigenvectors that it may have
    bool is_pair() const { return pole.imag() != 0; }
};

// x with M x = 0 for M with full row rank: the last columns of Q in M^H = Q R.
Eigen::MatrixXcd null_space(const Eigen::MatrixXcd& M) {
    if (M.rows() == 0) return Eigen::MatrixXcd::Identity(M.cols(), M.cols());
    return orthogonal_rest(Eigen::MatrixXcd(M.adjoint()));
}

// c of length 1 with the largest |c^H H c| for a Hermitian H, as a real symmetric matrix of twice the size.
std::optional<Eigen::VectorXcd> strongest(const Eigen::MatrixXcd& H) {
    const Eigen::Index m = H.rows();
    Eigen::MatrixXd real(2 * m, 2 * m);
    real << H.real(), -H.imag(), H.imag(), H.real();
    const auto eigen = symmetric_eigen(real);
    if (!eigen) return {};
    const Eigen::Index at = std::abs(eigen->values[0]) > std::abs(eigen->values[2 * m - 1]) ? 0 : 2 * m - 1;
    const Eigen::VectorXd v = eigen->V.col(at);
    return Eigen::VectorXcd(v.head(m).cast<Complex>() + Complex(0, 1) * v.tail(m).cast<Complex>());
}

}  // namespace

std::optional<Eigen::MatrixXd> robust_placement(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B,
                                                const std::vector<Complex>& poles) {
    const Eigen::Index n = A.rows();
    if (n == 0 || B.cols() == 0 || static_cast<Eigen::Index>(poles.size()) != n) return {};
    const SingularValues svd = singular_values(B);
    Eigen::Index r = 0;
    while (r < svd.values.size() && svd.values[r] > 1e-12 * svd.values[0]) ++r;
    if (r == 0) return {};
    for (const Complex& pole : poles)
        if (std::count(poles.begin(), poles.end(), pole) > r) return {};
    const Eigen::MatrixXd U0 = svd.U.leftCols(r), U1 = svd.U.rightCols(n - r);

    std::vector<Block> blocks;
    Eigen::Index column = 0;
    const Eigen::MatrixXcd U1A = (U1.transpose() * A).cast<Complex>(), U1c = U1.transpose().cast<Complex>();
    for (const Complex& pole : poles) {
        if (pole.imag() < 0) continue;
        blocks.push_back({pole, column, null_space(U1A - pole * U1c)});
        column += pole.imag() != 0 ? 2 : 1;
    }
    if (column != n) return {};

    // Begins with vectors without order; always the same ones.
    std::uint64_t state = 88172645463325252ull;
    const auto random = [&] {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return static_cast<double>(state >> 11) / 9007199254740992.0 - 0.5;
    };
    Eigen::MatrixXd X(n, n);
    const auto put = [&](const Block& b, const Eigen::VectorXcd& x) {
        X.col(b.column) = x.real();
        if (b.is_pair()) X.col(b.column + 1) = x.imag();
    };
    for (const Block& b : blocks) {
        Eigen::VectorXcd c(b.basis.cols());
        for (Complex& v : c) v = b.is_pair() ? Complex(random(), random()) : Complex(random(), 0);
        Eigen::VectorXcd x = b.basis * c;
        if (!b.is_pair()) x = x.real().cast<Complex>();  // the basis of a real pole is real
        put(b, x / x.norm());
    }
    double last = -INFINITY;
    for (int sweep = 0; sweep < 100; ++sweep) {
        for (const Block& b : blocks) {
            // Directions orthogonal to all other columns.
            const Eigen::Index own = b.is_pair() ? 2 : 1;
            Eigen::MatrixXd others(n, n - own);
            others << X.leftCols(b.column), X.rightCols(n - own - b.column);
            Eigen::MatrixXd free = Eigen::MatrixXd::Identity(n, own);
            if (n > own) free = orthogonal_rest(others);
            const Eigen::MatrixXcd T = free.transpose().cast<Complex>() * b.basis;
            if (!b.is_pair()) {
                const Eigen::VectorXcd x = b.basis * T.row(0).adjoint();
                if (x.norm() > 0) put(b, x / x.norm());
                continue;
            }
            // The area spanned by Re z and Im z for z = T c is |c^H T^H N T c|, N = [0 1; -1 0]/(2i).
            Eigen::Matrix2cd N;
            N << 0, Complex(0, -0.5), Complex(0, 0.5), 0;
            if (const auto c = strongest(T.adjoint() * N * T)) put(b, b.basis * *c);
        }
        const double size = log_determinant(X);
        if (!std::isfinite(size)) return {};
        if (size - last < 1e-6) break;
        last = size;
    }
    // A - B K = X L X^-1
    Eigen::MatrixXd XL(n, n);
    for (const Block& b : blocks) {
        const double re = b.pole.real(), im = b.pole.imag();
        if (!b.is_pair()) {
            XL.col(b.column) = re * X.col(b.column);
        } else {
            // A (x + iy) = (re + i im)(x + iy)
            XL.col(b.column) = re * X.col(b.column) - im * X.col(b.column + 1);
            XL.col(b.column + 1) = im * X.col(b.column) + re * X.col(b.column + 1);
        }
    }
    const RealSolver solver(X);
    if (!(solver.reciprocal_condition() > 1e-15)) return {};
    const Eigen::MatrixXd M = solver.solve_transposed(XL.transpose()).transpose();
    const Eigen::VectorXd inverse = svd.values.head(r).cwiseInverse();
    Eigen::MatrixXd K = svd.V.leftCols(r) * inverse.asDiagonal() * (U0.transpose() * (A - M));
    if (!K.allFinite()) return {};
    return K;
}

}  // namespace cutset

#include "control/matrix_functions.h"

#include <cmath>

#include "control/decompositions.h"

namespace cutset {

namespace {

using Complex = std::complex<double>;

template <class Matrix>
double one_norm(const Matrix& A) {
    return A.cwiseAbs().colwise().sum().maxCoeff();
}

// exp(M 2^-k) by the diagonal Padé approximant of order 13, with a k for which that is accurate (Higham
// 2005).
template <class Matrix>
Matrix scaled_exponential(Matrix M, int& squarings) {
    constexpr double theta = 5.371920351148152;
    const double norm = one_norm(M);
    squarings = norm > theta ? static_cast<int>(std::ceil(std::log2(norm / theta))) : 0;
    M *= std::exp2(-squarings);
    constexpr double b[] = {64764752532480000.,
                            32382376266240000.,
                            7771770303897600.,
                            1187353796428800.,
                            129060195264000.,
                            10559470521600.,
                            670442572800.,
                            33522128640.,
                            1323241920.,
                            40840800.,
                            960960.,
                            16380.,
                            182.,
                            1.};
    const Matrix I = Matrix::Identity(M.rows(), M.rows());
    const Matrix M2 = M * M, M4 = M2 * M2, M6 = M4 * M2;
    const Matrix inner =
        M6 * (b[13] * M6 + b[11] * M4 + b[9] * M2) + b[7] * M6 + b[5] * M4 + b[3] * M2 + b[1] * I;
    const Matrix U = M * inner;
    const Matrix V =
        M6 * (b[12] * M6 + b[10] * M4 + b[8] * M2) + b[6] * M6 + b[4] * M4 + b[2] * M2 + b[0] * I;
    return LinearSolver<Matrix>(V - U).solve(V + U);
}

// exp of an upper triangular matrix: after every squaring the diagonal and the one beside it are put right by
// formula, so that 1 - 10^-12 squared forty times is not lost.
Eigen::MatrixXcd triangular_exponential(const Eigen::MatrixXcd& T) {
    int squarings = 0;
    Eigen::MatrixXcd F = scaled_exponential<Eigen::MatrixXcd>(T, squarings);
    const Eigen::Index n = T.rows();
    for (int k = 0;; ++k) {
        const double scale = std::exp2(k - squarings);
        F = F.triangularView<Eigen::Upper>().toDenseMatrix();
        for (Eigen::Index i = 0; i < n; ++i) {
            const Complex a = scale * T(i, i);
            F(i, i) = std::exp(a);
            if (i + 1 == n) break;
            const Complex b = scale * T(i + 1, i + 1), half = (b - a) / 2.0;
            // (e^b - e^a)/(b - a)
            const Complex slope = std::abs(half) > 0.5    ? (std::exp(b) - std::exp(a)) / (b - a)
                                  : std::abs(half) > 1e-8 ? std::exp((a + b) / 2.0) * std::sinh(half) / half
                                                          : std::exp((a + b) / 2.0);
            F(i, i + 1) = scale * T(i, i + 1) * slope;
        }
        if (k >= squarings) return F;
        F = (F * F).eval();
    }
}

// The square root of an upper triangular matrix, superdiagonal after superdiagonal.
Eigen::MatrixXcd triangular_root(const Eigen::MatrixXcd& T) {
    const Eigen::Index n = T.rows();
    Eigen::MatrixXcd R = Eigen::MatrixXcd::Zero(n, n);
    for (Eigen::Index j = 0; j < n; ++j) {
        R(j, j) = std::sqrt(T(j, j));
        for (Eigen::Index i = j - 1; i >= 0; --i) {
            Complex sum = T(i, j);
            for (Eigen::Index k = i + 1; k < j; ++k) sum -= R(i, k) * R(k, j);
            R(i, j) = sum / (R(i, i) + R(j, j));
        }
    }
    return R;
}

// Nodes and weights of Gauss-Legendre quadrature on [0, 1] by Newton's method.
void gauss_legendre(int count, std::vector<double>& nodes, std::vector<double>& weights) {
    for (int i = 0; i < count; ++i) {
        double x = std::cos(M_PI * (i + 0.75) / (count + 0.5)), derivative = 0;
        for (int pass = 0; pass < 100; ++pass) {
            double p0 = 1, p1 = x;
            for (int k = 2; k <= count; ++k) {
                const double p2 = ((2 * k - 1) * x * p1 - (k - 1) * p0) / k;
                p0 = p1;
                p1 = p2;
            }
            derivative = count * (x * p1 - p0) / (x * x - 1);
            const double step = p1 / derivative;
            x -= step;
            if (std::abs(step) < 1e-16) break;
        }
        nodes.push_back(0.5 * (1 + x));
        weights.push_back(1 / ((1 - x * x) * derivative * derivative));
    }
}

}  // namespace

std::optional<Eigen::MatrixXd> matrix_exponential(const Eigen::MatrixXd& A) {
    const Eigen::Index n = A.rows();
    if (n == 0) return A;
    if (!A.allFinite()) return {};
    const Eigen::VectorXd d = balancing(A), inverse = d.cwiseInverse();
    const Eigen::MatrixXd M = inverse.asDiagonal() * A * d.asDiagonal();
    int squarings = 0;
    Eigen::MatrixXd E = scaled_exponential<Eigen::MatrixXd>(M, squarings);
    if (squarings > 1000) return {};
    for (int k = 0; k < squarings; ++k) E = (E * E).eval();
    E = (d.asDiagonal() * E * inverse.asDiagonal()).eval();
    if (!E.allFinite()) return {};
    return E;
}

std::optional<HoldExponential> hold_exponential(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) {
    const Eigen::Index n = A.rows(), m = B.cols();
    if (!A.allFinite() || !B.allFinite()) return {};
    constexpr double large = 100;
    const Eigen::VectorXd d = n > 0 ? balancing(A) : Eigen::VectorXd(), inverse = d.cwiseInverse();
    const Eigen::MatrixXd M = inverse.asDiagonal() * A * d.asDiagonal();
    if (n == 0 || one_norm(M) < large) {
        Eigen::MatrixXd joint = Eigen::MatrixXd::Zero(n + m, n + m);
        joint.topLeftCorner(n, n) = A;
        joint.topRightCorner(n, m) = B;
        const auto e = matrix_exponential(joint);
        if (!e) return {};
        return HoldExponential{e->topLeftCorner(n, n), e->topRightCorner(n, m)};
    }
    const auto schur = complex_schur(M);
    if (!schur || one_norm(M) > 1e300) return {};
    Eigen::MatrixXcd joint = Eigen::MatrixXcd::Zero(n + m, n + m);
    joint.topLeftCorner(n, n) = schur->T.triangularView<Eigen::Upper>();
    Eigen::MatrixXcd right = schur->U.adjoint() * (inverse.asDiagonal() * B).cast<Complex>();
    // In units of the input in which it does not govern the scaling.
    const double size = right.size() > 0 ? right.cwiseAbs().maxCoeff() : 0;
    const double unit = size > 0 ? std::exp2(std::round(std::log2(size))) : 1;
    joint.topRightCorner(n, m) = right / unit;
    const Eigen::MatrixXcd e = triangular_exponential(joint);
    HoldExponential out;
    out.E = d.asDiagonal() * (schur->U * e.topLeftCorner(n, n) * schur->U.adjoint()).real() *
            inverse.asDiagonal();
    out.F = d.asDiagonal() * (schur->U * e.topRightCorner(n, m)).real() * unit;
    if (!out.E.allFinite() || !out.F.allFinite()) return {};
    return out;
}

std::optional<Eigen::MatrixXd> matrix_logarithm(const Eigen::MatrixXd& A) {
    const Eigen::Index n = A.rows();
    if (n == 0) return A;
    const Eigen::VectorXd d = balancing(A), inverse = d.cwiseInverse();
    const auto schur = complex_schur(inverse.asDiagonal() * A * d.asDiagonal());
    if (!schur) return {};
    Eigen::MatrixXcd T = schur->T.triangularView<Eigen::Upper>();
    for (Eigen::Index i = 0; i < n; ++i) {
        const Complex value = T(i, i);
        if (std::abs(value) < 1e-14 ||
            (value.real() < 0 && std::abs(value.imag()) < 1e-9 * std::abs(value.real())))
            return {};
    }
    // Inverse scaling and squaring: log T = 2^k log T^(1/2^k); near I the integral of X (I + t X)^-1 over [0,
    // 1] with X = T - I by quadrature, which is the Padé approximant.
    const Eigen::MatrixXcd I = Eigen::MatrixXcd::Identity(n, n);
    int roots = 0;
    while ((T - I).norm() > 0.25 && roots < 100) {
        T = triangular_root(T);
        ++roots;
    }
    std::vector<double> nodes, weights;
    gauss_legendre(8, nodes, weights);
    const Eigen::MatrixXcd X = T - I;
    Eigen::MatrixXcd log = Eigen::MatrixXcd::Zero(n, n);
    for (std::size_t i = 0; i < nodes.size(); ++i)
        log += weights[i] * ComplexSolver(I + nodes[i] * X).solve(X);
    log *= std::exp2(roots);
    const Eigen::MatrixXd out =
        d.asDiagonal() * (schur->U * log * schur->U.adjoint()).real() * inverse.asDiagonal();
    if (!out.allFinite()) return {};
    return out;
}

}  // namespace cutset

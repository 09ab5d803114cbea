#include "control/matrix_functions.h"

#include <cmath>

#include "control/decompositions.h"

namespace cutset {

namespace {

using Complex = std::complex<double>;

double one_norm(const Eigen::MatrixXd& A) {
    return A.cwiseAbs().colwise().sum().maxCoeff();
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
    Eigen::MatrixXd M = inverse.asDiagonal() * A * d.asDiagonal();
    // Scaling and squaring with the diagonal Padé approximant of order 13 (Higham 2005).
    constexpr double theta = 5.371920351148152;
    const double norm = one_norm(M);
    const int squarings = norm > theta ? static_cast<int>(std::ceil(std::log2(norm / theta))) : 0;
    if (squarings > 1000) return {};
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
    const Eigen::MatrixXd I = Eigen::MatrixXd::Identity(n, n);
    const Eigen::MatrixXd M2 = M * M, M4 = M2 * M2, M6 = M4 * M2;
    const Eigen::MatrixXd inner =
        M6 * (b[13] * M6 + b[11] * M4 + b[9] * M2) + b[7] * M6 + b[5] * M4 + b[3] * M2 + b[1] * I;
    const Eigen::MatrixXd U = M * inner;
    const Eigen::MatrixXd V =
        M6 * (b[12] * M6 + b[10] * M4 + b[8] * M2) + b[6] * M6 + b[4] * M4 + b[2] * M2 + b[0] * I;
    Eigen::MatrixXd E = RealSolver(V - U).solve(V + U);
    for (int k = 0; k < squarings; ++k) E = (E * E).eval();
    E = (d.asDiagonal() * E * inverse.asDiagonal()).eval();
    if (!E.allFinite()) return {};
    return E;
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

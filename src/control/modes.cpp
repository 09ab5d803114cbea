#include "control/modes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "control/decompositions.h"

namespace cutset {

namespace {

using Complex = std::complex<double>;

// An eigenvalue of which w^H v is smaller than this (for unit vectors) is taken together with its neighbours.
constexpr double ill_conditioned = 1e-4;
// A k-fold eigenvalue is computed as a circle of radius eps^(1/k): neighbours are looked for up to triple
// ones.
constexpr double neighbourhood = 1e-4;

bool before(const Complex& a, const Complex& b, bool sampled) {
    const double x = sampled ? std::abs(a) : a.real(), y = sampled ? std::abs(b) : b.real();
    // The two of a pair are conjugate to the last bit, so that they stay together.
    if (x != y) return x > y;
    if (std::abs(a.imag()) != std::abs(b.imag())) return std::abs(a.imag()) < std::abs(b.imag());
    if (a.imag() != b.imag()) return a.imag() > b.imag();
    return a.real() > b.real();
}

std::vector<std::size_t> order_of(const std::vector<Complex>& values, bool sampled) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t i, std::size_t j) { return before(values[i], values[j], sampled); });
    return order;
}

std::vector<double> shares(const Eigen::VectorXd& sizes) {
    const double sum = sizes.sum();
    std::vector<double> out(sizes.data(), sizes.data() + sizes.size());
    for (double& share : out) share = sum > 0 ? share / sum : 1.0 / static_cast<double>(out.size());
    return out;
}

// The diagonal of the spectral projector of the eigenvalues near `centre`.
std::optional<Eigen::VectorXd> projector_diagonal(const RealSchur& whole, const Complex& centre,
                                                  double radius) {
    RealSchur schur = whole;
    const Eigen::Index n = schur.T.rows();
    std::vector<int> select(n);
    for (Eigen::Index i = 0; i < n; ++i) {
        // Both of a pair, so that the subspace is real.
        const double distance =
            std::min(std::abs(schur.values[i] - centre), std::abs(schur.values[i] - std::conj(centre)));
        select[i] = distance <= radius;
    }
    const Eigen::Index m = std::count(select.begin(), select.end(), 1);
    if (!reorder(schur, select)) return {};
    if (m == n) return Eigen::VectorXd::Ones(n);
    // T11 R - R T22 = T12, P = Q1 (Q1^T + R Q2^T)
    const auto R = solve_triangular_sylvester(schur.T.topLeftCorner(m, m), false,
                                              schur.T.bottomRightCorner(n - m, n - m), false, -1,
                                              schur.T.topRightCorner(m, n - m));
    if (!R) return {};
    const Eigen::MatrixXd Q1 = schur.Q.leftCols(m);
    const Eigen::MatrixXd Y = Q1.transpose() + *R * schur.Q.rightCols(n - m).transpose();
    return Q1.cwiseProduct(Y.transpose()).rowwise().sum().cwiseAbs();
}

// By how much relative changes of the elements of A, each by itself, may move an eigenvalue: to first order
// |w|^T |A| |v| / |w^H v|, which does not depend on the units of the states. Of m eigenvalues that are
// (nearly) one without eigenvectors of their own, the m-th root of the change.
double rounding_of(const std::vector<Complex>& values, std::size_t i, const Eigen::VectorXd& left,
                   const Eigen::VectorXd& right, const Eigen::VectorXd& moved, double overlap,
                   double nearest) {
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    const auto n = static_cast<double>(values.size());
    const double change = 4 * n * epsilon, turned = left.dot(moved);
    const double first = change * turned / std::max(overlap, epsilon * epsilon);
    if (first < 0.5 * nearest || turned == 0) return first;
    const double scale = turned / std::max(left.dot(right), epsilon);
    for (double m = 2; m <= n; ++m) {
        const double radius = scale * std::pow(change, 1 / m);
        const auto near = std::count_if(values.begin(), values.end(), [&](const Complex& value) {
            return std::abs(value - values[i]) <= 4 * radius;
        });
        if (static_cast<double>(near) <= m) return std::min(first, radius);
    }
    return first;
}

}  // namespace

Mode mode_of(Complex value, std::optional<double> sample_time) {
    Mode mode;
    mode.eigenvalue = value;
    if (sample_time && value == Complex(0)) return mode;  // dies out in one period
    const Complex s = sample_time ? std::log(value) / *sample_time : value;
    mode.frequency = std::abs(s);
    if (mode.frequency > 0) mode.damping = -s.real() / mode.frequency + 0.0;
    if (s.real() != 0) mode.time_constant = -1 / s.real();
    return mode;
}

void sort_poles(std::vector<Complex>& values, bool sampled) {
    std::stable_sort(values.begin(), values.end(),
                     [&](const Complex& a, const Complex& b) { return before(a, b, sampled); });
}

Complex Mode::settled(bool sampled) const {
    if (sampled) {
        const double size = std::abs(eigenvalue);
        if (size == 0 || std::abs(size - 1) > rounding) return eigenvalue;
        if (std::abs(eigenvalue - 1.0) <= rounding) return 1;
        return eigenvalue / size;
    }
    if (std::abs(eigenvalue) <= rounding) return 0;
    return std::abs(eigenvalue.real()) <= rounding ? Complex(0, eigenvalue.imag()) : eigenvalue;
}

bool Mode::on_border(bool sampled) const {
    return sampled ? std::abs(std::abs(eigenvalue) - 1) <= rounding : std::abs(eigenvalue.real()) <= rounding;
}

std::optional<std::vector<Mode>> modes(const Eigen::MatrixXd& A, std::optional<double> sample_time,
                                       bool with_participation) {
    const auto eigen = eigen_decomposition(A, with_participation);
    if (!eigen) return {};
    const Eigen::Index n = A.rows();
    std::optional<RealSchur> schur;
    std::vector<Mode> out;
    double spread = 0;
    for (const Complex& value : eigen->values) spread = std::max(spread, std::abs(value));
    const Eigen::MatrixXd moved =
        with_participation ? Eigen::MatrixXd(A.cwiseAbs() * eigen->right.cwiseAbs()) : Eigen::MatrixXd();
    for (std::size_t i : order_of(eigen->values, sample_time.has_value())) {
        Mode mode = mode_of(eigen->values[i], sample_time);
        if (with_participation) {
            const Eigen::VectorXd sizes =
                eigen->right.col(i).cwiseProduct(eigen->left.col(i).conjugate()).cwiseAbs();
            // dgeev gives vectors of length 1. A simple eigenvalue may be ill-conditioned by the units of the
            // states only; what counts is that no eigenvalue is near.
            const Complex overlap = eigen->left.col(i).dot(eigen->right.col(i));
            double nearest = INFINITY;
            for (Eigen::Index j = 0; j < n; ++j)
                if (j != static_cast<Eigen::Index>(i))
                    nearest = std::min(nearest, std::abs(eigen->values[j] - eigen->values[i]));
            mode.rounding =
                rounding_of(eigen->values, i, eigen->left.col(i).cwiseAbs(), eigen->right.col(i).cwiseAbs(),
                            moved.col(i), std::abs(overlap), nearest);
            const double radius = neighbourhood * std::max(spread, 1e-300);
            const bool clustered = std::abs(overlap) < ill_conditioned && nearest <= radius;
            if (clustered) {
                if (!schur) schur = real_schur(A);
                const auto diagonal = schur ? projector_diagonal(*schur, mode.eigenvalue, radius)
                                            : std::optional<Eigen::VectorXd>{};
                mode.participation = shares(diagonal ? *diagonal : sizes);
            } else {
                mode.participation = shares(sizes);
            }
        }
        out.push_back(std::move(mode));
    }
    return out;
}

std::optional<std::vector<Complex>> settled_poles(const Eigen::MatrixXd& A,
                                                  std::optional<double> sample_time) {
    const auto found = modes(A, sample_time);
    if (!found) return {};
    std::vector<Complex> out;
    for (const Mode& mode : *found) out.push_back(mode.settled(sample_time.has_value()));
    return out;
}

std::optional<std::vector<Complex>> poles(const Eigen::MatrixXd& A, std::optional<double> sample_time) {
    const auto eigen = eigen_decomposition(A, false);
    if (!eigen) return {};
    std::vector<Complex> out;
    for (std::size_t i : order_of(eigen->values, sample_time.has_value())) out.push_back(eigen->values[i]);
    return out;
}

std::vector<Participant> participants(const Mode& mode, std::size_t most, double least) {
    std::vector<Participant> out;
    for (std::size_t i = 0; i < mode.participation.size(); ++i)
        out.push_back({static_cast<Eigen::Index>(i), mode.participation[i]});
    std::stable_sort(out.begin(), out.end(),
                     [](const Participant& a, const Participant& b) { return a.share > b.share; });
    std::size_t kept = 0;
    while (kept < out.size() && kept < most && out[kept].share >= least * out[0].share) ++kept;
    out.resize(kept);
    return out;
}

}  // namespace cutset

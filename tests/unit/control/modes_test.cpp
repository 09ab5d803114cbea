#include "control/modes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "control/decompositions.h"

namespace cutset {
namespace {

// What rounding may do decides what lies on the border.
TEST(Modes, Border) {
    const auto stable = [](const Eigen::MatrixXd& A) {
        const auto found = modes(A);
        return found &&
               std::all_of(found->begin(), found->end(), [](const Mode& m) { return m.stable(false); });
    };
    Eigen::MatrixXd A(2, 2);
    A << -2, -1, 1, 0;  // (s+1)²
    EXPECT_TRUE(stable(A));
    A << -1e-6, 0, 0, -1e6;
    EXPECT_TRUE(stable(A));
    A << -1e6, -1, 1, 0;  // about (s+10⁻⁶)(s+10⁶)
    EXPECT_TRUE(stable(A));
    A << 0, 1, -4, 0;
    EXPECT_FALSE(stable(A));
    // (s+1)^n in companion form.
    for (Eigen::Index n : {3, 5, 8, 10}) {
        Eigen::MatrixXd C = Eigen::MatrixXd::Zero(n, n);
        double c = 1;
        for (Eigen::Index k = 0; k < n; ++k) {
            c = c * static_cast<double>(n - k) / static_cast<double>(k + 1);
            C(0, k) = -c;
            if (k > 0) C(k, k - 1) = 1;
        }
        EXPECT_TRUE(stable(C)) << n;
    }
    // An undamped oscillator and two integrators, turned out of sight: all on the border.
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(5, 5), T(5, 5);
    J(0, 1) = 3;
    J(1, 0) = -3;
    J(2, 3) = 1;
    J(4, 4) = -2;
    for (Eigen::Index i = 0; i < 5; ++i)
        for (Eigen::Index k = 0; k < 5; ++k)
            T(i, k) = std::cos(1.7 * static_cast<double>(i * 5 + k)) + (i == k ? 2 : 0);
    const auto found = modes(T * J * RealSolver(T).solve(Eigen::MatrixXd::Identity(5, 5)));
    ASSERT_TRUE(found);
    EXPECT_EQ(std::count_if(found->begin(), found->end(), [](const Mode& m) { return m.on_border(false); }),
              4);
    EXPECT_EQ(std::count_if(found->begin(), found->end(), [](const Mode& m) { return m.stable(false); }), 1);
}

// x'' + 2 z w x' + w^2 x = 0 with w = 3, z = 0.2.
TEST(Modes, OscillatorHasFrequencyAndDamping) {
    Eigen::MatrixXd A(2, 2);
    A << 0, 1, -9, -1.2;
    const auto found = modes(A);
    ASSERT_TRUE(found);
    ASSERT_EQ(found->size(), 2u);
    const Mode& first = (*found)[0];
    EXPECT_GT(first.eigenvalue.imag(), 0);
    EXPECT_NEAR(first.frequency, 3, 1e-13);
    EXPECT_NEAR(*first.damping, 0.2, 1e-13);
    EXPECT_NEAR(*first.time_constant, 1 / 0.6, 1e-12);
    EXPECT_NEAR(first.participation[0], 0.5, 1e-12);
    EXPECT_EQ((*found)[1].eigenvalue, std::conj(first.eigenvalue));
}

TEST(Modes, UnstableFirstAndSharesOfTriangularSystem) {
    Eigen::MatrixXd A(3, 3);
    A << -1, 0, 0, 5, -10, 0, 0, 0, 2;
    const auto found = modes(A);
    ASSERT_TRUE(found);
    EXPECT_NEAR((*found)[0].eigenvalue.real(), 2, 1e-14);
    EXPECT_NEAR((*found)[0].participation[2], 1, 1e-14);
    EXPECT_NEAR((*found)[1].eigenvalue.real(), -1, 1e-14);
    EXPECT_NEAR((*found)[1].participation[0], 1, 1e-14);
    EXPECT_NEAR((*found)[2].participation[1], 1, 1e-14);
    const auto first = participants((*found)[1]);
    ASSERT_EQ(first.size(), 1u);
    EXPECT_EQ(first[0].state, 0);
}

// Shares do not depend on units: metres or micrometres.
TEST(Modes, SharesDoNotDependOnUnits) {
    Eigen::MatrixXd A(3, 3);
    A << -1, 2, 0.5, -3, -1, 1, 0.2, 0.1, -0.7;
    const Eigen::Vector3d unit(1, 1e6, 1e-6);
    const Eigen::MatrixXd scaled = unit.asDiagonal() * A * unit.cwiseInverse().asDiagonal();
    const auto a = modes(A), b = modes(scaled);
    ASSERT_TRUE(a && b);
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) EXPECT_NEAR((*a)[i].participation[k], (*b)[i].participation[k], 1e-9);
}

// Two integrators in a row have one eigenvector only, yet both states take part, and the third state does
// not.
TEST(Modes, DefectiveEigenvalue) {
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(3, 3);
    A(0, 1) = 1;
    A(2, 2) = -5;
    A(2, 0) = 1;
    const auto found = modes(A);
    ASSERT_TRUE(found);
    EXPECT_NEAR((*found)[0].participation[0], 0.5, 1e-12);
    EXPECT_NEAR((*found)[0].participation[1], 0.5, 1e-12);
    EXPECT_NEAR((*found)[2].participation[2], 1, 1e-12);
    EXPECT_FALSE((*found)[0].damping);
    EXPECT_FALSE((*found)[0].time_constant);
}

// z = exp(s T) of s = -1 + 2i, T = 0.1.
TEST(Modes, SampledSystemInTermsOfContinuousTime) {
    const std::complex<double> s(-1, 2), z = std::exp(s * 0.1);
    Eigen::MatrixXd A(2, 2);
    A << z.real(), z.imag(), -z.imag(), z.real();
    const auto found = modes(A, 0.1);
    ASSERT_TRUE(found);
    EXPECT_NEAR((*found)[0].frequency, std::sqrt(5.0), 1e-12);
    EXPECT_NEAR(*(*found)[0].damping, 1 / std::sqrt(5.0), 1e-12);
    EXPECT_TRUE((*found)[0].stable(true));
}

TEST(Modes, NothingOfWhatIsNotFinite) {
    EXPECT_FALSE(modes(Eigen::MatrixXd::Constant(2, 2, NAN)));
    EXPECT_TRUE(modes(Eigen::MatrixXd(0, 0))->empty());
}

}  // namespace
}  // namespace cutset

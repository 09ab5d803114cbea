// Transfer functions and loci of high order, from their roots.
#include <gtest/gtest.h>

#include <numbers>

#include "control/chain_realization.h"
#include "control/decompositions.h"
#include "control/factored_roots.h"
#include "control/time_response.h"

namespace cutset {

namespace {

// C (sI - A)^-1 B + D
Complex value_of(const StateSpace& s, Complex at) {
    const Eigen::MatrixXcd M = at * Eigen::MatrixXcd::Identity(s.order(), s.order()) - s.A.cast<Complex>();
    const Eigen::VectorXcd x = ComplexSolver(M).solve(s.B.cast<Complex>());
    return (s.C.cast<Complex>() * x)(0) + s.D(0, 0);
}

void expect_same(const TransferFunction& g) {
    const StateSpace s = chain_realization(g);
    EXPECT_EQ(s.order(), static_cast<Eigen::Index>(g.poles.size()));
    for (const Complex at : {Complex(0.3, 0), Complex(0, 0.7), Complex(0.1, 2.5), Complex(40, 3)})
        EXPECT_LE(std::abs(value_of(s, at) - g.at(at)), 1e-11 * std::abs(g.at(at))) << at;
}

}  // namespace

TEST(ChainRealization, HasTheTransferFunction) {
    const Complex i(0, 1);
    expect_same({{}, std::vector<Complex>(40, -1.0), 3, 0, {}});
    expect_same({{-2.0, -3.0}, {-1.0, -4.0, -5.0}, -2, 0, {}});
    // A pair of zeros on real poles, real zeros on a pair of poles, as many zeros as poles.
    expect_same({{-0.1 + i, -0.1 - i}, {-1.0, -1e4}, 7, 0, {}});
    expect_same({{-2.0, -3.0}, {-1.0 + 2.0 * i, -1.0 - 2.0 * i}, 1, 0, {}});
    expect_same({{-0.1 + i, -0.1 - i, 5.0}, {-1.0, -2.0, -0.2 + 3.0 * i, -0.2 - 3.0 * i}, 1, 0, {}});
    expect_same({{}, {0.0, 0.0, -1.0}, 1, 0, {}});
    expect_same({{0.5}, {0.9, 0.3 + 0.2 * i, 0.3 - 0.2 * i}, 1, 0, 0.1});
    const TransferFunction zero{{}, {}, 0, 0, {}}, five{{}, {}, 5, 0, {}};
    EXPECT_EQ(chain_realization(zero).D(0, 0), 0);
    EXPECT_EQ(chain_realization(five).D(0, 0), 5);
}

TEST(ChainRealization, KeepsMultiplePoles) {
    EXPECT_EQ(step_end(TransferFunction{{}, std::vector<Complex>(200, -1.0), 1, 0, {}}), StepEnd::Settles);
    EXPECT_EQ(step_end(TransferFunction{{}, {0.0, -1.0}, 1, 0, {}}), StepEnd::Grows);
    EXPECT_EQ(step_end(TransferFunction{{}, {1.0, -1.0}, 1, 0, {}}), StepEnd::Grows);
    const Complex i(0, 1);
    EXPECT_EQ(step_end(TransferFunction{{}, {i, -i}, 1, 0, {}}), StepEnd::Oscillates);
    EXPECT_EQ(step_end(TransferFunction{{}, {i, i, -i, -i}, 1, 0, {}}), StepEnd::Grows);
    EXPECT_EQ(step_end(TransferFunction{{}, {i, -i, 1.0}, 1, 0, {}}), StepEnd::Grows);
}

TEST(FactoredRoots, OfAMultiplePole) {
    const std::size_t n = 60;
    const FactoredRoots f(std::vector<Complex>(n, -1.0), {}, 1);
    std::vector<Complex> guess;
    for (std::size_t k = 0; k < n; ++k) guess.push_back(std::polar(1.0, 0.1 * static_cast<double>(k)));
    for (double gain : {1e-20, 1.0, 1e25}) {
        const auto roots = f.all(gain, guess);
        ASSERT_TRUE(roots);
        const double radius = std::pow(gain, 1.0 / static_cast<double>(n));
        for (std::size_t k = 0; k < n; ++k) {
            const Complex exact =
                -1.0 + std::polar(radius, std::numbers::pi * (2.0 * static_cast<double>(k) + 1) /
                                              static_cast<double>(n));
            double nearest = INFINITY;
            for (const Complex& r : *roots) nearest = std::min(nearest, std::abs(r - exact));
            EXPECT_LE(nearest, 1e-13 * std::max(1.0, radius));
        }
    }
    EXPECT_TRUE(f.meetings().empty());
}

TEST(FactoredRoots, MeetBetweenPoles) {
    // s (s+1) ... (s+19): between two poles each, symmetric about -9.5.
    std::vector<Complex> poles;
    for (int k = 0; k < 20; ++k) poles.emplace_back(-k);
    const FactoredRoots f(poles, {}, 1);
    auto meetings = f.meetings();
    ASSERT_EQ(meetings.size(), 19u);
    sort_roots(meetings);
    for (int k = 0; k < 19; ++k) {
        EXPECT_EQ(meetings[k].imag(), 0);
        EXPECT_GT(meetings[k].real(), k - 19);
        EXPECT_LT(meetings[k].real(), k - 18);
        EXPECT_NEAR(meetings[k].real() + meetings[18 - k].real(), -19, 1e-11);
    }
    // With a zero: (s+3)/(s (s+1)) leaves at -3 ± sqrt 6.
    auto two = FactoredRoots({0.0, -1.0}, {-3.0}, 1).meetings();
    ASSERT_EQ(two.size(), 2u);
    sort_roots(two);
    EXPECT_NEAR(two[0].real(), -3 - std::sqrt(6.0), 1e-13);
    EXPECT_NEAR(two[1].real(), -3 + std::sqrt(6.0), 1e-13);
}

}  // namespace cutset

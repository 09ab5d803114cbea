// Collocation schemes: known points, exactness for polynomials, order of convergence.
#include "numerics/nonlinear/collocation.h"

#include <gtest/gtest.h>

#include <cmath>

namespace cutset {
namespace {

TEST(Collocation, GaussAndRadauPointsAreTheKnownOnes) {
    const CollocationScheme gauss = gauss_collocation(2), radau = radau_collocation(3);
    EXPECT_NEAR(gauss.nodes[1], 0.5 - std::sqrt(3.0) / 6, 1e-15);
    EXPECT_NEAR(gauss.nodes[2], 0.5 + std::sqrt(3.0) / 6, 1e-15);
    EXPECT_NEAR(radau.nodes[1], (4 - std::sqrt(6.0)) / 10, 1e-15);
    EXPECT_NEAR(radau.nodes[2], (4 + std::sqrt(6.0)) / 10, 1e-15);
    EXPECT_EQ(radau.nodes[3], 1);
    EXPECT_NEAR(radau.weights[2], 1.0 / 9, 1e-14);
}

TEST(Collocation, PolynomialsAreDifferentiatedAndIntegratedExactly) {
    for (std::size_t stages = 1; stages <= 8; ++stages)
        for (const CollocationScheme& s : {gauss_collocation(stages), radau_collocation(stages)})
            for (std::size_t power = 0; power <= stages; ++power) {
                const auto f = [&](double t) { return std::pow(t, double(power)); };
                for (std::size_t k = 0; k < stages; ++k) {
                    double slope = 0;
                    for (std::size_t l = 0; l <= stages; ++l) slope += s.d(k, l) * f(s.nodes[l]);
                    const double exact =
                        power == 0 ? 0 : double(power) * std::pow(s.nodes[k + 1], double(power) - 1);
                    EXPECT_NEAR(slope, exact, 1e-10) << stages << " " << power;
                }
                double end = 0, integral = 0;
                for (std::size_t l = 0; l <= stages; ++l) end += s.end[l] * f(s.nodes[l]);
                for (std::size_t k = 0; k < stages; ++k) integral += s.weights[k] * f(s.nodes[k + 1]);
                EXPECT_NEAR(end, 1, 1e-11);
                if (power < stages) EXPECT_NEAR(integral, 1 / (double(power) + 1), 1e-12);
            }
}

TEST(Collocation, IntervalsAreDividedByTheirErrors) {
    const std::vector<double> errors{1e-9, 1e-5, 1, INFINITY};
    const std::vector<std::size_t> parts = interval_parts(errors, 1e-6, 4, 4);
    EXPECT_EQ(parts, (std::vector<std::size_t>{1, 2, 4, 4}));
    const std::vector<double> mesh =
        divide_mesh(std::vector<double>{0, 0.5, 1}, std::vector<std::size_t>{1, 2});
    EXPECT_EQ(mesh, (std::vector<double>{0, 0.5, 0.75, 1}));
}

}  // namespace
}  // namespace cutset

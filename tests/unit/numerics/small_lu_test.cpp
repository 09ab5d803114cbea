#include "numerics/small_lu.h"

#include <gtest/gtest.h>

#include <random>

namespace cutset {
namespace {

TEST(SmallLu, SolvesRandomSystemsOfAllSizesAndScales) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> number(-1, 1);
    for (std::size_t n = 1; n <= SmallLu::most; ++n)
        for (int round = 0; round < 50; ++round) {
            double a[SmallLu::most][SmallLu::most], x[SmallLu::most], b[SmallLu::most] = {};
            SmallLu lu;
            lu.clear(n);
            for (std::size_t i = 0; i < n; ++i) {
                const double scale = std::pow(10, 20 * number(random));
                for (std::size_t j = 0; j < n; ++j)
                    lu.at(i, j) = a[i][j] = scale * (number(random) + (i == (j + 1) % n ? 3 : 0));
            }
            for (std::size_t i = 0; i < n; ++i) x[i] = number(random);
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t j = 0; j < n; ++j) b[i] += a[i][j] * x[j];
            ASSERT_TRUE(lu.factor(1e-6));
            double found[SmallLu::most];
            lu.solve(b, found);
            for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(found[i], x[i], 1e-12);
        }
}

TEST(SmallLu, TellsWhatItCannotFactor) {
    const auto factors = [](std::initializer_list<double> elements) {
        SmallLu lu;
        lu.clear(2);
        const double* e = elements.begin();
        for (std::size_t i = 0; i < 2; ++i)
            for (std::size_t j = 0; j < 2; ++j) lu.at(i, j) = *e++;
        return lu.factor(1e-6);
    };
    EXPECT_TRUE(factors({0, 1, 1, 0}));
    EXPECT_FALSE(factors({1, 2, 2, 4}));
    EXPECT_FALSE(factors({1, 2, 1, 2 + 1e-8}));
    EXPECT_FALSE(factors({0, 0, 1, 1}));
    EXPECT_FALSE(factors({NAN, 1, 1, 1}));
    EXPECT_FALSE(factors({1, NAN, 1, 1}));
    EXPECT_FALSE(factors({1, NAN, 0, 1}));  // where no elimination meets it
    EXPECT_FALSE(factors({1, INFINITY, 0, 1}));
    EXPECT_FALSE(factors({INFINITY, 1, 1, 1}));
}

}  // namespace
}  // namespace cutset

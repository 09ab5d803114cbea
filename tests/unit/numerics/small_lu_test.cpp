#include "numerics/linear/small_lu.h"

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

// Matrices that move slowly, with a jump now and then for which the old order of rows and their scales are
// bad.
TEST(SmallLu, FollowsMatricesThatChange) {
    std::mt19937 random(2);
    std::uniform_real_distribution<double> number(-1, 1);
    for (std::size_t n = 1; n <= SmallLu::most; ++n) {
        SmallLu lu;
        double a[SmallLu::most][SmallLu::most];
        for (int round = 0; round < 400; ++round) {
            for (std::size_t i = 0; i < n; ++i) {
                const double scale = std::pow(10, 10 * number(random));
                for (std::size_t j = 0; j < n; ++j)
                    if (round % 37 == 0)
                        a[i][j] = scale * (number(random) + (i == (j + std::size_t(round)) % n ? 3 : 0));
                    else
                        a[i][j] *= 1 + 0.01 * number(random);
            }
            double x[SmallLu::most], b[SmallLu::most] = {}, found[SmallLu::most];
            for (std::size_t i = 0; i < n; ++i) x[i] = number(random);
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t j = 0; j < n; ++j) b[i] += a[i][j] * x[j];
            const auto fill = [&](SmallLu& to) {
                for (std::size_t i = 0; i < n; ++i)
                    for (std::size_t j = 0; j < n; ++j) to.at(i, j) = a[i][j];
            };
            ASSERT_TRUE(lu.factor_next(n, fill, 1e-6));
            lu.solve(b, found);
            for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(found[i], x[i], 1e-11) << n << " " << round;
        }
        // What cannot be factored is reported with an order at hand too.
        for (const double bad : {double(NAN), double(INFINITY)})
            for (std::size_t place = 0; place < n * n; ++place) {
                a[place / n][place % n] += place == 0 ? 1e-3 : 0;
                const auto fill = [&](double element) {
                    return [&, element](SmallLu& to) {
                        for (std::size_t i = 0; i < n; ++i)
                            for (std::size_t j = 0; j < n; ++j)
                                to.at(i, j) = i * n + j == place ? element : a[i][j];
                    };
                };
                ASSERT_TRUE(lu.factor_next(n, fill(a[place / n][place % n]), 1e-6));
                EXPECT_FALSE(lu.factor_next(n, fill(bad), 1e-6));
            }
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

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "ir/flat_model.h"

namespace cutset {
namespace {

TableData table(std::vector<double> x, std::vector<double> values, Interpolation i = Interpolation::Linear,
                Outside o = Outside::Hold) {
    TableData t;
    t.x = std::move(x);
    t.values = std::move(values);
    t.interpolation = i;
    t.outside = o;
    return t;
}

double at(const TableData& t, double x, int dx = 0) {
    bool outside = false;
    return table_value(t, x, 0, dx, 0, outside);
}

TEST(Tables, LinearBetweenPoints) {
    const TableData t = table({0, 1, 3}, {10, 20, 0});
    EXPECT_EQ(at(t, 0), 10);
    EXPECT_EQ(at(t, 0.25), 12.5);
    EXPECT_EQ(at(t, 1), 20);
    EXPECT_EQ(at(t, 2), 10);
    EXPECT_EQ(at(t, 3), 0);
    EXPECT_EQ(at(t, 0.5, 1), 10);
    EXPECT_EQ(at(t, 2, 1), -10);
    EXPECT_EQ(at(t, 2, 2), 0);
}

TEST(Tables, OutsideTheRange) {
    bool outside = false;
    TableData t = table({0, 1, 3}, {10, 20, 0});
    EXPECT_EQ(table_value(t, -1, 0, 0, 0, outside), 10);
    EXPECT_TRUE(outside);
    EXPECT_EQ(at(t, 5), 0);
    EXPECT_EQ(at(t, 5, 1), 0);
    outside = false;
    table_value(t, 3, 0, 0, 0, outside);
    EXPECT_FALSE(outside);
    t.outside = Outside::Extrapolate;
    EXPECT_EQ(at(t, -1), 0);
    EXPECT_EQ(at(t, 4), -10);
    EXPECT_EQ(at(t, 4, 1), -10);
    EXPECT_TRUE(std::isnan(at(t, NAN)));
    EXPECT_EQ(at(table({2}, {7}), 2), 7);
    EXPECT_EQ(at(table({2}, {7}), 3), 7);
}

TEST(Tables, SmoothHasTheSlopesOfPchip) {
    const TableData t = table({0, 1, 2.5, 4, 5}, {0, 1, 1.5, 6, 6}, Interpolation::Smooth);
    // Slopes by hand: at 1 with h = 1, 1.5 and chords 1, 1/3: w = 4, 3.5; 7.5/(4/1 + 3.5*3)
    EXPECT_NEAR(at(t, 1, 1), 7.5 / (4 + 10.5), 1e-14);
    // at 2.5 with h = 1.5, 1.5 and chords 1/3, 3: 9/(4.5*3 + 4.5/3)
    EXPECT_NEAR(at(t, 2.5, 1), 9 / (13.5 + 1.5), 1e-14);
    // at 4 the next chord is 0: an extremum
    EXPECT_EQ(at(t, 4, 1), 0);
    EXPECT_EQ(at(t, 4.5), 6);
    // at 0: ((2*1 + 1.5)*1 - 1*(1/3))/(2.5)
    EXPECT_NEAR(at(t, 0, 1), (3.5 - 1.0 / 3) / 2.5, 1e-14);
    // Hermite cubic half way between 1 and 2.5: mean of values + h/8*(m0 - m1)
    EXPECT_NEAR(at(t, 1.75), 1.25 + 1.5 / 8 * (7.5 / 14.5 - 9.0 / 15), 1e-14);
}

TEST(Tables, SmoothIsMonotoneAndHasContinuousSlopes) {
    std::mt19937 random(7);
    for (int trial = 0; trial < 50; ++trial) {
        std::vector<double> x{0}, y{0};
        for (int i = 0; i < 6; ++i) {
            x.push_back(x.back() + 0.1 + (random() % 100) / 50.0);
            y.push_back(y.back() + (random() % 3 ? (random() % 100) / 20.0 : 0));
        }
        const TableData t = table(x, y, Interpolation::Smooth);
        double last = -1;
        for (double s = x.front(); s <= x.back(); s += 0.01) {
            EXPECT_GE(at(t, s), last - 1e-12);
            last = at(t, s);
        }
        for (std::size_t i = 1; i + 1 < x.size(); ++i) {
            EXPECT_NEAR(at(t, x[i]), y[i], 1e-12);
            EXPECT_NEAR(at(t, x[i] - 1e-9, 1), at(t, x[i] + 1e-9, 1), 1e-5);
        }
    }
}

TEST(Tables, DerivativesAgreeWithDifferences) {
    std::mt19937 random(11);
    const auto number = [&](double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(random);
    };
    for (const Interpolation interpolation : {Interpolation::Linear, Interpolation::Smooth}) {
        for (const Outside outside : {Outside::Hold, Outside::Extrapolate}) {
            for (int trial = 0; trial < 40; ++trial) {
                TableData t;
                t.interpolation = interpolation;
                t.outside = outside;
                for (int i = 0; i < 5; ++i) t.x.push_back(i + number(0, 0.5));
                if (trial % 2)
                    for (int i = 0; i < 4; ++i) t.y.push_back(i + number(0, 0.5));
                const std::size_t n = t.x.size() * std::max<std::size_t>(1, t.y.size());
                for (std::size_t i = 0; i < n; ++i) t.values.push_back(number(-3, 3));
                for (int point = 0; point < 20; ++point) {
                    const double x = number(-1, 6), y = number(-1, 5), h = 1e-5;
                    bool left = false;
                    const auto f = [&](double a, double b, int dx, int dy) {
                        return table_value(t, a, b, dx, dy, left);
                    };
                    for (const auto& [dx, dy] : {std::pair(0, 0), {1, 0}, {0, 1}}) {
                        const auto check = [&](double exact, auto move) {
                            const double central = (move(h) - move(-h)) / (2 * h);
                            const double above = (move(h) - move(0)) / h, below = (move(0) - move(-h)) / h;
                            if (std::abs(above - below) > 1e-2) return;  // a kink
                            EXPECT_NEAR(exact, central, 1e-4 * (1 + std::abs(central)))
                                << x << " " << y << " order " << dx << dy;
                        };
                        check(f(x, y, dx + 1, dy), [&](double s) { return f(x + s, y, dx, dy); });
                        check(f(x, y, dx, dy + 1), [&](double s) { return f(x, y + s, dx, dy); });
                    }
                }
            }
        }
    }
}

TEST(Tables, BilinearIsExactForBilinearData) {
    TableData t;
    t.x = {0, 1, 3};
    t.y = {0, 2, 5};
    t.outside = Outside::Extrapolate;
    for (double x : t.x)
        for (double y : t.y) t.values.push_back(1 + 2 * x - 3 * y + 0.5 * x * y);
    bool outside = false;
    for (double x : {-1.0, 0.5, 2.0, 4.0})
        for (double y : {-2.0, 1.0, 3.0, 7.0}) {
            EXPECT_NEAR(table_value(t, x, y, 0, 0, outside), 1 + 2 * x - 3 * y + 0.5 * x * y, 1e-12);
            EXPECT_NEAR(table_value(t, x, y, 1, 1, outside), 0.5, 1e-12);
        }
}

}  // namespace
}  // namespace cutset

#include "numerics/linear/eigenvalues.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace cutset {
namespace {

// A pendulum that stands: x'' = x, and one that hangs: x'' = -4x.
TEST(Eigenvalues, GrowthAndFrequency) {
    const std::vector<double> stands{0, 1, 1, 0}, hangs{0, -4, 1, 0};  // by columns
    double growth = 0, frequency = 0;
    for (const auto& value : eigenvalues(2, stands)) growth = std::max(growth, value.real());
    for (const auto& value : eigenvalues(2, hangs)) {
        EXPECT_NEAR(value.real(), 0, 1e-14);
        frequency = std::max(frequency, value.imag());
    }
    EXPECT_NEAR(growth, 1, 1e-14);
    EXPECT_NEAR(frequency, 2, 1e-14);
}

TEST(Eigenvalues, NothingOfWhatIsNotFinite) {
    const std::vector<double> a{1, 0, std::numeric_limits<double>::quiet_NaN(), 1};
    EXPECT_TRUE(eigenvalues(2, a).empty());
    EXPECT_TRUE(eigenvalues(0, {}).empty());
}

}  // namespace
}  // namespace cutset

// Small questions to a FlatModel: names of derivatives, nominal values.
#include "ir/flat_model.h"

#include <gtest/gtest.h>

#include <limits>

#include "ir/find_variables.h"

namespace cutset {
namespace {

TEST(DifferentiatedPath, IsInsideDer) {
    EXPECT_EQ(differentiated_path("der(a.x[1])"), "a.x[1]");
    EXPECT_EQ(differentiated_path("der(der(x))"), "der(x)");
    for (const char* other : {"", "x", "der(", "der)", "der(x", "der2(x)", "derx)", "der(x)(0)"})
        EXPECT_FALSE(differentiated_path(other)) << other;
}

TEST(NominalValue, IsGivenOrGuessed) {
    Pool pool;
    Variable v;
    EXPECT_EQ(nominal_of(v), 1);
    v.start.emplace();
    v.start->value = pool.number(-3);
    EXPECT_EQ(nominal_of(v), 3);
    v.minimum = -20;
    v.maximum = std::numeric_limits<double>::infinity();
    EXPECT_EQ(nominal_of(v), 20);
    v.nominal = 0;
    EXPECT_EQ(nominal_of(v), 20);
    v.nominal = -1e5;
    EXPECT_EQ(nominal_of(v), 1e5);
}

}  // namespace
}  // namespace cutset

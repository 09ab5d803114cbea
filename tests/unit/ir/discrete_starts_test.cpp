#include "ir/discrete_starts.h"

#include <gtest/gtest.h>

namespace cutset {
namespace {

TEST(DiscreteStarts, FirstValueFollowsTheType) {
    Variable v;
    EXPECT_EQ(first_value(v), 0);
    v.type = ValueType::Enumeration;
    EXPECT_EQ(first_value(v), 1);
    v.free_parameter = true;
    v.nominal = 250;
    EXPECT_EQ(first_value(v), 250);
}

}  // namespace
}  // namespace cutset

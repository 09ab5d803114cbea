#include "base/json.h"

#include <gtest/gtest.h>

#include <limits>

namespace cutset {
namespace {

TEST(Json, BytesThatAreNoTextAreReplaced) {
    EXPECT_EQ(json_text(std::string("a\xFF"
                                    "b")),
              "\"a\xEF\xBF\xBD"
              "b\"");
    EXPECT_EQ(json_text(std::string("\xE2\x82\xAC")), "\"\xE2\x82\xAC\"");
}

TEST(Json, NumbersThatAreNotFiniteAreNull) {
    EXPECT_EQ(json_text({{"x", std::numeric_limits<double>::infinity()}, {"a", 1.0}}),
              R"({"a":1.0,"x":null})");
}

}  // namespace
}  // namespace cutset

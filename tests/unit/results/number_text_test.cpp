#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <random>

#include "results/writer.h"

namespace cutset {
namespace {

std::string by_library(double value) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}
std::string ours(double value) {
    std::string out;
    append_number(out, value);
    return out;
}

TEST(NumberText, IsThatOfTheLibrary) {
    for (double v : {0.0,
                     -0.0,
                     1.0,
                     -1.0,
                     10.0,
                     100000.0,
                     1e5,
                     123456.0,
                     1e6,
                     1.5e6,
                     1e15,
                     1e16,
                     1e22,
                     1e23,
                     0.1,
                     0.01,
                     1e-3,
                     1e-4,
                     1e-5,
                     1.5e-4,
                     1.25e-5,
                     0.30000000000000004,
                     1e-300,
                     5e-324,
                     std::numeric_limits<double>::max(),
                     std::numeric_limits<double>::infinity(),
                     -std::numeric_limits<double>::infinity(),
                     999999999999999.9,
                     9007199254740993.0})
        EXPECT_EQ(ours(v), by_library(v));
    EXPECT_EQ(ours(std::nan("")), "nan");
    EXPECT_EQ(ours(-std::nan("")), "nan");
    std::mt19937_64 random(7);
    for (int i = 0; i < 300000; ++i) {
        const std::uint64_t bits = random();
        const double any = std::bit_cast<double>(bits);
        const double usual =
            double(std::int64_t(bits >> 20) - (std::int64_t(1) << 43)) * std::pow(10.0, int(bits % 37) - 24);
        const double few = double(int(bits % 20001) - 10000) / std::pow(10.0, int(bits >> 60));
        for (double v : {any, usual, few, std::floor(usual)})
            if (!std::isnan(v)) {
                ASSERT_EQ(ours(v), by_library(v));
            }
    }
}

}  // namespace
}  // namespace cutset

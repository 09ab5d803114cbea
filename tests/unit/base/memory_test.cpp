// Memory: what is stored is set again to the bit, and what does not fit is refused.
#include "base/memory.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace cutset {
namespace {

enum class Kind { A, B };

struct Thing {
    double x = 0;
    long count = 0;
    bool flag = false;
    Kind kind = Kind::A;
    std::optional<double> maybe;
    std::array<double, 2> pair{};
    std::vector<double> list;
    std::vector<bool> flags{false, false};
    std::complex<double> c = 0;

    void remember(MemoryStream& memory) {
        memory("x", x);
        memory("count", count);
        memory("flag", flag);
        memory("kind", kind);
        memory("maybe", maybe);
        memory("pair", pair);
        memory.list("list", list);
        memory("flags", flags);
        memory("c", c);
    }
};

TEST(Memory, SetsWhatWasStored) {
    Thing a{-0.0,      std::numeric_limits<long>::max(),
            true,      Kind::B,
            0.1,       {std::numeric_limits<double>::infinity(), 5e-324},
            {1, 2, 3}, {false, true},
            {1, -2}};
    Memory memory;
    MemoryStream to(memory);
    a.remember(to);
    Thing b;
    MemoryStream from(std::as_const(memory));
    b.remember(from);
    EXPECT_TRUE(from.good() && from.at_end());
    EXPECT_TRUE(std::signbit(b.x));
    EXPECT_EQ(b.count, a.count);
    EXPECT_TRUE(b.flag);
    EXPECT_EQ(b.kind, Kind::B);
    EXPECT_EQ(b.maybe, a.maybe);
    EXPECT_EQ(b.pair, a.pair);
    EXPECT_EQ(b.list, a.list);
    EXPECT_EQ(b.flags, a.flags);
    EXPECT_EQ(b.c, a.c);
}

TEST(Memory, RefusesOtherNamesAndLengths) {
    Memory memory;
    MemoryStream to(memory);
    std::vector<double> two{1, 2};
    to("two", two);
    std::vector<double> three(3);
    MemoryStream longer(std::as_const(memory));
    longer("two", three);
    EXPECT_FALSE(longer.good());
    MemoryStream other(std::as_const(memory));
    std::vector<double> same(2);
    other("second", same);
    EXPECT_FALSE(other.good());
    EXPECT_EQ(same, std::vector<double>(2));
}

}  // namespace
}  // namespace cutset

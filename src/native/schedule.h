// The order in which the statements of a section run: as many of one shape in a row as dependences allow.
//
// Two statements keep their order when one writes a place that the other reads or writes. Calls and loops
// keep their order among each other, because they may fail. The order is made greedily: a shape whose
// remaining statements are all ready comes first, else the shape with most ready statements, and it goes on
// while statements of it become ready. Statements of one group may depend on each other: they run in the
// order given.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "native/statements.h"

namespace cutset::native {

struct Group {
    std::uint32_t shape = 0, first = 0, count = 0;  // in Schedule::order
};

struct Schedule {
    std::vector<std::uint32_t> order;  // statements
    std::vector<Group> groups;
};

// Pairs (earlier, later) of statements that keep their order; a pair may occur several times.
std::vector<std::pair<std::uint32_t, std::uint32_t>> dependences(const Program& program,
                                                                 const Statements& statements,
                                                                 SlotWork& work);

Schedule schedule(const Program& program, const Statements& statements, SlotWork& work);

}  // namespace cutset::native

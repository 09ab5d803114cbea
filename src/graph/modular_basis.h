// Rows that are independent over the integers modulo a prime (graph/modular_rank.h), taken one after the
// other: whether a row depends on those that are there, and on which.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "graph/modular_rank.h"

namespace cutset::graph {

class ModularBasis {
  public:
    // Gives up after so many operations; every row counts as independent then.
    explicit ModularBasis(std::size_t columns, std::size_t effort = 50'000'000);

    // The numbers of the rows, ascending, that combine to this one; nothing when it is independent of them.
    std::optional<std::vector<std::uint32_t>> combination(const ModularRow& row);
    // Adds a row by a number of its own; only one that is independent.
    void add(const ModularRow& row, std::uint32_t number);
    bool gave_up() const { return work_ > effort_; }

  private:
    struct Pivot {
        std::uint32_t column = 0;
        ModularRow row, of;  // with 1 at the pivot; and the rows that it is combined from
    };
    // What is left of the row, and the combination that was taken from it.
    void reduce(const ModularRow& row);

    std::size_t effort_, work_ = 0;
    std::vector<std::uint32_t> pivot_of_;  // by column
    std::vector<Pivot> pivots_;
    std::vector<std::uint64_t> dense_, taken_;  // by column; by number of a row
    std::vector<std::uint32_t> touched_, taken_from_;
};

}  // namespace cutset::graph

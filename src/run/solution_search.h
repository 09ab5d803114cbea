// Several solutions of an initialization problem. Its blocks are solved one after the other, so that the
// solutions form a tree: each nonlinear loop has several for the values computed before it. All paths through
// the tree are taken, run after run:
//
//     do { search.begin(); … run …; } while (search.next());
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <vector>

#include "ir/program.h"
#include "numerics/nonlinear/newton.h"

namespace cutset {

class LoopSearch {
  public:
    // Loops of the initial blocks of the partition; at most `most` solutions of each.
    LoopSearch(const Partition& partition, std::size_t most) : partition_(partition), most_(most) {}

    void begin();
    // The next path; false when all have been taken.
    bool next();

    // Whether this loop is met for the first time in this run.
    bool wants(const Loop& loop) const;
    // x: a guess, then the solution of this path. False when none was found.
    bool choose(const Loop& loop, const NonlinearProblem& problem, std::span<double> x);

  private:
    const Partition& partition_;
    std::size_t most_;
    struct Level {
        std::vector<std::vector<double>> solutions;
        std::size_t chosen = 0;
    };
    std::vector<Level> levels_;
    std::size_t depth_ = 0;
    std::set<const Block*> met_;
};

}  // namespace cutset

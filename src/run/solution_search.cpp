#include "run/solution_search.h"

#include <algorithm>
#include <cmath>

#include "numerics/nonlinear/all_solutions.h"

namespace cutset {

void LoopSearch::begin() {
    depth_ = 0;
    met_.clear();
}

bool LoopSearch::next() {
    while (!levels_.empty()) {
        if (++levels_.back().chosen < levels_.back().solutions.size()) return true;
        levels_.pop_back();
    }
    return false;
}

bool LoopSearch::wants(const Loop& loop) const {
    const auto& blocks = partition_.initial_blocks;
    const bool initial =
        !blocks.empty() && loop.block >= blocks.data() && loop.block < blocks.data() + blocks.size();
    return initial && !met_.count(loop.block);
}

bool LoopSearch::choose(const Loop& loop, const NonlinearProblem& problem, std::span<double> x) {
    met_.insert(loop.block);
    if (depth_ == levels_.size()) {
        for (double& v : x)
            if (!std::isfinite(v)) v = 0;
        levels_.push_back({all_solutions(problem, x, {.most = most_}), 0});
    }
    const Level& level = levels_[depth_++];
    if (level.solutions.empty()) return false;
    std::copy(level.solutions[level.chosen].begin(), level.solutions[level.chosen].end(), x.begin());
    return true;
}

}  // namespace cutset

// Several solutions of F(x) = 0.
//
// One unknown: a grid over its range, every change of sign and every dip of |F| is followed. Several: Newton
// from the guess and from points spread evenly over the ranges (Halton), and from each of them once more with
// the solutions known so far deflated,
//     G(x) = F(x) · Π_k (1/|x - x_k|² + 1),
// which has the other zeros of F only. Ranges are the bounds; without bounds some ten times the size of the
// guess, densest near it. There is no proof that nothing is missed.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "numerics/nonlinear/newton.h"

namespace cutset {

struct AllSolutionsOptions {
    std::size_t most = 20;
    std::size_t starts = 0;  // 0: by the number of unknowns
};

// In the order found: the one that the guess leads to comes first. Deterministic.
std::vector<std::vector<double>> all_solutions(const NonlinearProblem& problem, std::span<const double> guess,
                                               const AllSolutionsOptions& options = {});

}  // namespace cutset

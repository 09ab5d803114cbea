// Solving an equation for a leaf by formula: where it occurs linearly, once under functions that can be
// inverted, in a polynomial of second degree, or so in one subexpression. All branches are given, each with
// the conditions under which it is a solution.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "expr/assumptions.h"
#include "expr/expr.h"

namespace cutset {

struct Solution {
    Expr value = nullptr;
    std::vector<Expr>
        conditions;    // that must hold: divisors <> 0, arguments of roots >= 0 …; known ones are left out
    std::string note;  // "and with any multiple of 2*pi added"
};

// What an empty list means.
enum class Solvability {
    Solved,     // the list has all solutions
    None,       // there is no real solution, or the assumptions exclude it
    Every,      // the equation holds for every value, provided that the `conditions` do
    NoFormula,  // none was found
};
struct Solutions {
    Solvability solvability = Solvability::NoFormula;
    std::vector<Solution> list;    // branches that the assumptions exclude are left out
    std::vector<Expr> conditions;  // of Every

    bool empty() const { return list.empty(); }
};
Solutions solve_for(Pool& pool, Expr left, Expr right, Expr leaf, const Assumptions& assumptions);

// e <> 0, without a number in front.
Expr differs_from_zero(Pool& pool, Expr e);
// What e divides by, factor by factor: x and y of z/(x*y^2). Each once, in the order of the nodes.
std::vector<Expr> divisors_of(Expr e);

// Σ_j a_ij x_j = b_i by elimination without fractions inside; pivots that are not known to differ from zero
// are conditions. Nothing when the equations are not linear in the unknowns together, or do not determine
// them. There may be more equations than unknowns: those that are simplest to use are.
struct LinearSolution {
    std::vector<Expr> values;       // by unknown
    std::vector<std::size_t> rows;  // the equations used
    std::vector<Expr> conditions;
    Expr determinant = nullptr;
};
std::optional<LinearSolution> solve_linear(Pool& pool, const std::vector<std::pair<Expr, Expr>>& equations,
                                           const std::vector<Expr>& unknowns, const Assumptions& assumptions);

}  // namespace cutset

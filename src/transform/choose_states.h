// Which of the variables that constraints tie together are states.
#pragma once

#include <cstdint>
#include <vector>

#include "transform/derivative_chains.h"

namespace cutset::passes {

inline constexpr std::uint32_t no_row = 0xFFFFFFFFu;

// An equation, or a derivative of one, in chains.
struct DerivedRow {
    Expr left, right;
    EquationIndex equation;           // that it comes from
    std::uint32_t integral = no_row;  // the row that it is the derivative of
    std::uint32_t times_differentiated = 0;
    std::uint32_t derivative = no_row;
};

// A choice left to the run: as many of the candidates are states as there are more of them than rows.
struct StateChoice {
    std::vector<Derivative> candidates;
    std::vector<std::uint32_t> rows;          // the constraints
    std::vector<std::vector<Expr>> jacobian;  // ∂row/∂candidate by row and candidate, in chains; null: zero
    std::vector<double> weights;              // by candidate
};

// Variables that constraints tie together, and what became of them (StateGroup).
struct TiedStates {
    std::vector<Derivative> which;                  // by candidate
    std::vector<StateGroup::Candidate> candidates;  // but for the variable
    std::vector<EquationIndex> constraints;
};

struct ChosenStates {
    std::vector<StateChoice> left_open;
    std::vector<TiedStates> groups;
};

// Dummy derivatives, from the highest derivatives of constraints downward. A level's constraints in their
// derivatives are a matrix with more columns than rows; one column for each row becomes dependent:
//   1. `state always x` is set aside, as far as the rows leave columns enough; `state never x` is eliminated
//   2. a column of one row only, whose entry is never zero, is solved from that row
//   3. a matrix of parameters is decided by elimination with the largest pivots
//   4. columns with entries that are never zero and that can be solved one after the other; where that does
//      not do and states are asked for (`state x`), with entries that depend on these alone, too
//   5. for what is left the run chooses
// Columns that should be states (`state x`, reinit, a start given) are taken last. Dependent ones are marked
// in the chains.
ChosenStates choose_states(Analysis& a, const std::vector<DerivedRow>& rows, DerivativeChains& chains);

}  // namespace cutset::passes

// Exact elimination of equations with small integer coefficients: aliases, zero sums, constants.
//
// A row says  Σ cᵢ vᵢ + Σ dⱼ kⱼ = 0  with integers cᵢ, dⱼ, unknowns vᵢ, and "known" columns kⱼ (the constant
// 1, parameters, inputs, …) that are carried along and never solved for. The rows are brought to echelon form
// over the integers: a pivot (p, v) takes v out of every other row b,
//     b  :=  s b − α p,    s = 1, α = b_v / p_v      when p_v = ±1,
//                          s = p_v / g, α = b_v / g  with g = gcd(p_v, b_v) otherwise.
// A row that loses all its unknowns is a combination of others: Dependent when nothing is left, a
// Contradiction when known columns are left (the caller decides what Σ dⱼ kⱼ = 0 means when the kⱼ are
// parameters).
//
// Order of elimination, so that it stays near linear:
//   1. Rows of at most two entries first (v = 0, v = k, v = ±w). Of two aliases the one in fewer rows is
//      substituted, as in union-find by size: each entry is renamed at most log₂ n times. Rows that become
//      short by that follow at once, so aliases are complete.
//   2. Then columns that occur in one row only: that row is independent of the others and is set aside
//      without arithmetic.
//   3. Then the shortest row, on the unit entry whose column is shortest (Markowitz). In the node equations
//      of a network each current is in two rows, with opposite signs; eliminating it merges two nodes, and
//      since the shorter row is added to the longer, n branches cost O(n log n), however large the merged
//      rows become. The last node of a network without ground comes out as 0 = 0: a Dependent row.
//   4. Rows with no entry that could be eliminated (none is ±1, or all are protected) come last.
// Other systems may fill in; there is a bound on the work, and rows undecided then are left Ordinary.
//
// Which variables disappear. Going back through the pivots, each is expressed by what remains. Variables that
// are aliases of each other keep the one with the highest preference number, the lowest index among equals. A
// pivot row is given back as Ordinary (its variable stays an unknown) when its coefficient is not ±1, its
// variable is protected or its value would have more than `max_terms` terms or too large coefficients. Every
// reduced row is a nonzero multiple of its own row plus rows that were pivots before it, and values are made
// from the reduced rows of Pivots alone; so, by induction over the order of the pivots, the rows as given are
// equivalent to
//     { v = value for each Pivot }  ∪  { Ordinary rows as given }  ∪  { Contradictions }.
#pragma once

#include <cstdint>
#include <vector>

#include "base/small_vector.h"

namespace cutset::graph {

struct IntegerTerm {
    std::uint32_t column;
    std::int64_t coefficient;
    bool operator==(const IntegerTerm&) const = default;
};

using IntegerTerms = SmallVector<IntegerTerm, 2>;  // most rows say that two variables are equal

// Unknowns and knowns are numbered separately, from 0. As a row: the sum is zero; as a value: the sum.
struct IntegerRow {
    IntegerTerms unknowns;
    IntegerTerms knowns;
    bool operator==(const IntegerRow&) const = default;
};

inline constexpr std::uint8_t never_eliminate = 255;

struct IntegerSystem {
    std::size_t unknowns = 0;
    std::size_t knowns = 0;
    std::vector<std::uint8_t>
        preference;  // of each unknown: 0 = eliminate gladly, … `never_eliminate`; empty = all 0
    std::vector<IntegerRow> rows;  // a column may be given several times; its coefficients add up
};

struct EliminationOptions {
    std::size_t max_terms = 50;  // of the value of an eliminated variable; 1 = aliases and constants only
    std::size_t max_work = 0;    // in term operations; 0 = 100 per given term and a million
    // Of an unknown in a value of several terms; 0 = any. Who solves 10 x = y + z + 1 for y computes a small
    // difference of large numbers, and a row of such values ten times as inaccurate with each of them.
    std::int64_t max_coefficient = 0;
};

enum class RowOutcome : std::uint8_t {
    Ordinary,       // stays an equation
    Pivot,          // gives the value of one variable
    Dependent,      // follows from other rows
    Contradiction,  // follows from other rows but for known columns
};

// variable = value; the value has no eliminated variable. Terms ascending by column.
struct EliminatedVariable {
    std::uint32_t row;
    std::uint32_t variable;
    IntegerRow value;
};

// What is left of the row: Σ dⱼ kⱼ, which would have to be 0.
struct ContradictoryRow {
    std::uint32_t row;
    IntegerTerms knowns;
};

class Elimination {
  public:
    std::vector<RowOutcome> outcome;             // of each row
    std::vector<EliminatedVariable> eliminated;  // ascending by row
    std::vector<ContradictoryRow> contradictions;
    std::size_t undecided = 0;  // Ordinary rows that may be dependent: work bound or overflow; 0 in practice

    // The rows, ascending and with `row` itself, that combine to a Dependent or Contradiction row. The set is
    // unique among the rows that came before it, and none of it can be left out.
    std::vector<std::uint32_t> origin(std::uint32_t row) const;

  private:
    friend class Eliminator;
    // row := (scale · row − factor · pivot row) / divisor
    struct Step {
        std::uint32_t pivot_row;
        std::uint32_t previous;  // the step before on the same row
        std::int64_t scale, factor, divisor;
    };
    std::vector<Step> steps_;
    std::vector<std::uint32_t> last_step_;   // of each row
    std::vector<std::uint32_t> pivot_time_;  // of each row that became a pivot
};

Elimination eliminate(const IntegerSystem& system, const EliminationOptions& options = {});

}  // namespace cutset::graph

// What sorting decided by the values of parameters, as data: with other values for which every decision comes
// out as it did, the Partition would be the same (transform/decisions.h looks).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "expr/expr.h"

namespace cutset {

using ParametricValue = std::function<std::optional<double>(Expr)>;

// Something of one value was looked at.
struct ValueDecision {
    enum class Asked : std::uint8_t { Number, Sign, Zero };
    Expr of = nullptr;
    Asked asked = Asked::Number;
    std::pair<bool, double> result;  // whether it has a value, and what was asked of it
};

// Two values were compared.
struct ComparisonDecision {
    enum class How : std::uint8_t { Equal, NearlyEqual };
    Expr first = nullptr, second = nullptr;
    How how = How::Equal;
    bool result = false;
};

// Where the chains of assignments in a loop are cut. A slope that is no parametric expression is null.
struct ChainDecision {
    std::vector<std::uint32_t> start, adjacent;  // unknowns of each equation
    std::uint32_t unknowns = 0;
    std::vector<Expr> slopes;                // by edge
    std::vector<std::uint8_t> exponents;     // by edge
    std::vector<std::uint8_t> is_linear;     // by equation: all of it
    std::vector<std::uint8_t> only_scales;   // by equation: one unknown is a multiple of another
    std::vector<std::uint8_t> has_residual;  // by equation
    std::vector<std::pair<std::uint32_t, std::uint32_t>> assignments;  // equation and unknown
    std::vector<std::uint32_t> result;  // the assignments, by number, whose unknowns are iterated
};

// The largest pivot of a matrix. Entries that are no parametric expressions are null.
struct PivotDecision {
    std::vector<std::vector<Expr>> matrix;
    std::vector<std::uint8_t> row_done, column_done;
    std::optional<std::pair<std::uint32_t, std::uint32_t>> result;  // row, column; nothing: all vanish
};

// Whether the equations of a loop determine its unknowns: the rank of their partial derivatives, whatever
// varies.
struct RankDecision {
    std::vector<Expr> residuals, unknowns;  // as many; an equation without a residual (null) is between
                                            // Booleans and determines the unknown of its number
    std::vector<Expr> parametric;  // the parameters in the residuals, and functions of them but for sums,
                                   // products and whole powers, which are computed exactly
    bool result = false;           // they do
};

struct Decisions {
    std::vector<ValueDecision> values;
    std::vector<ComparisonDecision> comparisons;
    std::vector<ChainDecision> chains;
    std::vector<PivotDecision> pivots;
    std::vector<RankDecision> ranks;

    void add(ValueDecision d) { values.push_back(d); }
    void add(ComparisonDecision d) { comparisons.push_back(d); }
    void add(ChainDecision d) { chains.push_back(std::move(d)); }
    void add(PivotDecision d) { pivots.push_back(std::move(d)); }
    void add(RankDecision d) { ranks.push_back(std::move(d)); }
};

}  // namespace cutset

// Linear tables of one argument are straight pieces: where they bend, and their slope as a choice by piece.
// The slope of a table, evaluated at a bend, is that of the piece behind it; chosen by a switch it changes
// where the event is, so that the row before it has the slope before it, whichever way the argument goes.
#pragma once

#include <vector>

#include "transform/analysis.h"

namespace cutset::passes {

// The arguments at which it bends, rising; its ends where it is held beyond them. Of a long table, a measured
// curve whose bends are mostly slight, only the sharp ones.
std::vector<double> bends_of(const TableData& table);

// So many points are watched singly; more of them as one, by the number of the piece.
constexpr std::size_t most_single_bends = 3;
// Whether all bends of a table with so many points count.
constexpr std::size_t most_bending_points = 100;

// The number of the points, which rise, that the argument has reached: int(position), where `position` is a
// table that rises by one from point to point.
Expr piece_number(Analysis& a, Expr argument, const std::vector<double>& points, const Origin& origin);

// e with the slopes of such tables chosen by switches. Tables of time are left as they are: no step passes a
// point of theirs.
Expr with_slopes_by_piece(Analysis& a, Expr e, const Origin& origin);

}  // namespace cutset::passes

// Sets of joined cuts: joining unifies two cuts position by position; afterwards every set of across
// positions gives equalities and every set of through positions one sum.
#pragma once

#include <cstdint>

#include "instantiate/context.h"

namespace cutset {

// Joins two cuts (parts). A mismatch is reported with both cuts as they were named.
void join_cuts(Context& c, std::uint32_t a, std::uint32_t b, Origin where);

// Marks variables of joined cuts, and what a join touches through groups.
void finish_joins(Context& c);

// Parameters joined with one another get one value.
void propagate_parameters(Context& c);

// Equations of all sets, unconnected through variables, defaults.
void add_connection_equations(Context& c);
void add_default_equations(Context& c);

}  // namespace cutset

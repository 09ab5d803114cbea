// Tables: inline, from CSV files and from SQLite databases, checked and sorted into TableData.
#pragma once

#include <optional>
#include <vector>

#include "instantiate/expressions.h"

namespace cutset {

// A table of one or two arguments.
std::optional<CalleeIndex> table_callee(Context& c, const tree::Table& t, ClassInfo* in,
                                        const tree::File* file, const Scope& s);

// One of three arguments.
std::optional<std::vector<TableSlice>> table_slices(Context& c, const tree::Table& t, ClassInfo* in,
                                                    const tree::File* file, const Scope& s);

}  // namespace cutset

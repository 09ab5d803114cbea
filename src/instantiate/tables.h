// Tables: inline, from files (CSV, text, MAT) and from SQLite databases, checked and sorted into TableData.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "instantiate/expressions.h"

namespace cutset {

// A table of one or two arguments.
std::optional<BuiltTable> built_table(Context& c, const tree::Table& t, ClassInfo* in, const tree::File* file,
                                      const Scope& s);

// Its columns at arguments.
std::vector<Expr> table_results(Pool& pool, const BuiltTable& table, std::span<const Expr> arguments);

// One of three arguments.
std::optional<std::vector<TableSlice>> table_slices(Context& c, const tree::Table& t, ClassInfo* in,
                                                    const tree::File* file, const Scope& s);

}  // namespace cutset

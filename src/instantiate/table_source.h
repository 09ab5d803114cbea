// The rows of a table: written in the model, or read from a file (CSV, text, MAT) or an SQLite database.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "instantiate/expressions.h"

namespace cutset {

// One line of data and where it stands: a line of the file, or a place in the model's text.
struct TableRow {
    std::vector<double> numbers;
    std::size_t line = 0;  // 0: inline
    Span where;
};

// What a table is made from, where it is used.
struct TableSource {
    std::optional<InstanceIndex> instance;  // whose parameters it depends on; none: on none
    std::string path;                       // of its file
    std::vector<TableRow> rows;
};

// Columns of values, beside those of the arguments.
std::size_t columns_of(const tree::Table& t);
// Where a row stands in its file: "line 5"; "" for one of the model.
std::string row_place(const TableRow& r);

// The instance whose parameters a table depends on.
std::optional<InstanceIndex> table_instance(Context& c, const tree::Table& t, ClassInfo* in, const Scope& s);

std::optional<TableSource> table_source(Context& c, const tree::Table& t, ClassInfo* in,
                                        const tree::File* file, const Scope& s);

}  // namespace cutset

// The parameters and constants of a result in a small table beside it: they do not change, so they do not
// stand in every row of a CSV file.
//
//     run.csv               time,Tank1.h,…
//     run.parameters.csv    parameter,value,unit,description
#pragma once

#include <string>
#include <string_view>

#include "results/output_file.h"
#include "results/trajectory.h"

namespace cutset {

// "" when the file is no .csv.
std::string parameters_path(const std::string& result);

// Writes the constant ones of these columns for a result that has just been written; where there are none,
// the table of an older result of that name is removed.
Problem write_parameters(const std::string& result, const Columns& columns);

// What stands in the text of such a table; lines that are not understood are passed over. Empty when it is
// another kind of file.
Columns read_parameters(std::string_view text);
// Those beside a result.
Columns parameters_beside(const std::string& result);

// Whether each row has the same number there, and which.
bool is_constant(const Columns& columns, const Column& column);
// Whether it is written once: a parameter or a constant, not a variable that happens to be constant.
bool is_written_once(const Columns& columns, const Column& column);
double constant_value(const Columns& columns, const Column& column);

// A field of a CSV file, quoted where needed (RFC 4180).
void append_field(std::string& line, std::string_view text);

}  // namespace cutset

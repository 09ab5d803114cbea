// Reads a result back. No file crashes it, truncated or malicious; a file that ends early gives its whole
// rows and a warning. Errors name the file, the line and the column.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "results/trajectory.h"

namespace cutset {

// CSV, MAT or NPZ, by content. Nothing after an error. `time` names the column that is the time, of a CSV or
// NPZ file. The parameters of a CSV file come from the table beside it (parameters_file.h).
std::optional<Trajectory> read_result(const std::string& path, Diagnostics& diagnostics,
                                      const std::string& time = "");

// Fields separated by comma, semicolon, tab or blanks; `#` starts a comment line. The time is the column
// named `time`, else `t`, else the first. A missing value is NaN; `true` and `false` are 1 and 0. With
// semicolons 1,5 means 1.5. A header `v [V]` gives the unit.
std::optional<Trajectory> read_csv(const std::string& file, std::string_view text, Diagnostics& diagnostics,
                                   const std::string& time = "", const Columns& constants = {});

// An archive of NumPy arrays: those of one dimension are columns, with that named `time`, else `t`, as the
// time; single numbers are parameters.
std::optional<Trajectory> read_npz(const std::string& file, std::string_view bytes, Diagnostics& diagnostics,
                                   const std::string& time = "");

// MAT-file level 4 with a trajectory, "binTrans" or "binNormal", of either byte order.
std::optional<Trajectory> read_mat(const std::string& file, std::string_view bytes, Diagnostics& diagnostics);

}  // namespace cutset

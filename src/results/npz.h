// Arrays of numbers in NumPy's format .npy, of which a .npz file is a ZIP archive.
//
// A result `run.npz` has one array for each column, named as the variable (`time`, `Tank1.h`), parameters as
// single numbers, and `cutset/columns` with name, kind, unit and description of each. In Python:
//
//     r = numpy.load("run.npz");  plot(r["time"], r["Tank1.h"])
//
// While a run goes on, its rows are one after the other in the array `cutset/rows` of `run.partial.npz`,
// which read_npz reads at any moment; `cutset/columns` says what stands in a row. At the end they become
// columns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/trajectory.h"

namespace cutset::npz {

constexpr std::string_view columns_name = "cutset/columns", rows_name = "cutset/rows";

// What stands before the numbers of an array of doubles; its length does not depend on the shape.
std::string array_header(const std::vector<std::uint64_t>& shape);
// The table of texts `cutset/columns`, as a whole array.
std::string columns_table(const Columns& columns);

// An array as read.
struct Array {
    std::vector<std::uint64_t> shape;
    std::vector<double> values;      // of an array of numbers, in the order of rows
    std::vector<std::string> texts;  // of an array of texts
};
// Nothing, with the reason, when it has another type of elements, or is damaged.
std::optional<Array> read_array(std::string_view bytes, std::string& problem);

}  // namespace cutset::npz

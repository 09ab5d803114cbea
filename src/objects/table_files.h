// Tables in files as the standard library reads them: text ("double name(2,3)" and the numbers), CSV, MAT.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace cutset::objects {

struct TableMatrix {
    std::size_t rows = 0, columns = 0;
    std::vector<double> values;  // row by row
    double at(std::size_t row, std::size_t column) const { return values[row * columns + column]; }
};

// Nothing found: the reason in `problem`.
bool read_table_file(const std::string& path, const std::string& table, std::size_t header_lines,
                     TableMatrix& matrix, std::string& problem);

}  // namespace cutset::objects

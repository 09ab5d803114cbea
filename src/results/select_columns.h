// The columns of a result that curves need.
#pragma once

#include <string>
#include <vector>

#include "results/trajectory.h"

namespace cutset {

// The columns that curves need; `y(x)` needs y and x.
struct ColumnSelection {
    Columns columns;                   // time and the wanted ones, aliases resolved
    std::vector<std::size_t> stored;   // positions in a full row
    std::vector<std::string> unknown;  // names that no column has
};
ColumnSelection select_columns(const Columns& all, const std::vector<std::string>& curves);

}  // namespace cutset

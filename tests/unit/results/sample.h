// A small trajectory with every kind of column and an event at t = 1.
#pragma once

#include "results/trajectory.h"

namespace cutset {

inline Columns sample_columns() {
    Columns c;
    c.add(time_column());
    const ColumnIndex x = c.add({"x", "m", "Position"});
    c.add({"on", "", "Switch", ColumnKind::Discrete});
    const ColumnIndex r = c.add(parameter_column("R", 4.5, "Ohm", "Resistance"));
    c.add(alias_column("minus_x", x, true, "m"));
    c.add(alias_column("same_x", x, false));
    c.add(alias_column("minus_R", r, true));
    c.add({"a[1,2]"});
    return c;
}

inline Trajectory sample() {
    Trajectory t(sample_columns());
    const double rows[][4] = {
        {0, 0, 0, 0.1}, {0.5, 0.25, 0, 1.0 / 3}, {1, 1, 0, 1e-300}, {1, -2, 1, 1e300}, {2, 4, 1, 0}};
    for (const auto& row : rows) t.append(row);
    return t;
}

}  // namespace cutset

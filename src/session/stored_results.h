// Results that SIMU stored, as SHOW draws them: variables of one, of several over each other, and the
// difference of two.
#pragma once

#include <optional>
#include <string>

#include "results/trajectory.h"
#include "session/names.h"
#include "session/workbench.h"

namespace cutset {

struct StoredResult {
    std::string name;
    Trajectory trajectory;
    NameIndex names;  // its variables
};
// `given`: the name stands in the command. Nothing with the reason reported.
std::optional<StoredResult> read_stored(Workbench& bench, const std::string& name, bool given);

// Whether SHOW names a result after each variable, `U/R1 U/R2`, or a difference, `U/R1 - U/R2`.
bool shows_several(const std::string& arguments);
bool show_several(Workbench& bench, const std::string& arguments);

// The value at a time by the straight line between rows. At an event rows stand twice: `behind` it or before.
std::optional<double> value_between(const Trajectory& trajectory, ColumnIndex column, double time,
                                    bool behind);

}  // namespace cutset

// When the last correction of a Newton iteration with an old matrix is accepted.
//
// A short correction says that the equations of a step are solved, unless it is short because of the matrix
// only: that of a diode that blocks, with an inductor before it, makes little of every residual, also when
// the diode should conduct; steps would be taken in which the current stays where it is, whatever the
// voltage. So where the residual is longer than its correction, the residual must have become smaller by it.
// Sizes are in units of the tolerance.
#pragma once

#include <algorithm>
#include <limits>

namespace cutset::accepted_correction {

// Corrections that come from the rounding of what is corrected.
inline double rounding(double relative_tolerance) {
    return 100 * std::numeric_limits<double>::epsilon() / std::max(relative_tolerance, 1e-15);
}
constexpr double plain_shrinking = 3;      // what a matrix may make of a residual without being looked at
constexpr double least_contraction = 0.5;  // of the residual

}  // namespace cutset::accepted_correction

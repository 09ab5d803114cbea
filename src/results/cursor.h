// A cursor on a picture: the values of its curves at a place of the horizontal axis.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/plot.h"

namespace cutset {

// What the horizontal axis of the plot covers.
PlotRange horizontal_range(const Plot& plot);

// Between the points beside it, on the line that is drawn; where a curve jumps or passes the place several
// times (a phase plane) the last of its values. Nothing where the curve does not reach.
std::optional<double> curve_value(const Curve& curve, double x);

// "time = 3.2", then a line per curve: "  U, EPS:3  -1.234 V"; no value where points were left out.
std::vector<std::string> cursor_lines(const Plot& plot, double x);

// The same plot with a mark on each curve at that place.
Plot with_cursor(const Plot& plot, double x);

}  // namespace cutset

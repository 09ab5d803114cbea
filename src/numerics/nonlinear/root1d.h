// One root of one function of one variable between two points where its signs differ (Brent's method: inverse
// quadratic interpolation and secants, with bisection whenever they do not pay).
#pragma once

#include <functional>
#include <optional>

namespace cutset {

struct Bracket {
    double from;
    double to;
    double value_from;
    double value_to;
};

// The root in the bracket, to within `tolerance` plus the rounding of x. Of the two ends of the final
// bracket, the one with the smaller |f|. Nothing when the signs of the ends do not differ or when f returns a
// value that is not finite.
std::optional<double> find_root(const std::function<double(double)>& f, Bracket bracket,
                                double tolerance = 0);

}  // namespace cutset

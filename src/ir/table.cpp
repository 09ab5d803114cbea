// Tables: piecewise linear, or piecewise cubic that is monotone where the data are (Fritsch and Carlson, with
// the slopes of Fritsch and Butland). Two arguments by interpolating along the second in each row, then along
// the first.
//
// Derivatives come from running the same formulas with dual numbers.
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "base/diagnostic.h"
#include "expr/dual.h"
#include "ir/flat_model.h"

namespace cutset {

namespace {

// Slope at an inner point between chords d0 (length h0) and d1 (length h1): weighted harmonic mean, 0 at an
// extremum.
template <class T>
T inner_slope(double h0, double h1, const T& d0, const T& d1) {
    if (!(plain(d0) * plain(d1) > 0)) return T(0.0);
    const double w0 = 2 * h1 + h0, w1 = h1 + 2 * h0;
    return T(w0 + w1) / (T(w0) / d0 + T(w1) / d1);
}

// Slope at the end of the first chord, from the parabola through three points, limited so that nothing
// overshoots.
template <class T>
T end_slope(double h0, double h1, const T& d0, const T& d1) {
    const T slope = (T(2 * h0 + h1) * d0 - T(h0) * d1) / T(h0 + h1);
    if (!(plain(slope) * plain(d0) > 0)) return T(0.0);
    if (plain(d0) * plain(d1) <= 0 && std::abs(plain(slope)) > 3 * std::abs(plain(d0))) return T(3.0) * d0;
    return slope;
}

// The value at x of the curve through (knots[i], data(i)).
template <class T, class Data>
T along(std::span<const double> knots, const Data& data, const T& x, const TableData& table, bool& outside) {
    const std::size_t n = knots.size();
    if (n == 0) return T(std::numeric_limits<double>::quiet_NaN());
    const double at = plain(x);
    const bool below = at<knots[0], above = at> knots[n - 1];
    outside = outside || below || above;
    if (n == 1) return data(0);
    const bool hold = table.outside != Outside::Extrapolate;
    if (below && hold) return data(0);
    if (above && hold) return data(n - 1);

    // knots[i] <= x < knots[i + 1]; the end points belong to the end pieces.
    std::size_t i =
        static_cast<std::size_t>(std::upper_bound(knots.begin(), knots.end(), at) - knots.begin());
    i = std::clamp<std::size_t>(i, 1, n - 1) - 1;
    const double h = knots[i + 1] - knots[i];
    const T y0 = data(i), y1 = data(i + 1);
    const T chord = (y1 - y0) / T(h);
    const T offset = x - T(knots[i]);
    if (table.interpolation == Interpolation::Linear || n == 2) return y0 + chord * offset;

    T slope0, slope1;
    if (i > 0) {
        const double before = knots[i] - knots[i - 1];
        slope0 = inner_slope(before, h, (y0 - data(i - 1)) / T(before), chord);
    } else {
        const double after = knots[2] - knots[1];
        slope0 = end_slope(h, after, chord, (data(2) - y1) / T(after));
    }
    if (i + 2 < n) {
        const double after = knots[i + 2] - knots[i + 1];
        slope1 = inner_slope(h, after, chord, (data(i + 2) - y1) / T(after));
    } else {
        const double before = knots[i] - knots[i - 1];
        slope1 = end_slope(h, before, chord, (y0 - data(i - 1)) / T(before));
    }
    if (below) return y0 + slope0 * offset;
    if (above) return y1 + slope1 * (x - T(knots[i + 1]));
    // y0 + s*(m0 + s*(c + s*d)) with s = x - knots[i]
    const T c = (T(3.0) * chord - slope0 - slope0 - slope1) / T(h);
    const T d = (slope0 + slope1 - chord - chord) / T(h * h);
    return y0 + offset * (slope0 + offset * (c + offset * d));
}

template <class T>
T value_at(const TableData& table, const T& x, const T& y, bool& outside) {
    if (table.y.empty())
        return along(
            std::span(table.x), [&](std::size_t i) { return T(table.values[i]); }, x, table, outside);
    const std::size_t width = table.y.size();
    const auto row = [&](std::size_t i) {
        return along(
            std::span(table.y), [&](std::size_t j) { return T(table.values[i * width + j]); }, y, table,
            outside);
    };
    return along(std::span(table.x), row, x, table, outside);
}

}  // namespace

double table_value(const TableData& table, double x, double y, int dx, int dy, bool& outside) {
    if (std::isnan(x) || (std::isnan(y) && !table.y.empty())) return std::numeric_limits<double>::quiet_NaN();
    if (table.y.empty() && dy > 0) return 0;
    using First = Dual<double>;
    using Second = Dual<Dual<double>>;
    switch (dx + dy) {
        case 0:
            return value_at<double>(table, x, y, outside);
        case 1:
            return value_at<First>(table, {x, double(dx)}, {y, double(dy)}, outside).d;
        case 2: {
            // One direction in the outer part, the other in the inner one: the mixed part is the second
            // derivative.
            const double outer_x = dx >= 1, inner_x = dx == 2;
            const double outer_y = dx == 0, inner_y = dy >= 1;
            return value_at<Second>(table, {First(x, inner_x), First(outer_x, 0)},
                                    {First(y, inner_y), First(outer_y, 0)}, outside)
                .d.d;
        }
        default:
            CUTSET_ASSERT(!"tables have derivatives of first and second order");
            return 0;
    }
}

}  // namespace cutset

// Tables: piecewise linear, or piecewise cubic with a continuous derivative. The cubics differ in their
// slopes at the points: those of Fritsch and Butland and of Steffen are monotone where the data are, those of
// Akima and its modification follow the data more closely. Two arguments by interpolating along the second in
// each row, then along the first.
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

template <class T>
T magnitude(const T& x) {
    return plain(x) < 0 ? -x : x;
}

// Steffen: the parabola's slope through three points, no steeper than twice the flatter chord.
template <class T>
T steffen_slope(double h0, double h1, const T& d0, const T& d1) {
    if (!(plain(d0) * plain(d1) > 0)) return T(0.0);
    const T parabola = (d0 * T(h1) + d1 * T(h0)) / T(h0 + h1);
    const T flatter = std::abs(plain(d0)) < std::abs(plain(d1)) ? d0 : d1;
    return std::abs(plain(parabola)) > 2 * std::abs(plain(flatter)) ? T(2.0) * flatter : parabola;
}

// Akima: a mean of the chords beside the point, d[1] and d[2], each with the weight by which the chords
// beyond the other change. Modified, the weight also has half their mean, so that flat stretches stay flat.
template <class T>
T akima_slope(const T (&d)[4], bool modified) {
    const auto weight = [&](const T& a, const T& b) {
        const T change = magnitude(b - a);
        return modified ? change + T(0.5) * magnitude(a + b) : change;
    };
    const T before = weight(d[2], d[3]), after = weight(d[0], d[1]);
    if (plain(before) + plain(after) == 0) return modified ? T(0.0) : T(0.5) * (d[1] + d[2]);
    return (before * d[1] + after * d[2]) / (before + after);
}

// The slope at knots[i] of the cubic through three or more points.
template <class T, class Data>
T slope_at(std::span<const double> knots, const Data& data, std::size_t i, Interpolation interpolation) {
    const std::size_t n = knots.size();
    const auto length = [&](std::size_t k) { return knots[k + 1] - knots[k]; };
    const auto chord = [&](std::size_t k) { return (data(k + 1) - data(k)) / T(length(k)); };
    const bool first = i == 0, last = i + 1 == n;
    switch (interpolation) {
        case Interpolation::Akima:
        case Interpolation::ModifiedAkima: {
            // Two chords beyond each end go on as a parabola does.
            const auto any = [&](std::ptrdiff_t k) {
                const auto most = static_cast<std::ptrdiff_t>(n) - 2;
                if (k < 0) return T(double(1 - k)) * chord(0) - T(double(-k)) * chord(1);
                if (k > most)
                    return T(double(k - most + 1)) * chord(n - 2) - T(double(k - most)) * chord(n - 3);
                return chord(static_cast<std::size_t>(k));
            };
            const auto k = static_cast<std::ptrdiff_t>(i);
            const T d[4] = {any(k - 2), any(k - 1), any(k), any(k + 1)};
            return akima_slope(d, interpolation == Interpolation::ModifiedAkima);
        }
        case Interpolation::Monotone:
        case Interpolation::Steffen:
            if (first) return chord(0);
            if (last) return chord(n - 2);
            return interpolation == Interpolation::Steffen
                       ? steffen_slope(length(i - 1), length(i), chord(i - 1), chord(i))
                       : inner_slope(length(i - 1), length(i), chord(i - 1), chord(i));
        default:
            if (first) return end_slope(length(0), length(1), chord(0), chord(1));
            if (last) return end_slope(length(n - 2), length(n - 3), chord(n - 2), chord(n - 3));
            return inner_slope(length(i - 1), length(i), chord(i - 1), chord(i));
    }
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

    const T slope0 = slope_at<T>(knots, data, i, table.interpolation);
    const T slope1 = slope_at<T>(knots, data, i + 1, table.interpolation);
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

#include "control/loop_margins.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace cutset {

namespace {

constexpr double pi = std::numbers::pi;

// A zero of f between a and b, which have different signs.
template <class F>
double bisected(const F& f, double a, double b) {
    double fa = f(a);
    for (int k = 0; k < 200 && b - a > 1e-15 * std::fabs(b); ++k) {
        const double middle = a > 0 && b / a > 1.1 ? std::sqrt(a * b) : a / 2 + b / 2;
        const double fm = f(middle);
        if ((fm > 0) == (fa > 0)) {
            a = middle;
            fa = fm;
        } else {
            b = middle;
        }
    }
    return a / 2 + b / 2;
}

// The place of the smallest f between a and b.
template <class F>
double minimum(const F& f, double a, double b) {
    for (int k = 0; k < 100 && b - a > 1e-12 * b; ++k) {
        const double x = a + (b - a) * 0.381966, y = a + (b - a) * 0.618034;
        if (f(x) < f(y))
            b = y;
        else
            a = x;
    }
    return a / 2 + b / 2;
}

// Crossings of zero by f over the grid, and touching ones that cross twice between two points.
template <class F>
std::vector<double> zeros_of(const F& f, const std::vector<double>& grid) {
    std::vector<double> out, values;
    for (double w : grid) values.push_back(f(w));
    for (std::size_t i = 0; i < grid.size(); ++i) {
        if (values[i] == 0) {
            out.push_back(grid[i]);
            continue;
        }
        if (i + 1 < grid.size() && std::isfinite(values[i]) && std::isfinite(values[i + 1]) &&
            values[i + 1] != 0 && (values[i] > 0) != (values[i + 1] > 0)) {
            out.push_back(bisected(f, grid[i], grid[i + 1]));
            continue;
        }
        if (i == 0 || i + 1 == grid.size()) continue;
        const double sign = values[i] > 0 ? 1 : -1;
        if (!(values[i - 1] * sign > 0 && values[i + 1] * sign > 0)) continue;
        if (!(values[i] * sign <= values[i - 1] * sign && values[i] * sign <= values[i + 1] * sign)) continue;
        const auto distance = [&](double w) { return f(w) * sign; };
        const double low = minimum(distance, grid[i - 1], grid[i + 1]);
        if (distance(low) < 0) {
            out.push_back(bisected(f, grid[i - 1], low));
            out.push_back(bisected(f, low, grid[i + 1]));
        } else if (distance(low) < 1e-12) {
            out.push_back(low);
        }
    }
    std::sort(out.begin(), out.end());
    return out;
}

// Change of the angle of 1 + L along the contour of right half-plane (outside of the unit circle) for
// positive frequencies.
class Contour {
  public:
    explicit Contour(const TransferFunction& loop) : loop_(loop) {}
    bool touches = false;

    double along(double low, double high, const std::vector<double>& grid) {
        std::vector<double> points = {low};
        for (double w : grid)
            if (w > low && w < high) points.push_back(w);
        points.push_back(high);
        double sum = 0;
        for (std::size_t i = 0; i + 1 < points.size(); ++i)
            sum += change([](double w) { return Complex(0, w); }, points[i], points[i + 1]);
        return sum;
    }
    // Around a pole on the boundary, from below to above or, at 0, from the real axis on.
    double around(double frequency, double radius) {
        double sum = 0;
        const double from = frequency == 0 ? 0 : -pi / 2;
        const int parts = 16;
        for (int k = 0; k < parts; ++k)
            sum += change([&](double t) { return Complex(0, frequency) + std::polar(radius, t); },
                          from + (pi / 2 - from) * k / parts, from + (pi / 2 - from) * (k + 1) / parts);
        return sum;
    }

  private:
    template <class Path>
    double change(const Path& path, double a, double b) {
        struct Piece {
            double a, b;
            Complex fa, fb;
            int depth;
        };
        const auto f = [&](double t) {
            const Complex v = 1.0 + loop_.at_s(path(t));
            if (std::abs(v) < 1e-9) touches = true;
            return v;
        };
        std::vector<Piece> todo = {{a, b, f(a), f(b), 0}};
        double sum = 0;
        while (!todo.empty()) {
            const Piece p = todo.back();
            todo.pop_back();
            const double turn = std::arg(p.fb / p.fa);
            if (p.depth >= 40 || touches) {
                sum += turn;
                continue;
            }
            const double middle = p.a / 2 + p.b / 2;
            const Complex fm = f(middle);
            if (p.depth > 0 && std::fabs(turn) < pi / 6 &&
                std::abs(fm - (p.fa + p.fb) / 2.0) < 0.3 * std::min(std::abs(p.fa), std::abs(p.fb))) {
                sum += turn;
                continue;
            }
            todo.push_back({middle, p.b, fm, p.fb, p.depth + 1});
            todo.push_back({p.a, middle, p.fa, fm, p.depth + 1});
        }
        return sum;
    }
    const TransferFunction& loop_;
};

std::optional<int> encirclements(const TransferFunction& loop, const std::vector<double>& grid) {
    if (loop.is_zero()) return 0;
    const auto edge = boundary_roots(loop.poles, loop.sample_time);
    double scale = 0;
    for (const auto* list : {&loop.poles, &loop.zeros})
        for (const Complex& r : *list) {
            const double size = std::abs(as_s(r, loop.sample_time));
            if (std::isfinite(size)) scale = std::max(scale, size);
        }
    const double end_of_circle = loop.sample_time ? pi / *loop.sample_time : 0;
    double end = loop.sample_time ? end_of_circle : std::max({grid.back(), 1e4 * scale, 1.0});
    if (!loop.sample_time && loop.poles.size() > loop.zeros.size())
        for (int k = 0; k < 60 && std::abs(loop.at_s({0, end})) > 1e-3; ++k) end *= 2;
    // A radius within which no other root lies.
    double radius = std::max(scale, end_of_circle / 100);
    if (radius == 0) radius = 1;
    for (const auto& [w, m] : edge) {
        if (w > 0) radius = std::min(radius, w);
        for (const auto* list : {&loop.poles, &loop.zeros})
            for (const Complex& r : *list) {
                const double distance = std::abs(as_s(r, loop.sample_time) - Complex(0, w));
                if (distance > 1e-6 * std::max(scale, 1e-300) && std::isfinite(distance))
                    radius = std::min(radius, distance);
            }
    }
    radius *= 1e-4;
    // So near that 1 + L is L there: else a closed-loop pole could lie within.
    for (const auto& [w, m] : edge)
        for (int k = 0; k < 40 && std::abs(loop.at_s(Complex(radius, w))) < 100; ++k) radius /= 2;
    Contour contour(loop);
    double turn = 0, from = 0;
    for (const auto& [w, m] : edge) {
        const double low = std::max(w - radius, 0.0);
        if (low > from) turn += contour.along(from, low, grid);
        if (loop.sample_time && w >= end_of_circle * (1 - 1e-9)) {
            // At z = -1 only the half below belongs to the upper half of the circle.
            turn += 0.5 * contour.around(w, radius);
            from = end_of_circle;
            break;
        }
        turn += contour.around(w, radius);
        from = w + radius;
    }
    if (from < end) turn += contour.along(from, end, grid);
    if (contour.touches) return std::nullopt;
    // Both halves; counterclockwise angle counts negative.
    return static_cast<int>(std::lround(-2 * turn / (2 * pi)));
}

double wrapped(double degrees) {
    double d = std::fmod(degrees, 360.0);
    if (d <= -180) d += 360;
    if (d > 180) d -= 360;
    return d;
}

}  // namespace

LoopMargins loop_margins(const TransferFunction& loop) {
    LoopMargins out;
    if (loop.is_zero()) {
        out.encirclements = 0;
        out.stable = true;
        out.closed_loop_unstable = 0;
        out.sensitivity = 1;
        return out;
    }
    std::vector<double> grid = frequency_grid({loop}, {}, {}, 400);
    // Crossings may lie beyond the roots: as far as |L| takes to pass 1.
    if (!loop.sample_time) {
        std::vector<double> more;
        double w = grid.front();
        // Below the slowest root |L| changes only with roots at 0.
        const bool flat =
            std::none_of(loop.poles.begin(), loop.poles.end(), [](const Complex& r) { return r == 0.0; }) &&
            std::none_of(loop.zeros.begin(), loop.zeros.end(), [](const Complex& r) { return r == 0.0; });
        for (int k = 0;
             k < (flat ? 0 : 200) && std::fabs(frequency_point(loop, w).log_magnitude) < 50 && w > 1e-12;
             ++k) {
            w /= 1.3;
            more.push_back(w);
            if (frequency_point(loop, w).log_magnitude > 3 || (loop.poles.empty() && k > 5)) break;
        }
        w = grid.back();
        for (int k = 0; k < 400 && w < 1e15; ++k) {
            w *= loop.delay > 0 ? 1.02 : 1.2;
            more.push_back(w);
            if (frequency_point(loop, w).log_magnitude < -2 && k > 20) break;
        }
        grid.insert(grid.end(), more.begin(), more.end());
        std::sort(grid.begin(), grid.end());
    }
    // ---- |L| = 1
    // Within rounding of 1 it is 1: no crossing is read from noise.
    const auto magnitude = [&](double w) {
        const double m = frequency_point(loop, w).log_magnitude;
        return std::fabs(m) < 1e-13 ? 1e-13 : m;
    };
    for (double w : zeros_of(magnitude, grid)) {
        if (std::fabs(magnitude(w)) > 1e-6) continue;  // a root on the boundary: a jump, no crossing
        LoopMargins::Phase p;
        p.frequency = w;
        p.angle = wrapped(180 + frequency_point(loop, w).phase * 180 / pi);
        const double to_go = p.angle < 0 ? p.angle + 360 : p.angle;
        p.delay = to_go * pi / 180 / w;
        out.phases.push_back(p);
    }
    // ---- phase -180° modulo 360°
    const auto add_gain = [&](double w) {
        const double factor = std::exp(-frequency_point(loop, w).log_magnitude);
        if (std::isfinite(factor) && factor > 0) out.gains.push_back({w, factor});
    };
    const Complex at_zero = loop.at_s(0.0);
    if (std::isfinite(std::abs(at_zero)) && at_zero.real() < 0) add_gain(0);
    for (std::size_t i = 0; i + 1 < grid.size(); ++i) {
        const double a = frequency_point(loop, grid[i]).phase, b = frequency_point(loop, grid[i + 1]).phase;
        const double low = std::min(a, b), high = std::max(a, b);
        // Odd multiples of π in (low, high].
        for (double n = std::floor((low / pi - 1) / 2) + 1; (2 * n + 1) * pi <= high; ++n) {
            const double target = (2 * n + 1) * pi;
            if (target <= low && i > 0) continue;
            const auto f = [&](double w) { return frequency_point(loop, w).phase - target; };
            const double w = f(grid[i]) == 0       ? grid[i]
                             : f(grid[i + 1]) == 0 ? grid[i + 1]
                                                   : bisected(f, grid[i], grid[i + 1]);
            if (std::fabs(f(w)) < 1e-6) add_gain(w);
        }
    }
    if (loop.sample_time) {
        const double end = pi / *loop.sample_time;
        const Complex there = loop.at(-1.0);
        if (std::isfinite(std::abs(there)) && there.real() < 0 &&
            (out.gains.empty() || out.gains.back().frequency < end * (1 - 1e-9)))
            add_gain(end);
    }
    for (const LoopMargins::Gain& g : out.gains)
        if (!out.gain || std::fabs(std::log(g.factor)) < std::fabs(std::log(out.gain->factor))) out.gain = g;
    for (const LoopMargins::Phase& p : out.phases)
        if (!out.phase || std::fabs(p.angle) < std::fabs(out.phase->angle)) out.phase = p;
    // ---- sensitivity
    const auto distance = [&](double w) { return std::abs(1.0 + loop.at_s({0, w})); };
    double least = distance(grid[0]);
    std::size_t best = 0;
    for (std::size_t i = 1; i < grid.size(); ++i)
        if (const double d = distance(grid[i]); d < least) least = d, best = i;
    const double w = minimum(distance, grid[best ? best - 1 : 0], grid[std::min(best + 1, grid.size() - 1)]);
    out.sensitivity_frequency = distance(w) < least ? w : grid[best];
    out.sensitivity = 1 / std::min(distance(w), least);
    // ---- closed loop
    for (const Complex& p : loop.poles)
        if (!is_stable(p, loop.sample_time)) ++out.open_loop_unstable;
    for (const auto& [frequency, multiplicity] : boundary_roots(loop.poles, loop.sample_time)) {
        // Those within rounding of the boundary lie on it; twice, as pairs, but for 0 (and z = -1).
        const bool real =
            frequency == 0 || (loop.sample_time && frequency * *loop.sample_time > pi * (1 - 1e-9));
        int counted = 0;
        for (const Complex& p : loop.poles)
            if (!is_stable(p, loop.sample_time) &&
                std::fabs(std::fabs(as_s(p, loop.sample_time).imag()) - frequency) <=
                    1e-6 * std::max(frequency, 1e-9) &&
                std::fabs(as_s(p, loop.sample_time).real()) <= 1e-9 * std::max(frequency, 1.0))
                ++counted;
        out.open_loop_unstable -= std::min(counted, static_cast<int>(multiplicity) * (real ? 1 : 2));
    }
    out.encirclements = encirclements(loop, grid);
    if (loop.delay == 0) {
        out.closed_loop_poles = polynomial_roots(add(loop.denominator(), loop.numerator()));
        sort_roots(out.closed_loop_poles);
        int unstable = 0;
        bool border = false;
        for (const Complex& p : out.closed_loop_poles) {
            const bool edge =
                !boundary_roots({Complex(p.real(), std::fabs(p.imag()))}, loop.sample_time).empty();
            border = border || edge;
            if (!edge && !is_stable(p, loop.sample_time)) ++unstable;
        }
        out.closed_loop_unstable = unstable;
        if (border && unstable == 0) {
            out.encirclements.reset();
        } else {
            out.stable = unstable == 0;
            out.encirclements = unstable - out.open_loop_unstable;
        }
        if (border) out.encirclements.reset();
    } else if (out.encirclements) {
        out.closed_loop_unstable = *out.encirclements + out.open_loop_unstable;
        out.stable = *out.closed_loop_unstable == 0;
    }
    return out;
}

}  // namespace cutset

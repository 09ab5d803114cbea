#include "control/margins.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "control/connections.h"
#include "control/modes.h"
#include "control/state_space_messages.h"

namespace cutset {

namespace {

using std::numbers::pi;
constexpr double infinity = std::numeric_limits<double>::infinity();
// |ln|L|| below this is rounding: |L| = 1.
constexpr double noise = 1e-13;
// L(∞) as near to -1 as this is -1.
constexpr double algebraic = 1e-13;
constexpr std::size_t most_listed = 2000;

// ---- functions of the frequency

// A zero of f between a and b, which have different signs.
template <class F>
double bisected(const F& f, double a, double b) {
    const bool sign = f(a) > 0;
    for (int k = 0; k < 200 && b - a > 1e-15 * std::fabs(b); ++k) {
        const double middle = a > 0 && b / a > 1.1 ? std::sqrt(a * b) : a / 2 + b / 2;
        ((f(middle) > 0) == sign ? a : b) = middle;
    }
    return a / 2 + b / 2;
}

// The place of the smallest f between a and b.
template <class F>
double minimum(const F& f, double a, double b) {
    for (int k = 0; k < 100 && b - a > 1e-12 * b; ++k) {
        const double x = a + (b - a) * 0.381966, y = a + (b - a) * 0.618034;
        (f(x) < f(y) ? b : a) = f(x) < f(y) ? y : x;
    }
    return a / 2 + b / 2;
}

struct Zero {
    double frequency;
    bool crosses;  // else f only touches 0
};
// Zeros of f over the grid, also two of them between neighbours. Values within `noise` are zero: one zero for
// each run of them between others.
template <class F>
std::vector<Zero> zeros_of(const F& f, const std::vector<double>& grid) {
    struct Point {
        double w;
        int sign;
    };
    std::vector<double> values;
    for (double w : grid) values.push_back(f(w));
    const auto sign = [](double v) { return std::fabs(v) <= noise ? 0 : v > 0 ? 1 : -1; };
    std::vector<Point> points;
    for (std::size_t i = 0; i < grid.size(); ++i) {
        const int here = sign(values[i]);
        if (i > 0 && i + 1 < grid.size() && here != 0 && sign(values[i - 1]) == here &&
            sign(values[i + 1]) == here && std::fabs(values[i]) <= std::fabs(values[i - 1]) &&
            std::fabs(values[i]) <= std::fabs(values[i + 1])) {
            const double low = minimum([&](double w) { return f(w) * here; }, grid[i - 1], grid[i + 1]);
            const int there = sign(f(low));
            if (there != here) {
                if (low < grid[i]) points.push_back({low, there});
                points.push_back({grid[i], here});
                if (low > grid[i]) points.push_back({low, there});
                continue;
            }
        }
        points.push_back({grid[i], here});
    }
    std::vector<Zero> out;
    for (std::size_t i = 0; i < points.size();) {
        if (points[i].sign == 0) {
            std::size_t end = i;
            while (end < points.size() && points[end].sign == 0) ++end;
            // From the first or to the last point: no zero but a limit.
            if (i > 0 && end < points.size())
                out.push_back(
                    {std::sqrt(points[i].w * points[end - 1].w), points[i - 1].sign != points[end].sign});
            i = end;
            continue;
        }
        if (i + 1 < points.size() && points[i].sign * points[i + 1].sign < 0)
            out.push_back({bisected(f, points[i].w, points[i + 1].w), true});
        ++i;
    }
    return out;
}

double wrapped(double degrees) {
    double d = std::fmod(degrees, 360.0);
    if (d <= -180) d += 360;
    if (d > 180) d -= 360;
    return d;
}

// What happens where the frequency has no end (continuous loops).
struct FarEnd {
    bool delayed = false;
    int excess = 0;     // degree of the numerator less that of the denominator
    double direct = 0;  // L(∞) without the delay, for excess 0
};
FarEnd far_end(const TransferFunction& loop) {
    FarEnd out;
    out.delayed = loop.delay > 0;
    out.excess = static_cast<int>(loop.zeros.size()) - static_cast<int>(loop.poles.size());
    out.direct = out.excess == 0 ? loop.gain : 0;
    return out;
}

// Frequencies that show every crossing: those of the roots and beyond, as far as |L| takes to pass 1.
std::vector<double> margin_grid(const TransferFunction& loop) {
    std::vector<double> grid = frequency_grid({loop}, {}, {}, 400);
    if (!loop.sample_time) {
        std::vector<double> more;
        double w = grid.front();
        // Below the slowest root |L| changes only with roots at 0, as a power of w.
        const auto at_zero = [](const std::vector<Complex>& roots) {
            return std::count(roots.begin(), roots.end(), Complex(0));
        };
        const auto slope = at_zero(loop.zeros) - at_zero(loop.poles);
        for (int k = 0; k < 400 && slope != 0 && w > 1e-15; ++k) {
            w /= 1.3;
            more.push_back(w);
            if (static_cast<double>(slope) * frequency_point(loop, w).log_magnitude < -3) break;
        }
        w = grid.back();
        for (int k = 0; k < 400 && w < 1e15; ++k) {
            w *= 1.2;
            more.push_back(w);
            if (k > 20 &&
                (loop.zeros.size() >= loop.poles.size() || frequency_point(loop, w).log_magnitude < -2))
                break;
        }
        grid.insert(grid.end(), more.begin(), more.end());
        std::sort(grid.begin(), grid.end());
    }
    // Where the phase turns round it may just reach -180°.
    std::vector<double> turns;
    const auto phase = [&](double w) { return frequency_point(loop, w).phase; };
    for (std::size_t i = 1; i + 1 < grid.size(); ++i) {
        const double a = phase(grid[i - 1]), b = phase(grid[i]), c = phase(grid[i + 1]);
        if ((b - a) * (c - b) >= 0) continue;
        const double way = b < a ? 1 : -1;
        turns.push_back(minimum([&](double w) { return way * phase(w); }, grid[i - 1], grid[i + 1]));
    }
    grid.insert(grid.end(), turns.begin(), turns.end());
    std::sort(grid.begin(), grid.end());
    grid.erase(std::unique(grid.begin(), grid.end()), grid.end());
    return grid;
}

void find_phase_margins(const TransferFunction& loop, const std::vector<double>& grid,
                        const std::vector<Zero>& ones, Margins& out) {
    const Complex start = loop.at_s(0.0);
    const double low = std::log(std::abs(start));
    // |L(0)| = 1, unless |L| is 1 everywhere.
    if (std::fabs(low) < 1e-12) {
        bool passes = false;
        for (double w : grid) passes = passes || std::fabs(frequency_point(loop, w).log_magnitude) > 1e-12;
        if (passes)
            out.phases.push_back({0, start.real() > 0 ? 180.0 : 0.0, start.real() > 0 ? infinity : 0.0});
    }
    for (const Zero& zero : ones) {
        const double w = zero.frequency;
        const FrequencyPoint p = frequency_point(loop, w);
        if (std::fabs(p.log_magnitude) > 1e-6) continue;  // a root on the boundary: a jump, no crossing
        const double angle = wrapped(180 + p.phase * 180 / pi);
        const double to_go = angle < 0 ? angle + 360 : angle;
        out.phases.push_back({w, angle, to_go * pi / 180 / w});
    }
}

void find_gain_margins(const TransferFunction& loop, const std::vector<double>& grid, Margins& out) {
    const auto consider = [&](double w, double factor) {
        if (!std::isfinite(factor) || factor <= 0) return;
        // A delay passes -180° for ever: where L is small that is of no interest.
        if (loop.delay > 0 && factor > 20 && !out.gains.empty() && std::isfinite(w)) return;
        if (out.gains.size() < most_listed) out.gains.push_back({w, factor});
        if (!out.gain || std::fabs(std::log(factor)) < std::fabs(std::log(out.gain->factor)))
            out.gain = Margins::Gain{w, factor};
    };
    const auto factor_at = [&](double w) { return std::exp(-frequency_point(loop, w).log_magnitude); };
    const Complex start = loop.at_s(0.0);
    if (std::isfinite(std::abs(start)) && start.real() < 0) consider(0, 1 / std::abs(start));
    std::vector<double> phases;
    for (double w : grid) phases.push_back(frequency_point(loop, w).phase);
    const double end = loop.sample_time ? pi / *loop.sample_time : infinity;
    for (std::size_t i = 0; i + 1 < grid.size(); ++i) {
        const double low = std::min(phases[i], phases[i + 1]), high = std::max(phases[i], phases[i + 1]);
        // Odd multiples (2 n + 1) π in (low, high]; a phase that stays there is no crossing.
        const double first = std::floor((low / pi - 1) / 2) + 1, last = std::floor((high / pi - 1) / 2);
        const auto look_at = [&](double n) {
            const double target = (2 * n + 1) * pi;
            const auto f = [&](double w) { return frequency_point(loop, w).phase - target; };
            const double w = f(grid[i]) == 0       ? grid[i]
                             : f(grid[i + 1]) == 0 ? grid[i + 1]
                                                   : bisected(f, grid[i], grid[i + 1]);
            // At the end of the circle L is real anyway, which is counted below.
            if (std::fabs(f(w)) < 1e-6 && w < end * (1 - 1e-9)) consider(w, factor_at(w));
        };
        // Delays pass very many: of those only some at the ends, and those next to |L| = 1.
        constexpr double some = 10;
        if (last - first <= 2 * some) {
            for (double n = first; n <= last; ++n) look_at(n);
            continue;
        }
        for (double n = first; n < first + some; ++n) look_at(n);
        for (const Margins::Phase& p : out.phases)
            if (p.frequency > grid[i] && p.frequency <= grid[i + 1]) {
                const double at = std::floor((frequency_point(loop, p.frequency).phase / pi - 1) / 2);
                for (double n : {at, at + 1})
                    if (n >= first + some && n <= last - some) look_at(n);
            }
        for (double n = last - some + 1; n <= last; ++n) look_at(n);
    }
    // |L| = 1 with the phase -180°, also where the phase is that all along.
    for (const Margins::Phase& p : out.phases)
        if (std::fabs(p.degrees) < 1e-9 &&
            std::none_of(out.gains.begin(), out.gains.end(), [&](const Margins::Gain& g) {
                return std::fabs(g.frequency - p.frequency) <= 1e-6 * p.frequency;
            }))
            consider(p.frequency, 1);
    if (loop.sample_time) {
        const Complex there = loop.at(-1.0);
        if (loop.delay == 0 && std::isfinite(std::abs(there)) && there.real() < 0)
            consider(end, 1 / std::abs(there));
    } else if (const FarEnd far = far_end(loop);
               far.excess == 0 && (far.delayed || (far.direct < 0 && !loop.poles.empty()))) {
        consider(infinity, 1 / std::fabs(far.direct));
    }
    std::stable_sort(out.gains.begin(), out.gains.end(), [](const Margins::Gain& a, const Margins::Gain& b) {
        return a.frequency < b.frequency;
    });
}

void find_sensitivity(const TransferFunction& loop, const std::vector<double>& grid, Margins& out) {
    double least = infinity;
    const auto consider = [&](double w, double distance) {
        if (distance < least) {
            least = distance;
            out.sensitivity_frequency = w;
        }
    };
    const auto distance = [&](double w) { return std::abs(1.0 + loop.at_s({0, w})); };
    std::vector<double> values;
    for (double w : grid) values.push_back(distance(w));
    const double rough = *std::min_element(values.begin(), values.end());
    for (std::size_t i = 0; i < grid.size(); ++i) {
        consider(grid[i], values[i]);
        if (values[i] > 2 * rough || (i > 0 && values[i - 1] < values[i]) ||
            (i + 1 < grid.size() && values[i + 1] < values[i]))
            continue;
        const double w = minimum(distance, grid[i ? i - 1 : 0], grid[std::min(i + 1, grid.size() - 1)]);
        consider(w, distance(w));
    }
    // Limits that are as small as what the grid comes to.
    const auto consider_limit = [&](double w, double distance) {
        if (distance <= least * (1 + 1e-9)) {
            least = std::min(least, distance);
            out.sensitivity_frequency = w;
        }
    };
    if (!loop.sample_time) {
        const FarEnd far = far_end(loop);
        if (far.excess <= 0)
            consider_limit(infinity,
                           far.delayed ? std::fabs(1 - std::fabs(far.direct)) : std::fabs(1 + far.direct));
        if (far.delayed && (far.excess > 0 || std::fabs(far.direct) >= 1)) consider_limit(infinity, 0);
    }
    if (const Complex start = loop.at_s(0.0); std::isfinite(std::abs(start)))
        consider_limit(0, std::abs(1.0 + start));
    out.sensitivity = least > 0 ? 1 / least : infinity;
}

// Encirclements of -1 by the curve of a loop with a delay, whose |L| is below 1 in the end. With the
// continuous phase φ of L the angle of 1 + L is, continuously,
//     φ + arg(1 + 1/L) while |L| > 1,    arg(1 + L) while |L| < 1,
// so that only the frequencies with |L| = 1 need be known. Nothing when the curve passes through -1.
std::optional<int> curve_encirclements(const TransferFunction& loop, const std::vector<Zero>& ones) {
    const auto angle = [&](double w, bool large) {
        const FrequencyPoint p = frequency_point(loop, w);
        const Complex l = std::polar(std::exp(p.log_magnitude), p.phase);
        return large ? p.phase + std::arg(1.0 + 1.0 / l) : std::arg(1.0 + l);
    };
    std::vector<double> passed;
    for (const Zero& zero : ones) {
        const double w = zero.frequency;
        const FrequencyPoint p = frequency_point(loop, w);
        if (std::fabs(p.log_magnitude) > 1e-6) continue;
        if (std::fabs(std::remainder(p.phase - pi, 2 * pi)) < 1e-9) return std::nullopt;
        if (zero.crosses) passed.push_back(w);
    }
    const Complex start = loop.at_s(0.0);
    if (std::fabs(std::log(std::abs(start))) < 1e-12 && start.real() < 0) return std::nullopt;
    // From the real axis: around poles at 0 the small circle begins there, with the phase of a constant.
    const auto at_zero = [&](const std::vector<Complex>& roots) {
        for (const auto& [w, multiplicity] : boundary_roots(roots, loop.sample_time))
            if (w == 0) return static_cast<double>(multiplicity);
        return 0.0;
    };
    const double integrators = at_zero(loop.poles) - at_zero(loop.zeros);
    const double first = passed.empty() ? 1.0 : passed.front();
    const double end = loop.sample_time ? pi / *loop.sample_time : infinity;
    double turn = 0, from = 0;
    for (std::size_t i = 0; i <= passed.size(); ++i) {
        const bool last = i == passed.size();
        const double to = last ? end : passed[i];
        const double inside =
            last       ? (from > 0 ? std::min(2 * from, from / 2 + end / 2) : std::min(first, end / 2))
            : from > 0 ? std::sqrt(from * to)
                       : to / 2;
        const bool large = frequency_point(loop, inside).log_magnitude > 0;
        const double before = from > 0 ? angle(from, large)
                              : large  ? frequency_point(loop, 0).phase + integrators * pi / 2
                                       : 0;
        // In the end 1 + L returns to the real axis near 1.
        const double after = std::isfinite(to) ? angle(to, large) : large ? before : 0;
        turn += after - before;
        from = to;
    }
    return static_cast<int>(std::lround(-turn / pi));
}

// ---- poles

struct PoleCount {
    int unstable = 0, border = 0;
};
PoleCount counted(const std::vector<Complex>& roots, std::optional<double> sample_time) {
    PoleCount out;
    for (const Complex& p : roots) {
        const bool edge = !boundary_roots({Complex(p.real(), std::fabs(p.imag()))}, sample_time).empty();
        if (edge)
            ++out.border;
        else if (!is_stable(p, sample_time))
            ++out.unstable;
    }
    return out;
}

// All that is known of poles besides L itself.
struct LoopPoles {
    PoleCount open;               // of the system
    PoleCount hidden;             // of them: L does not show them
    bool well_posed = true;       // 1 + L(∞) ≠ 0
    std::vector<Complex> closed;  // without delay
};

Margins margins_of(const TransferFunction& loop, const LoopPoles& poles) {
    using ClosedLoop = Margins::ClosedLoop;
    Margins out;
    out.open_loop_unstable = poles.open.unstable;
    out.hidden_unstable = poles.hidden.unstable;
    out.closed_loop_poles = poles.closed;
    const auto judge = [&](int unstable, bool border) {
        out.closed_loop_unstable = unstable;
        out.closed_loop = unstable > 0 ? ClosedLoop::Unstable
                          : border     ? ClosedLoop::Border
                                       : ClosedLoop::Stable;
    };
    if (loop.is_zero()) {
        out.encirclements = 0;
        out.sensitivity = 1;
        judge(poles.open.unstable, poles.open.border > 0);
        return out;
    }
    const std::vector<double> grid = margin_grid(loop);
    const auto magnitude = [&](double w) { return frequency_point(loop, w).log_magnitude; };
    const std::vector<Zero> ones = zeros_of(magnitude, grid);
    find_phase_margins(loop, grid, ones, out);
    find_gain_margins(loop, grid, out);
    find_sensitivity(loop, grid, out);
    for (const Margins::Phase& p : out.phases)
        if (!out.phase || std::fabs(p.degrees) < std::fabs(out.phase->degrees)) out.phase = p;

    const FarEnd far = far_end(loop);
    if (!poles.well_posed) {
        out.closed_loop = ClosedLoop::IllPosed;
        out.sensitivity = infinity;
        out.sensitivity_frequency = infinity;
    } else if (loop.delay == 0) {
        const PoleCount closed = counted(poles.closed, loop.sample_time);
        judge(closed.unstable, closed.border > 0);
        if (closed.border == poles.hidden.border) out.encirclements = closed.unstable - poles.open.unstable;
    } else if (!loop.sample_time &&
               (far.excess > 0 || (far.excess == 0 && std::fabs(far.direct) > 1 - noise))) {
        const double size = far.excess > 0 ? infinity : std::log(std::fabs(far.direct));
        const bool from_above = std::fabs(size) <= noise && magnitude(grid.back()) > noise;
        out.closed_loop = size > noise || from_above ? ClosedLoop::InfinitelyUnstable : ClosedLoop::Border;
    } else {
        out.encirclements = curve_encirclements(loop, ones);
        if (out.encirclements)
            judge(*out.encirclements + poles.open.unstable, poles.hidden.border > 0);
        else
            out.closed_loop = ClosedLoop::Border;
    }
    if (out.stable())
        for (const Margins::Phase& p : out.phases)
            if (std::isfinite(p.delay) && (!out.delay || p.delay < out.delay->delay)) out.delay = p;
    return out;
}

}  // namespace

Margins stability_margins(const TransferFunction& loop) {
    LoopPoles poles;
    poles.open = counted(loop.poles, loop.sample_time);
    const FarEnd far = far_end(loop);
    poles.well_posed = far.excess != 0 || far.delayed || std::fabs(1 + far.direct) > algebraic;
    if (!far.delayed && poles.well_posed && !loop.is_zero()) {
        poles.closed = polynomial_roots(add(loop.denominator(), loop.numerator()));
        sort_roots(poles.closed);
    }
    return margins_of(loop, poles);
}

Margins stability_margins(const ExactFraction& f, const Rational& delay, std::optional<double> sample_time) {
    const TransferFunction loop = transfer_function(f, delay, sample_time);
    LoopPoles poles;
    poles.open = counted(roots(f.denominator), sample_time);
    if (!f.numerator.is_zero())
        poles.hidden = counted(roots(greatest_common_divisor(f.numerator, f.denominator)), sample_time);
    if (delay == 0) {
        const ExactPolynomial closed = f.numerator + f.denominator;
        poles.well_posed = closed.degree() >= f.denominator.degree();
        if (poles.well_posed) poles.closed = roots(closed);
    }
    return margins_of(loop, poles);
}

std::optional<Margins> stability_margins(const StateSpace& system, Eigen::Index input, Eigen::Index output,
                                         const TransferFunction& loop, const std::vector<Complex>& open,
                                         Diagnostics& diagnostics) {
    const StateSpace part = part_of(system, {input}, {output});
    const double direct = part.D(0, 0);
    LoopPoles poles;
    poles.well_posed = std::fabs(1 + direct) > algebraic;
    std::optional<std::vector<Complex>> closed = std::vector<Complex>();
    if (poles.well_posed) closed = settled_poles(part.A - part.B * part.C / (1 + direct), part.sample_time);
    if (!closed) {
        diagnostics.report(state_space_messages::no_convergence("the eigenvalues"));
        return {};
    }
    poles.closed = *closed;
    poles.open = counted(open, part.sample_time);
    const PoleCount seen = counted(loop.poles, part.sample_time);
    poles.hidden = {std::max(0, poles.open.unstable - seen.unstable),
                    std::max(0, poles.open.border - seen.border)};
    return margins_of(loop, poles);
}

std::optional<Margins> stability_margins(const StateSpace& system, Eigen::Index input, Eigen::Index output,
                                         Diagnostics& diagnostics) {
    const auto open = settled_poles(system.A, system.sample_time);
    const auto loop = open ? transfer_function(system, input, output, &*open) : std::nullopt;
    if (!loop) {
        diagnostics.report(state_space_messages::no_convergence("the eigenvalues"));
        return {};
    }
    return stability_margins(system, input, output, *loop, *open, diagnostics);
}

}  // namespace cutset

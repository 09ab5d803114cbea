#include "numerics/nonlinear/root1d.h"

#include <cmath>
#include <limits>
#include <utility>

#include "numerics/floating_point.h"

namespace cutset {

// R. P. Brent, Algorithms for Minimization without Derivatives, 1973, chapter 4. The root lies between b and
// c, b is the best approximation so far, a the one before it.
std::optional<double> find_root(const std::function<double(double)>& f, Bracket bracket, double tolerance) {
    double a = bracket.from, b = bracket.to;
    double fa = bracket.value_from, fb = bracket.value_to;
    if (!std::isfinite(fa) || !std::isfinite(fb)) return std::nullopt;
    if (fa == 0) return a;
    if (fb == 0) return b;
    if ((fa > 0) == (fb > 0)) return std::nullopt;
    double c = a, fc = fa;
    double step = b - a, previous_step = step;
    // Each three evaluations at least halve the bracket; 2100 halvings span all double numbers.
    for (int evaluation = 0; evaluation < 6300; ++evaluation) {
        if (std::abs(fc) < std::abs(fb)) {
            a = std::exchange(b, c);
            c = a;
            fa = std::exchange(fb, fc);
            fc = fa;
        }
        double limit = 2 * epsilon * std::abs(b) + 0.5 * tolerance;
        double half = 0.5 * (c - b);
        if (std::abs(half) <= limit || fb == 0) return b;
        if (std::abs(previous_step) < limit || std::abs(fa) <= std::abs(fb)) {
            step = previous_step = half;
        } else {
            double s = fb / fa;
            double p, q;
            if (a == c) {  // secant
                p = 2 * half * s;
                q = 1 - s;
            } else {  // inverse quadratic interpolation
                double r = fb / fc;
                double w = fa / fc;
                p = s * (2 * half * w * (w - r) - (b - a) * (r - 1));
                q = (w - 1) * (r - 1) * (s - 1);
            }
            if (p > 0) q = -q;
            p = std::abs(p);
            if (2 * p < std::min(3 * half * q - std::abs(limit * q), std::abs(previous_step * q))) {
                previous_step = step;
                step = p / q;
            } else {
                step = previous_step = half;
            }
        }
        a = b;
        fa = fb;
        b += std::abs(step) > limit ? step : std::copysign(limit, half);
        fb = f(b);
        if (!std::isfinite(fb)) return std::nullopt;
        if ((fb > 0) == (fc > 0)) {
            c = a;
            fc = fa;
            step = previous_step = b - a;
        }
    }
    return b;
}

}  // namespace cutset

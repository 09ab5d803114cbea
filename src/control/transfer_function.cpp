#include "control/transfer_function.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>
#include <string>

#include "control/modes.h"
#include "control/realization.h"
#include "control/zeros.h"

namespace cutset {

namespace {

using std::numbers::pi;

// Roots carry rounding into the coefficients: what is within it of a short decimal was that.
std::vector<double> settled(std::vector<double> p) {
    double size = 0;
    for (double c : p) size = std::max(size, std::fabs(c));
    for (double& c : p) {
        if (std::fabs(c) < 1e-15 * size) c = 0;
        if (c == 0) continue;
        const double unit = std::pow(10.0, std::floor(std::log10(std::fabs(c))) - 8);
        const double rounded =
            std::strtod(std::to_string(std::llround(c / unit))
                            .append("e")
                            .append(std::to_string(static_cast<int>(std::lround(std::log10(unit)))))
                            .c_str(),
                        nullptr);
        if (std::fabs(rounded - c) <= 2e-14 * std::fabs(c)) c = rounded;
    }
    return p;
}

}  // namespace

std::vector<double> TransferFunction::numerator() const {
    std::vector<double> p = polynomial_from_roots(zeros);
    for (double& c : p) c *= gain;
    return settled(std::move(p));
}

std::vector<double> TransferFunction::denominator() const {
    return settled(polynomial_from_roots(poles));
}

Complex TransferFunction::at(Complex v) const {
    Complex value = gain;
    // Alternately, so that products stay of middling size.
    for (std::size_t i = 0; i < std::max(zeros.size(), poles.size()); ++i) {
        if (i < zeros.size()) value *= v - zeros[i];
        if (i < poles.size()) value /= v - poles[i];
    }
    return value;
}

Complex TransferFunction::at_s(Complex s) const {
    const Complex v = sample_time ? std::exp(s * *sample_time) : s;
    return delay == 0 ? at(v) : at(v) * std::exp(-delay * s);
}

TransferFunction transfer_function(const ExactFraction& f, const Rational& delay,
                                   std::optional<double> sample_time) {
    const ExactFraction lowest = reduced(f);
    TransferFunction g;
    g.sample_time = sample_time;
    g.delay = Coefficient(delay).value();
    if (lowest.numerator.is_zero()) return g;
    g.zeros = roots(lowest.numerator);
    g.poles = roots(lowest.denominator);
    g.gain = (lowest.numerator.leading() / lowest.denominator.leading()).value();
    return g;
}

std::optional<TransferFunction> transfer_function(const StateSpace& system, Eigen::Index input,
                                                  Eigen::Index output, const std::vector<Complex>* known) {
    TransferFunction g;
    g.sample_time = system.sample_time;
    StateSpace channel;
    channel.A = system.A;
    channel.B = system.B.col(input);
    channel.C = system.C.row(output);
    channel.D = system.D.block(output, input, 1, 1);
    channel.states = system.states;
    channel.inputs = {"u"};
    channel.outputs = {"y"};
    channel.sample_time = system.sample_time;
    channel = minimal_realization(channel).system;
    if (channel.order() == 0) {
        g.gain = channel.D(0, 0);
        return g;
    }
    const bool all = known && channel.order() == system.order();
    const auto found = all ? *known : settled_poles(channel.A, channel.sample_time);
    const auto zeros = invariant_zeros(channel);
    if (!found || !zeros) return std::nullopt;
    g.poles = *found;
    pair_conjugates(g.poles);
    sort_roots(g.poles);
    g.zeros = zeros->finite;
    pair_conjugates(g.zeros);
    sort_roots(g.zeros);
    g.gain = zero_pole_gain(channel, g.zeros, g.poles);
    return g;
}

// ---- frequency

Complex as_s(Complex root, std::optional<double> sample_time) {
    if (!sample_time) return root;
    if (root == 0.0) return -std::numeric_limits<double>::infinity();
    return std::log(root) / *sample_time;
}

bool is_stable(Complex root, std::optional<double> sample_time) {
    return sample_time ? std::abs(root) < 1 : root.real() < 0;
}

namespace {

// A root so near to the boundary that rounding may have put it there.
bool on_boundary(Complex root, std::optional<double> sample_time) {
    if (sample_time) return std::fabs(std::abs(root) - 1) < 1e-10;
    return std::fabs(root.real()) <= 1e-10 * std::abs(root) || root == 0.0;
}

// Angle of (variable - root), continuous in w and 0 at w = 0 for a pair; a real root right of the boundary
// gives a sign, which is counted apart.
double angle(Complex root, double w, std::optional<double> sample_time) {
    if (!sample_time) {
        if (root == 0.0) return pi / 2;
        const double x = on_boundary(root, sample_time) ? 0.0 : root.real(), y = w - root.imag();
        if (x == 0) return y >= 0 ? pi / 2 : -pi / 2;
        return x < 0 ? std::atan(y / -x) : -std::atan(y / x);
    }
    const Complex z = std::polar(1.0, w * *sample_time);
    if (std::abs(root) <= 1 || on_boundary(root, sample_time)) {
        if (on_boundary(root, sample_time)) {
            // θ + arg(1 - e^(-j(θ-φ))) = θ + (π - (θ-φ))/2 beyond φ, less π before it
            const double theta = w * *sample_time, off = theta - std::arg(root);
            return theta + (off >= 0 ? (pi - off) / 2 : -(pi + off) / 2);
        }
        return w * *sample_time + std::arg(1.0 - root / z);
    }
    return std::arg(1.0 - z / root);
}

bool gives_sign(Complex root, std::optional<double> sample_time) {
    if (root.imag() != 0 || on_boundary(root, sample_time)) return false;
    return sample_time ? root.real() > 1 : root.real() > 0;
}

}  // namespace

FrequencyPoint frequency_point(const TransferFunction& g, double w) {
    FrequencyPoint p;
    p.frequency = w;
    const Complex v = g.sample_time ? std::polar(1.0, w * *g.sample_time) : Complex(0, w);
    bool negative = g.gain < 0;
    double magnitude = std::log(std::fabs(g.gain)), phase = -w * g.delay;
    for (const Complex& z : g.zeros) {
        magnitude += std::log(std::abs(v - z));
        phase += angle(z, w, g.sample_time);
        if (gives_sign(z, g.sample_time)) negative = !negative;
    }
    for (const Complex& q : g.poles) {
        magnitude -= std::log(std::abs(v - q));
        phase -= angle(q, w, g.sample_time);
        if (gives_sign(q, g.sample_time)) negative = !negative;
    }
    p.log_magnitude = magnitude;
    p.phase = negative ? phase - pi : phase;
    return p;
}

std::vector<double> frequency_grid(const std::vector<TransferFunction>& functions, std::optional<double> low,
                                   std::optional<double> high, std::size_t points) {
    double least = std::numeric_limits<double>::infinity(), most = 0;
    std::optional<double> nyquist;
    std::vector<std::pair<double, double>> resonances;  // frequency, half width
    std::vector<double> single;
    for (const TransferFunction& g : functions) {
        if (g.sample_time) nyquist = std::min(nyquist.value_or(pi / *g.sample_time), pi / *g.sample_time);
        for (const auto* list : {&g.zeros, &g.poles})
            for (const Complex& root : *list) {
                const Complex s = as_s(root, g.sample_time);
                const double size = std::abs(s);
                if (!std::isfinite(size) || size < 1e-9 || size > 1e12) continue;
                least = std::min(least, size);
                most = std::max(most, size);
                if (std::fabs(s.imag()) > std::fabs(s.real()))
                    resonances.emplace_back(std::fabs(s.imag()), std::max(std::fabs(s.real()), 1e-6 * size));
            }
        if (g.delay > 0) {
            least = std::min(least, 0.1 / g.delay);
            most = std::max(most, 1 / g.delay);
        }
    }
    if (most == 0) least = most = nyquist ? *nyquist / 30 : 1;
    double from = std::pow(10.0, std::floor(std::log10(least) - 0.7)),
           to = std::pow(10.0, std::ceil(std::log10(most) + 0.7));
    // Roots at the rounding limit of others do not stretch the picture beyond reason.
    if (to / from > 1e14) from = to / 1e14;
    if (nyquist) {
        to = *nyquist;
        from = std::min(from, to / 1000);
    }
    if (low) from = *low;
    if (high) to = *high;
    if (nyquist) to = std::min(to, *nyquist);
    if (!(from < to)) from = to / 1000;
    std::vector<double> grid;
    const double ratio = std::log(to / from);
    for (std::size_t i = 0; i < points; ++i)
        grid.push_back(from * std::exp(ratio * static_cast<double>(i) / static_cast<double>(points - 1)));
    grid.back() = to;
    for (const auto& [center, width] : resonances) {
        grid.push_back(center);
        for (double t = 0.125; t * width < center; t *= 1.4) {
            grid.push_back(center - t * width);
            grid.push_back(center + t * width);
        }
    }
    std::erase_if(grid, [&](double w) { return !(w >= from && w <= to); });
    std::sort(grid.begin(), grid.end());
    grid.erase(std::unique(grid.begin(), grid.end(), [](double a, double b) { return b - a < 1e-12 * b; }),
               grid.end());
    // Halved where a straight line would not do: by more than 0.1 dB or 1 degree.
    for (int round = 0; round < 6; ++round) {
        std::vector<double> finer;
        for (std::size_t i = 0; i + 1 < grid.size(); ++i) {
            finer.push_back(grid[i]);
            const double middle = std::sqrt(grid[i] * grid[i + 1]);
            for (const TransferFunction& g : functions) {
                if (g.is_zero()) continue;
                const FrequencyPoint a = frequency_point(g, grid[i]), b = frequency_point(g, grid[i + 1]),
                                     m = frequency_point(g, middle);
                const double bend = std::fabs(m.log_magnitude - (a.log_magnitude + b.log_magnitude) / 2);
                const double turn = std::fabs(m.phase - (a.phase + b.phase) / 2);
                if ((bend > 0.0115 && std::isfinite(bend)) ||
                    (turn > 0.0175 && std::fabs(b.phase - a.phase) < 1000)) {
                    finer.push_back(middle);
                    break;
                }
            }
        }
        finer.push_back(grid.back());
        const bool done = finer.size() == grid.size() || finer.size() > 20000;
        grid = std::move(finer);
        if (done) break;
    }
    return grid;
}

std::vector<std::pair<double, unsigned>> boundary_roots(const std::vector<Complex>& roots,
                                                        std::optional<double> sample_time) {
    std::vector<std::pair<double, unsigned>> out;
    for (const Complex& root : roots) {
        if (!on_boundary(root, sample_time) || root.imag() < 0) continue;
        const double w = std::fabs(as_s(root, sample_time).imag());
        const auto at = std::find_if(out.begin(), out.end(), [&](const auto& r) {
            return std::fabs(r.first - w) <= 1e-7 * std::max(w, 1e-12);
        });
        if (at == out.end())
            out.emplace_back(w, 1);
        else
            ++at->second;
    }
    std::sort(out.begin(), out.end());
    return out;
}

}  // namespace cutset

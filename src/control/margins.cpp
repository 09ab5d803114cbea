#include "control/margins.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "control/connections.h"
#include "control/frequency_response.h"
#include "control/modes.h"
#include "control/norms.h"
#include "control/sampling.h"
#include "control/state_space_messages.h"
#include "control/zeros.h"

namespace cutset {

namespace {

using Complex = std::complex<double>;

// Frequencies near which |L| = 1 or L is real: zeros of 1 - L(s) L(-s) and L(s) - L(-s) near the imaginary
// axis.
std::vector<double> candidates(const StateSpace& loop) {
    StateSpace mirror = loop;  // L(-s): (-A^T, C^T, -B^T, D)
    mirror.A = -loop.A.transpose();
    mirror.B = loop.C.transpose();
    mirror.C = -loop.B.transpose();
    std::vector<double> out;
    Diagnostics ignored;
    const auto collect = [&](const StateSpace& s) {
        const auto zeros = invariant_zeros(s);
        if (!zeros) return;
        for (const Complex& z : zeros->finite)
            if (z.imag() > 0 && std::abs(z.real()) < 0.01 * z.imag()) out.push_back(z.imag());
    };
    if (auto product = series(loop, mirror, ignored)) {
        product->C = (-product->C).eval();
        product->D(0, 0) = 1 - product->D(0, 0);
        collect(*product);
    }
    StateSpace negative = mirror;
    negative.C = -mirror.C;
    negative.D = -mirror.D;
    if (const auto difference = parallel(loop, negative, ignored)) collect(*difference);
    return out;
}

// A point between a and b (of different sign of f) where f changes sign.
template <class F>
double bisect(double a, double b, F f) {
    const bool sign = f(a) < 0;
    for (int i = 0; i < 200 && b - a > 1e-15 * b; ++i) {
        const double middle = 0.5 * (a + b);
        ((f(middle) < 0) == sign ? a : b) = middle;
    }
    return 0.5 * (a + b);
}

}  // namespace

std::optional<Margins> stability_margins(const StateSpace& loop, Diagnostics& diagnostics) {
    if (!check_system(loop, diagnostics)) return {};
    if (loop.B.cols() != 1 || loop.C.rows() != 1) {
        diagnostics.report(state_space_messages::one_input_one_output("a margin", loop));
        return {};
    }
    const auto closed = feedback(
        loop, static_gain(Eigen::MatrixXd::Identity(1, 1), loop.outputs, loop.inputs, {}), diagnostics);
    if (!closed) return {};
    Margins out;
    const auto found = poles(closed->A, loop.sample_time), open = poles(loop.A, loop.sample_time);
    const auto zeros = invariant_zeros(loop);
    if (!found || !open || !zeros) {
        diagnostics.report(state_space_messages::no_convergence("the eigenvalues"));
        return {};
    }
    out.closed_poles = *found;
    out.stable = std::all_of(found->begin(), found->end(), [&](const Complex& value) {
        return loop.is_sampled() ? std::abs(value) < 1 : value.real() < 0;
    });

    const double period = loop.sample_time.value_or(0);
    const double nyquist = loop.is_sampled() ? std::numbers::pi / period : INFINITY;
    // A grid over all time scales of the loop, and close around the candidates.
    double low = INFINITY, high = 0;
    const auto widen = [&](Complex value) {
        if (loop.is_sampled()) {
            if (std::abs(value) < 1e-12) return;
            value = std::log(value) / period;
        }
        if (std::abs(value) < 1e-14) return;
        low = std::min(low, std::abs(value));
        high = std::max(high, std::abs(value));
    };
    for (const Complex& value : *open) widen(value);
    for (const Complex& value : zeros->finite) widen(value);
    for (const Complex& value : *found) widen(value);
    std::vector<double> near;
    if (!loop.is_sampled()) {
        near = candidates(loop);
    } else {
        Diagnostics ignored;
        if (const auto bent = continuous_from_sampled(loop, SamplingMethod::Tustin, ignored))
            for (double w : candidates(*bent)) near.push_back(2 / period * std::atan(w * period / 2));
    }
    for (double w : near) {
        low = std::min(low, w);
        high = std::max(high, w);
    }
    if (!(low <= high)) low = high = 1;
    low = std::min(low * 1e-3, nyquist * 1e-3);
    high = std::min(high * 1e3, nyquist * (1 - 1e-12));
    std::vector<double> grid;
    const double decades = std::log10(high / low);
    const int points = std::clamp(static_cast<int>(decades * 200), 400, 6000);
    for (int i = 0; i <= points; ++i)
        grid.push_back(low * std::pow(high / low, static_cast<double>(i) / points));
    for (double w : near)
        for (double f : {1e-2, 1e-3, 1e-4, 1e-6, 1e-8})
            for (double sign : {-1.0, 1.0})
                if (const double at = w * (1 + sign * f); at < high) grid.push_back(at);
    // Resonances: where |L| changes fastest.
    for (const auto& list : {*open, zeros->finite})
        for (Complex value : list) {
            if (loop.is_sampled()) value = std::abs(value) > 1e-12 ? std::log(value) / period : Complex(0);
            const double w = value.imag(), width = std::abs(value.real());
            if (!(w > 0)) continue;
            for (double k : {-3.0, -1.0, -0.3, -0.1, 0.0, 0.1, 0.3, 1.0, 3.0})
                if (const double at = w + k * width; at > low && at < high) grid.push_back(at);
        }
    std::sort(grid.begin(), grid.end());
    grid.erase(std::unique(grid.begin(), grid.end()), grid.end());

    const FrequencyResponse response(loop);
    const auto at = [&](double w) {
        return response.at(loop.is_sampled() ? std::polar(1.0, w * period) : Complex(0, w))(0, 0);
    };
    std::vector<Complex> values;
    for (const auto& g : response.at_frequencies(grid)) values.push_back(g(0, 0));
    const auto unity = [](const Complex& g) { return std::abs(g) - 1; };
    for (std::size_t i = 1; i < grid.size(); ++i) {
        const Complex a = values[i - 1], b = values[i];
        if (!std::isfinite(std::abs(a)) || !std::isfinite(std::abs(b))) continue;
        if ((unity(a) < 0) != (unity(b) < 0)) {
            const double w = bisect(grid[i - 1], grid[i], [&](double x) { return unity(at(x)); });
            const Complex g = at(w);
            if (std::abs(std::abs(g) - 1) < 1e-3) {
                const double degrees = std::arg(-g) * 180 / std::numbers::pi;
                const double turn = degrees < 0 ? degrees + 360 : degrees;
                out.phases.push_back({w, degrees, turn * std::numbers::pi / 180 / w});
            }
        }
        // The imaginary part changes sign while the real part is negative; both sides of a pole on the axis
        // do not count.
        if ((a.imag() < 0) != (b.imag() < 0) && (a.real() < 0 || b.real() < 0)) {
            const double w = bisect(grid[i - 1], grid[i], [&](double x) { return at(x).imag(); });
            const Complex g = at(w);
            if (g.real() < 0 && std::abs(g.imag()) < 1e-3 * std::abs(g))
                out.gains.push_back({w, 1 / std::abs(g)});
        }
    }
    // A sampled loop ends at the Nyquist frequency, where it is real.
    if (loop.is_sampled()) {
        const Complex g = at(nyquist);
        if (std::isfinite(std::abs(g)) && g.real() < 0) out.gains.push_back({nyquist, 1 / std::abs(g)});
    }
    for (const auto& g : out.gains)
        if (!out.gain || std::abs(std::log(g.factor)) < std::abs(std::log(out.gain->factor))) out.gain = g;
    for (const auto& p : out.phases) {
        if (!out.phase || std::abs(p.degrees) < std::abs(out.phase->degrees)) out.phase = p;
        if (!out.delay || p.delay < out.delay->delay) out.delay = p;
    }
    if (out.stable) {
        // S = 1/(1 + L)
        StateSpace sensitivity = *closed;
        sensitivity.C = -closed->C;
        sensitivity.D = Eigen::MatrixXd::Identity(1, 1) - closed->D;
        Diagnostics ignored;
        if (const auto peak = hinf_norm(sensitivity, ignored); peak && peak->gain > 0) {
            out.modulus = 1 / peak->gain;
            out.modulus_frequency = peak->frequency;
        }
    }
    return out;
}

}  // namespace cutset

#include "control/factored_roots.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace cutset {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// Without the care for overflow of a division, which costs four times as much.
Complex inverse(Complex z) {
    const double size = z.real() * z.real() + z.imag() * z.imag();
    return size > 1e-280 && size < 1e280 ? Complex(z.real() / size, -z.imag() / size) : 1.0 / z;
}

Complex product(Complex a, Complex b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

Complex sum_of_inverses(Complex s, const std::vector<Complex>& roots) {
    Complex sum = 0;
    for (const Complex& root : roots) sum += inverse(s - root);
    return sum;
}

// Aberth's iteration with the logarithmic derivative f'/f. Whether every root converged.
bool iterate_all(std::vector<Complex>& roots, const std::function<Complex(Complex)>& logarithmic_slope) {
    std::vector<bool> done(roots.size());
    std::vector<double> last(roots.size(), INFINITY);
    for (int round = 0; round < 200; ++round) {
        bool all = true;
        for (std::size_t i = 0; i < roots.size(); ++i) {
            if (done[i]) continue;
            const Complex slope = logarithmic_slope(roots[i]);
            if (!std::isfinite(slope.real()) || !std::isfinite(slope.imag())) {
                done[i] = true;  // f is zero
                continue;
            }
            Complex others = 0;
            for (std::size_t k = 0; k < roots.size(); ++k)
                if (k != i && roots[k] != roots[i]) others += inverse(roots[i] - roots[k]);
            const Complex step = 1.0 / (slope - others);
            if (!std::isfinite(step.real()) || !std::isfinite(step.imag())) return false;
            roots[i] -= step;
            // As small as rounding allows: below it, or no longer getting smaller.
            const double moved = std::abs(step), size = std::abs(roots[i]);
            if (moved <= 8 * epsilon * size || (moved <= 1e-9 * size && moved >= 0.5 * last[i]))
                done[i] = true;
            else
                all = false;
            last[i] = moved;
        }
        if (all) return true;
    }
    return false;
}

// Away from the axis and from each other, so that no symmetry of the guess is kept.
void shake(std::vector<Complex>& roots) {
    double size = 0;
    for (const Complex& r : roots) size = std::max(size, std::abs(r));
    std::vector<Complex> moved = roots;
    for (std::size_t i = 0; i < roots.size(); ++i) {
        double nearest = size;
        for (std::size_t k = 0; k < roots.size(); ++k)
            if (k != i) nearest = std::min(nearest, std::abs(roots[k] - roots[i]));
        moved[i] +=
            std::polar(std::max(0.02 * nearest, 1e-9 * size), 1 + 2.4 * static_cast<double>(i % 1000));
    }
    roots = std::move(moved);
}

// Rounding leaves a real root a little beside the axis.
void settle_on_axis(std::vector<Complex>& roots) {
    for (Complex& r : roots)
        if (std::fabs(r.imag()) <= 1e-13 * std::abs(r)) r = r.real();
    pair_conjugates(roots);
}

}  // namespace

FactoredRoots::FactoredRoots(std::vector<Complex> poles, std::vector<Complex> zeros, double gain)
    : poles_(std::move(poles)), zeros_(std::move(zeros)), gain_(gain) {}

Complex FactoredRoots::ratio(Complex s) const {
    Complex value = gain_;
    // Alternately, so that products stay of middling size.
    for (std::size_t i = 0; i < std::max(zeros_.size(), poles_.size()); ++i) {
        if (i < zeros_.size()) value = product(value, s - zeros_[i]);
        if (i < poles_.size()) value = product(value, inverse(s - poles_[i]));
    }
    return value;
}

Complex FactoredRoots::gain_at(Complex s) const {
    return -1.0 / ratio(s);
}

// (D' + kN')/(D + kN) = (D'/D + r N'/N)/(1 + r) with r = kN/D.
Complex FactoredRoots::slope(double k, Complex s) const {
    const Complex r = k * ratio(s);
    const Complex d = sum_of_inverses(s, poles_), n = sum_of_inverses(s, zeros_);
    if (std::abs(r) > 1) return (d / r + n) / (1.0 / r + 1.0);
    return (d + r * n) / (1.0 + r);
}

std::optional<std::vector<Complex>> FactoredRoots::all(double k, std::vector<Complex> guess) const {
    if (k == 0) return poles_;
    if (guess.size() != poles_.size() || zeros_.size() > poles_.size()) return std::nullopt;
    if (zeros_.size() == poles_.size() && std::fabs(1 + k * gain_) < 1e-6) return std::nullopt;
    for (const Complex& r : guess)
        if (!std::isfinite(std::abs(r))) return std::nullopt;
    shake(guess);
    if (!iterate_all(guess, [&](Complex s) { return slope(k, s); })) return std::nullopt;
    settle_on_axis(guess);
    return guess;
}

std::optional<Complex> FactoredRoots::near(double k, Complex guess, double distance) const {
    Complex s = guess;
    for (int round = 0; round < 30; ++round) {
        const Complex step = 1.0 / slope(k, s);
        if (!std::isfinite(std::abs(step))) return std::nullopt;
        s -= step;
        if (std::abs(s - guess) > distance) return std::nullopt;
        if (std::abs(step) <= 8 * epsilon * std::abs(s)) return s;
    }
    return std::nullopt;
}

std::vector<Complex> FactoredRoots::meetings() const {
    // Over the distinct roots: P = Π (s - root), q = P · Σ m/(s - root), m negative for zeros.
    std::vector<RootGroup> groups = group_roots(poles_, 1e-9);
    const std::size_t poles = groups.size();
    for (const RootGroup& zero : group_roots(zeros_, 1e-9)) groups.push_back(zero);
    std::vector<Complex> places;
    std::vector<double> weights, q = {0};
    for (std::size_t i = 0; i < groups.size(); ++i) {
        places.push_back(groups[i].root);
        weights.push_back((i < poles ? 1.0 : -1.0) * groups[i].multiplicity);
    }
    if (places.size() < 2) return {};
    // Conjugates have equal weights, so the sum of both terms has real coefficients.
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (places[i].imag() < 0) continue;
        std::vector<Complex> others;
        bool own = false, partner = places[i].imag() == 0;
        for (std::size_t k = 0; k < places.size(); ++k) {
            if (!own && k == i) {
                own = true;
            } else if (!partner && weights[k] == weights[i] &&
                       std::abs(places[k] - std::conj(places[i])) <= 1e-9 * std::abs(places[i])) {
                partner = true;
            } else {
                others.push_back(places[k]);
            }
        }
        std::vector<double> term = polynomial_from_roots(others);
        if (places[i].imag() != 0) term = multiply(term, {2, -2 * places[i].real()});
        q = add(q, term, weights[i]);
    }
    // As many poles as zeros: the highest coefficient vanishes but for rounding.
    if (poles_.size() == zeros_.size() && !q.empty()) q[0] = 0;
    std::vector<Complex> roots = polynomial_roots(q);
    if (roots.size() <= 10) return roots;
    // q'/q = P'/P + (Σ m/(s - root))' / Σ m/(s - root)
    std::vector<Complex> refined = roots;
    shake(refined);
    const bool found = iterate_all(refined, [&](Complex s) {
        Complex h = 0, slope = 0;
        for (std::size_t i = 0; i < places.size(); ++i) {
            const Complex term = inverse(s - places[i]);
            h += weights[i] * term;
            slope -= weights[i] * product(term, term);
        }
        return sum_of_inverses(s, places) + slope / h;
    });
    if (!found) return roots;
    settle_on_axis(refined);
    return refined;
}

}  // namespace cutset

#include "run/fast_growth.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cutset {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr int most_watched_starts = 100;   // of a run that are looked at
constexpr int most_watched_steps = 10000;  // after one of them
constexpr double part_of_growth = 0.25;    // of 1/ρ in a step
constexpr double least_growths = 20;       // 1/ρ in the rest of the run: less is no growth worth a look
constexpr double largest_exponent = 700;
// Seeds, in units of the tolerance, that every error control sees: at first, and while growth is followed,
// where the step that comes next may be much longer than the last one.
constexpr double seen_at_first = 1, seen_behind = 1e4;
constexpr double least_rate_kept = 0.25;  // of ρ, when J acts once more

}  // namespace

void FastGrowth::started() {
    watches_ = starts_ < most_watched_starts && !now_.layout.state.empty() && now_.residuals.empty() &&
               !describe(now_.options.solver).fixed_step;
    ++starts_;
    steps_ = 0;
}

FastGrowth::Finding FastGrowth::look(double t, std::span<const double> x) {
    // What is tried here leaves no trace in the run.
    RunState state = now_.state;
    Memory memory;
    MemoryStream keep(memory);
    now_.loops.remember(now_.program, keep);
    const bool stop = now_.stop;
    const Finding found = measure(t, x);
    now_.stop = stop;
    now_.at_derivatives = now_.at_crossings = now_.equations_known = false;
    now_.state = state;
    MemoryStream back(std::as_const(memory));
    now_.loops.remember(now_.program, back);
    watches_ = found.kind == Finding::Kind::Limited && ++steps_ < most_watched_steps;
    if (found.kind != Finding::Kind::NoWayOut) rhs_.forget_bad();
    return found;
}

double FastGrowth::product(const std::vector<double>& v, const std::vector<double>& w) const {
    double sum = 0;
    for (std::size_t i = 0; i < v.size(); ++i) sum += v[i] * weights_[i] * (w[i] * weights_[i]);
    return sum;
}

int FastGrowth::difference(double t, std::span<const double> x, const std::vector<double>& direction,
                           double part, std::vector<double>& result) {
    const double factor = part / std::sqrt(product(direction, direction));
    bool moves = false;
    there_.resize(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double move = factor * direction[i];
        there_[i] = x[i] + move;
        moves = moves || std::abs(move) > 4 * epsilon * std::abs(x[i]);
    }
    result.resize(x.size());
    if (rhs_.derivatives(t, there_, result) != 0) return moves ? 1 : -1;
    for (std::size_t i = 0; i < x.size(); ++i) result[i] -= slopes_[i];
    return moves ? 0 : -1;
}

FastGrowth::Finding FastGrowth::measure(double t, std::span<const double> x) {
    using Kind = Finding::Kind;
    const std::size_t n = x.size();
    const double rest = now_.options.stop - t;
    slopes_.resize(n);
    weights_.resize(n);
    for (std::size_t i = 0; i < n; ++i)
        weights_[i] =
            1 / std::max(relative_ * std::abs(x[i]) + absolute_[i], std::numeric_limits<double>::min());
    if (rhs_.derivatives(t, x, slopes_) != 0) return {};
    const double size = std::sqrt(product(slopes_, slopes_));
    if (!(size > 0) || !std::isfinite(size)) return {};
    const bool moves = size * rest > 1;  // by more than the tolerance, if it does not grow
    Finding found;
    for (std::size_t i = 0; i < n; ++i)
        if (std::abs(slopes_[i]) * weights_[i] > std::abs(slopes_[found.state]) * weights_[found.state])
            found.state = i;
    bool has_value = false;
    const double seen = steps_ > 0 ? seen_behind : seen_at_first;
    for (double part = seen;;) {
        const int flag = difference(t, x, slopes_, part, change_);
        if (flag < 0) {
            found.kind = !moves ? Kind::Nothing : has_value ? Kind::TooFast : Kind::NoWayOut;
            // A nonlinear loop may fail at a point for other reasons.
            if (!has_value && std::any_of(now_.program.loops.begin(), now_.program.loops.end(),
                                          [](const Loop& loop) { return !loop.linear; }))
                found.kind = Kind::Nothing;
            return found;
        }
        if (flag > 0) {
            part *= 1e-2;
            continue;
        }
        has_value = true;
        found.rate = product(slopes_, change_) / (size * part);
        if (!(found.rate * rest > least_growths)) return {};
        const double seed = size / found.rate;
        if (seed >= part) {
            if (part == seen || !keeps_growing(t, x, part, found.rate)) return {};
            break;
        }
        if (part == seen && !keeps_growing(t, x, part, found.rate)) return {};
        if (seed >= 0.1 * part) break;
        part = std::max(seed, 1e-3 * part);
    }
    // Rounding alone moves what is in an unstable equilibrium.
    if (!moves && !(size / found.rate * std::expm1(std::min(found.rate * rest, largest_exponent)) > 1))
        return {};
    found.longest = part_of_growth / found.rate;
    found.kind = found.longest > 4 * epsilon * std::abs(t) ? Kind::Limited : Kind::TooFast;
    return found;
}

// Whether the growth is that of a mode: J, acting once and twice more, does not turn the direction away from
// it, as it does where x' lies across decaying modes.
bool FastGrowth::keeps_growing(double t, std::span<const double> x, double part, double rate) {
    std::vector<double> direction = change_, next;
    for (int k = 0; k < 2; ++k) {
        if (difference(t, x, direction, part, next) != 0) return true;
        const double length = std::sqrt(product(direction, direction));
        if (!(product(direction, next) / (length * part) > least_rate_kept * rate)) return false;
        direction = next;
    }
    return true;
}

}  // namespace cutset

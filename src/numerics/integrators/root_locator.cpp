#include "numerics/integrators/root_locator.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "numerics/floating_point.h"

namespace cutset {

namespace {

using Pair [[gnu::vector_size(2 * sizeof(double))]] = double;

// From a value that is not zero to zero or to the other sign.
bool crosses(double before, double after) {
    return ((before > 0) & (after <= 0)) | ((before < 0) & (after >= 0));
}

// Whether a product of two values may be zero or negative: false tells that nothing crosses.
bool may_cross(const std::vector<double>& before, const std::vector<double>& after) {
    const double *a = before.data(), *b = after.data();
    const std::size_t n = before.size();
    Pair least = {1, 1};
    std::size_t i = 0;
    for (; i + 2 <= n; i += 2) {
        const Pair product = Pair{a[i], a[i + 1]} * Pair{b[i], b[i + 1]};
        least = product < least ? product : least;
    }
    return least[0] <= 0 || least[1] <= 0 || (i < n && a[i] * b[i] <= 0);
}

bool crosses(const std::vector<double>& before, const std::vector<double>& after) {
    if (!may_cross(before, after)) return false;
    for (std::size_t i = 0; i < before.size(); ++i)
        if (crosses(before[i], after[i])) return true;
    return false;
}

// Where the parabola in g through three points has its root.
double inverse_parabola(double t0, double g0, double t1, double g1, double t2, double g2) {
    return t0 * g1 * g2 / ((g0 - g1) * (g0 - g2)) + t1 * g0 * g2 / ((g1 - g0) * (g1 - g2)) +
           t2 * g0 * g1 / ((g2 - g0) * (g2 - g1));
}

}  // namespace

RootLocator::RootLocator(IvpFunctions& functions, Care care)
    : functions_(functions),
      care_(care),
      at_time_(functions.problem().roots),
      ahead_(functions.problem().roots),
      middle_(functions.problem().roots),
      trial_(functions.problem().n),
      inside_(functions.problem().n),
      directions_(functions.problem().roots) {}

bool RootLocator::evaluate(double t, std::span<const double> x, std::vector<double>& g) {
    const bool good = functions_.root_functions(t, x, g) == 0;
    functions_.rethrow();
    return good;
}

bool RootLocator::start(double t, std::span<const double> x) {
    time_ = t;
    fresh_ = true;
    return evaluate(t, x, at_time_);
}

void RootLocator::remember(MemoryStream& memory) {
    memory("root time", time_);
    memory("fresh", fresh_);
    memory("root functions", at_time_);
}

bool RootLocator::any_zero() const {
    return std::find(at_time_.begin(), at_time_.end(), 0.0) != at_time_.end();
}

// After a look at a small part of the way from `before`, whether a function is zero or moves towards zero so
// fast that it gets there before the end: then it may be back by then.
bool RootLocator::comes_near(const std::vector<double>& before, double part) const {
    // Zero at the end or beyond it by a straight line: the value there has another sign, or one of the two is
    // zero.
    bool near = false;
    const double *first = before.data(), *second = at_time_.data();
    for (std::size_t i = 0, n = before.size(); i < n; ++i) {
        const double at_end = first[i] + (second[i] - first[i]) / part;
        near |= !(second[i] * at_end > 0) | (first[i] == 0);
    }
    return near;
}

RootLocator::Outcome RootLocator::search(double& to, std::span<double> x, const StateAt& state_at) {
    const bool fresh = std::exchange(fresh_, false) && (care_ == Care::Always || any_zero());
    const double from = time_;
    for (double part : {1.0 / 1024, 1.0 / 64, 1.0 / 8, 1.0 / 2}) {
        if (!fresh) break;
        double inside = from + part * (to - from);
        if (!(inside > time_ && inside < to)) continue;
        state_at(inside, inside_);
        const Outcome outcome = look(inside, inside_, state_at);
        if (outcome == Outcome::None) {
            if (part == 1.0 / 1024 && !comes_near(ahead_, part)) break;
            continue;
        }
        to = inside;
        std::copy(inside_.begin(), inside_.end(), x.begin());
        return outcome;
    }
    return look(to, x, state_at);
}

RootLocator::Outcome RootLocator::look(double& to, std::span<double> x, const StateAt& state_at) {
    if (!evaluate(to, x, ahead_)) return Outcome::Failed;
    Outcome outcome = Outcome::None;
    if (crosses(at_time_, ahead_)) {
        if (!narrow(to, x, state_at)) return Outcome::Failed;
        for (std::size_t i = 0; i < directions_.size(); ++i)
            directions_[i] = !crosses(at_time_[i], ahead_[i]) ? 0 : at_time_[i] > 0 ? -1 : 1;
        outcome = Outcome::Found;
        fresh_ = true;
    }
    std::swap(at_time_, ahead_);
    time_ = to;
    return outcome;
}

bool RootLocator::on_root() const {
    for (std::size_t i = 0; i < at_time_.size(); ++i)
        if (at_time_[i] != 0 && ahead_[i] == 0) return true;
    return false;
}

// Narrows (time_, high] down to the first crossing in it; g is known at both ends. Afterwards `high` is just
// behind the root, `ahead_` is g there and `at_time_` is g just before.
bool RootLocator::narrow(double& high, std::span<double> x, const StateAt& state_at) {
    const double end = high;
    double low = time_;
    // A root at time 0 is not approached for ever.
    const double finest = 1e-2 * epsilon * (high - low);
    double weight = 1;  // Illinois: halves the value at an end that stays
    int last_side = 0;
    double wide = high - low;  // three tries ago
    double gone_time = 0;      // the end that was replaced last: g there is in middle_
    for (int iteration = 1;; ++iteration) {
        const double width = high - low;
        const double least = std::max(finest, 2 * epsilon * std::max(std::abs(low), std::abs(high)));
        if (width <= least) break;
        // The crossing that the secants put first.
        double fraction = 1;
        std::size_t first = 0, crossing = 0;
        const double *before = at_time_.data(), *after = ahead_.data();
        for (std::size_t i = 0, n = at_time_.size(); i < n; ++i) {
            if (before[i] * after[i] > 0 || !crosses(before[i], after[i])) continue;
            ++crossing;
            const double f = before[i] / (before[i] - weight * after[i]);
            if (f <= fraction) first = i;
            fraction = std::min(fraction, f);
        }
        // A small way inside, so that both sides shrink; where a parabola tells how far the secant is wrong,
        // by d, beyond its own root by more than that may be wrong, so that the next try comes from the other
        // side.
        double middle = low + fraction * width;
        double margin = std::max(epsilon * std::abs(high), 1e-3 * width);
        if (iteration > 1 && crossing == 1 && last_side != 0) {
            const double g0 = at_time_[first], g1 = ahead_[first], g2 = middle_[first];
            const double root = inverse_parabola(0, g0, width, g1, gone_time - low, g2);
            const double secant = width * (g0 / (g0 - g1));
            if (root > 0 && root < width) {
                const double d = root - secant;
                const double beyond = std::clamp(4 * d * d / width, 0.25 * least, 0.1 * width);
                middle = low + (root < 0.5 * width ? root + beyond : root - beyond);
                margin = 0.25 * least;
            }
        }
        if (iteration % 3 == 0) {
            if (width > 0.125 * wide) middle = low + 0.5 * width;
            wide = width;
        }
        if (width < 4 * margin) margin = 0.25 * width;
        middle = std::clamp(middle, low + margin, high - margin);
        if (!(middle > low && middle < high)) break;
        state_at(middle, trial_);
        if (!evaluate(middle, trial_, middle_)) return false;
        if (crosses(at_time_, middle_)) {
            gone_time = high;
            high = middle;
            std::copy(trial_.begin(), trial_.end(), x.begin());
            std::swap(ahead_, middle_);
            weight = last_side == 1 ? weight / 2 : 1;
            last_side = 1;
        } else {
            gone_time = low;
            low = middle;
            // A g_i that was zero before and is not now has become active, as after a step.
            std::swap(at_time_, middle_);
            weight = last_side == -1 ? weight * 2 : 1;
            last_side = -1;
        }
    }
    // Exactly on the root nothing may have changed for the caller, and leaving zero is no root: go on by a
    // few units in the last place.
    for (double units : {2.0, 8.0, 32.0, 128.0}) {
        const double beyond = high + units * epsilon * std::abs(high);
        if (trial_.empty() || !on_root() || beyond >= end) break;
        state_at(beyond, trial_);
        if (!evaluate(beyond, trial_, middle_)) return false;
        if (!crosses(at_time_, middle_)) break;
        high = beyond;
        std::copy(trial_.begin(), trial_.end(), x.begin());
        std::swap(ahead_, middle_);
    }
    return true;
}

}  // namespace cutset

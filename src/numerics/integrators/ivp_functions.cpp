#include "numerics/integrators/ivp_functions.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/diagnostic.h"
#include "base/finite.h"
#include "numerics/floating_point.h"

namespace cutset {

namespace {

// An infinite root function keeps its sign; the size only has to survive the differences of root location.
constexpr double very_large = 1e300;

// What a step that is under way may still take after a request to stop.
constexpr std::chrono::milliseconds most_patience{1500};

std::size_t first_not_finite(std::span<const double> values) {
    auto found = std::find_if(values.begin(), values.end(), [](double v) { return !std::isfinite(v); });
    return static_cast<std::size_t>(found - values.begin());
}

}  // namespace

IvpFunctions::IvpFunctions(IvpProblem problem) : problem_(std::move(problem)) {
    CUTSET_ASSERT(problem_.n == 0 || problem_.rhs);
    CUTSET_ASSERT(problem_.roots == 0 || problem_.root_functions);
    auto& absolute = problem_.absolute_tolerance;
    CUTSET_ASSERT(absolute.size() == 1 || absolute.size() == problem_.n);
    if (absolute.size() != problem_.n) absolute.assign(problem_.n, absolute.front());
    CUTSET_ASSERT(problem_.max_step > 0);
    if (problem_.jacobian) {
        const SparsePattern& pattern = problem_.jacobian->pattern;
        const std::size_t size = problem_.n + problem_.jacobian->intermediates;
        CUTSET_ASSERT(problem_.jacobian->evaluate && pattern.rows == size && pattern.columns == size &&
                      pattern.starts.size() == size + 1);
    }
}

int IvpFunctions::rhs(double t, std::span<const double> x, std::span<double> dx) noexcept {
    if (must_stop()) {
        interrupted_ = true;
        return -1;
    }
    // Some iterations go on after a request to stop; the state in which it was made is kept for the message.
    if (asked_to_stop_) return -1;
    return rhs_at_rest(t, x, dx);
}

int IvpFunctions::rhs_at_rest(double t, std::span<const double> x, std::span<double> dx) noexcept {
    ++rhs_evaluations;
    try {
        int flag = problem_.rhs(origin + t, x, dx);
        if (flag > 0) evaluation_failed_ = true;
        if (flag < 0) asked_to_stop_ = true;
        if (flag != 0) return flag;
    } catch (...) {
        thrown_ = std::current_exception();
        return -1;
    }
    if (problem_.rhs_is_finite || all_finite(dx)) return 0;
    derivative_not_finite_ = first_not_finite(dx);
    evaluation_failed_ = true;
    return 1;
}

int IvpFunctions::root_functions(double t, std::span<const double> x, std::span<double> g) noexcept {
    ++root_evaluations;
    try {
        int flag = problem_.root_functions(origin + t, x, g);
        if (flag != 0) return flag;
    } catch (...) {
        thrown_ = std::current_exception();
        return -1;
    }
    if (all_finite(g)) return 0;
    for (std::size_t i = 0; i < g.size(); ++i) {
        if (std::isnan(g[i])) {
            root_not_a_number_ = i;
            return -1;
        }
        g[i] = std::clamp(g[i], -very_large, very_large);
    }
    return 0;
}

int IvpFunctions::jacobian(double t, std::span<const double> x, std::span<const double> fx,
                           std::span<double> values) noexcept {
    ++jacobians;
    try {
        int flag = problem_.jacobian->evaluate(origin + t, x, fx, values);
        if (flag != 0) return flag;
    } catch (...) {
        thrown_ = std::current_exception();
        return -1;
    }
    return all_finite(values) ? 0 : 1;
}

int IvpFunctions::difference_quotients(double t, std::span<const double> x, std::span<const double> fx,
                                       std::span<const double> weights, double h,
                                       std::span<double> jacobian) noexcept {
    ++jacobians;
    const std::size_t n = x.size();
    shifted_.assign(x.begin(), x.end());
    double norm = 0;
    for (std::size_t i = 0; i < n; ++i) norm += fx[i] * weights[i] * fx[i] * weights[i];
    norm = std::sqrt(norm / static_cast<double>(n));
    // CVODE's increments: max(sqrt(eps) |x_j|, 1000 |h| eps n |f| / w_j). The second is the change of x in a
    // small part of the step, for states near zero.
    const double least = norm != 0 ? 1000 * std::abs(h) * epsilon * static_cast<double>(n) * norm : 1.0;
    for (std::size_t j = 0; j < n; ++j) {
        std::span<double> column = jacobian.subspan(j * n, n);
        double increment =
            std::max({std::sqrt(epsilon) * std::abs(x[j]), least / weights[j], epsilon / weights[j]});
        // An algebraic unknown does not move with the step; its tolerance tells its size.
        if (j + problem_.algebraic >= n && problem_.relative_tolerance > 0)
            increment = std::sqrt(epsilon) * std::max(std::abs(x[j]), problem_.absolute_tolerance[j] /
                                                                          problem_.relative_tolerance);
        int flag = 0;
        // At the edge of the region where f is defined, look the other way.
        for (double signed_increment : {increment, -increment}) {
            shifted_[j] = x[j] + signed_increment;
            flag = rhs(t, shifted_, column);
            if (flag <= 0) break;
        }
        if (flag != 0) return flag;
        const double inverse = 1 / (shifted_[j] - x[j]);
        for (std::size_t i = 0; i < n; ++i) column[i] = (column[i] - fx[i]) * inverse;
        shifted_[j] = x[j];
    }
    return all_finite(jacobian) ? 0 : 1;
}

void IvpFunctions::begin_step() {
    interrupted_ = false;
    request_seen_.reset();
    evaluation_failed_ = false;
    asked_to_stop_ = false;
    derivative_not_finite_.reset();
    root_not_a_number_.reset();
}

bool IvpFunctions::interrupt_requested() const {
    return problem_.interrupt && problem_.interrupt->load(std::memory_order_relaxed);
}

bool IvpFunctions::must_stop() {
    if (!interrupt_requested()) return false;
    const auto now = std::chrono::steady_clock::now();
    if (!request_seen_) request_seen_ = now;
    return now - *request_seen_ >= most_patience;
}

void IvpFunctions::rethrow() {
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

}  // namespace cutset

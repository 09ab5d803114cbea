#include "numerics/nonlinear/newton.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/diagnostic.h"
#include "base/finite.h"
#include "numerics/floating_point.h"
#include "numerics/linear/dense_decompositions.h"
#include "numerics/nonlinear/nonlinear_system.h"

namespace cutset {

namespace {

constexpr double armijo = 1e-4;
// Iterations after the tolerance is met.
constexpr int most_extra = 30;
// A scaled residual of this size is the rounding of its own terms.
constexpr double residual_rounding = 64 * epsilon;
constexpr double terms_rounding = 16 * epsilon;  // the same, against those terms themselves
constexpr double noise_step = 1e-8;              // a scaled step that need not be taken when it gains nothing
constexpr double rounding_step = 1e-12;          // against the unknown itself: about rounding
// Least-squares steps of larger sparse systems are damped ones, of J^T J + damping^2 I.
constexpr std::size_t largest_dense_least_squares = 300;
constexpr double least_squares_damping = 1e-6;
// With the matrix of an earlier solution: so many steps, each at most this part of the one before.
constexpr int most_chord_steps = 6;
constexpr int tired_chord = 4;
constexpr double slowest_chord = 0.1;
constexpr double longest_chord = 0.1;
constexpr double chord_end = 1e-14;  // an error that is left
// A scaled step below this changes nothing.
constexpr double shortest_step = epsilon;

double largest(std::span<const double> values) {
    double result = 0;
    for (double v : values) result = std::max(result, std::abs(v));
    return result;
}

}  // namespace

std::string_view explain(NonlinearStatus status) {
    switch (status) {
        case NonlinearStatus::Converged:
            return "solved";
        case NonlinearStatus::Singular:
            return "the equations do not determine all unknowns at this point";
        case NonlinearStatus::Stalled:
            return "no change of the unknowns brings the equations nearer to being satisfied";
        case NonlinearStatus::NotFinite:
            return "the equations cannot be evaluated near this point";
        case NonlinearStatus::TooManyIterations:
            return "the iteration did not settle";
    }
    return "";
}

NonlinearSystem::NonlinearSystem(NonlinearProblem problem, NonlinearOptions options)
    : problem_(std::move(problem)), options_(options) {
    const std::size_t n = problem_.n;
    CUTSET_ASSERT(n == 0 || problem_.residual);
    if (problem_.nominal.empty()) problem_.nominal.assign(n, 1.0);
    if (problem_.lower.empty()) problem_.lower.assign(n, -std::numeric_limits<double>::infinity());
    if (problem_.upper.empty()) problem_.upper.assign(n, std::numeric_limits<double>::infinity());
    CUTSET_ASSERT(problem_.nominal.size() == n && problem_.lower.size() == n && problem_.upper.size() == n);
    for (std::size_t j = 0; j < n; ++j)
        CUTSET_ASSERT(problem_.nominal[j] > 0 && problem_.lower[j] <= problem_.upper[j]);
    for (auto* v : {&f_, &trial_f_, &trial_x_, &step_, &weights_, &row_scale_, &scaled_f_, &shifted_})
        v->resize(n);
    if (problem_.pattern) CUTSET_ASSERT(problem_.pattern->rows == n && problem_.pattern->columns == n);
    lu_.set_pattern(problem_.pattern ? *std::move(problem_.pattern) : full_pattern(n));
    jacobian_.resize(pattern().elements());
    scaled_.resize(pattern().elements());
    column_.resize(n);
    blocked_.resize(n);
}

bool NonlinearSystem::inside(std::span<const double> x) const {
    for (std::size_t j = 0; j < x.size(); ++j)
        if (!(x[j] >= problem_.lower[j] && x[j] <= problem_.upper[j])) return false;
    return true;
}

void NonlinearSystem::clip(std::span<double> x) const {
    for (std::size_t j = 0; j < x.size(); ++j) x[j] = std::clamp(x[j], problem_.lower[j], problem_.upper[j]);
}

double NonlinearSystem::weight(std::size_t j, double x) const {
    return std::max(problem_.nominal[j], std::abs(x));
}

bool NonlinearSystem::residual(std::span<const double> x, std::span<double> f) {
    ++result.evaluations;
    return problem_.residual(x, f) && all_finite(f);
}

bool NonlinearSystem::jacobian(std::span<const double> x, std::span<const double> fx,
                               std::span<double> values) {
    if (problem_.jacobian) return problem_.jacobian(x, values) && all_finite(values);
    const SparsePattern& p = pattern();
    std::copy(x.begin(), x.end(), shifted_.begin());
    for (std::size_t j = 0; j < problem_.n; ++j) {
        const double increment = std::sqrt(epsilon) * weight(j, x[j]);
        bool ok = false;
        for (double signed_increment : {increment, -increment}) {
            shifted_[j] = x[j] + signed_increment;
            ok = shifted_[j] >= problem_.lower[j] && shifted_[j] <= problem_.upper[j] &&
                 residual(shifted_, column_);
            if (ok) break;
        }
        if (!ok) return false;
        const double change = shifted_[j] - x[j];
        for (auto k = static_cast<std::size_t>(p.starts[j]); k < static_cast<std::size_t>(p.starts[j + 1]);
             ++k) {
            const auto i = static_cast<std::size_t>(p.row[k]);
            values[k] = (column_[i] - fx[i]) / change;
        }
        shifted_[j] = x[j];
    }
    return all_finite(values);
}

bool NonlinearSystem::scale_and_factor(std::span<const double> x) {
    const std::size_t n = problem_.n;
    for (std::size_t j = 0; j < n; ++j) weights_[j] = weight(j, x[j]);
    std::fill(shifted_.begin(), shifted_.end(), 0.0);
    for_each_element([&](std::size_t k, std::size_t i, std::size_t j) {
        shifted_[i] = std::max(shifted_[i], std::abs(jacobian_[k]) * weights_[j]);
    });
    // A row of zeros keeps the scale it had.
    for (std::size_t i = 0; i < n; ++i)
        if (shifted_[i] > 0 && std::isfinite(shifted_[i]) && std::isfinite(1 / shifted_[i]))
            row_scale_[i] = 1 / shifted_[i];
    for_each_element([&](std::size_t k, std::size_t i, std::size_t j) {
        scaled_[k] = row_scale_[i] * jacobian_[k] * weights_[j];
    });
    for (std::size_t i = 0; i < n; ++i) scaled_f_[i] = row_scale_[i] * f_[i];
    bool ok = lu_.factor(scaled_);
    singular_column_ = lu_.singular_column();
    return ok;
}

void NonlinearSystem::remember(MemoryStream& memory) {
    memory("matrix of solution", matrix_of_solution_);
    memory("singular column", singular_column_);
    memory("unknowns' weights", weights_);
    memory("row scales", row_scale_);
    memory("Jacobian", jacobian_);
    memory("scaled Jacobian", scaled_);
    lu_.remember_pivots(memory);
    if (memory.restores() && memory.good() && matrix_of_solution_) matrix_of_solution_ = lu_.factor(scaled_);
}

double NonlinearSystem::scaled_square_sum(std::span<const double> f) const {
    double sum = 0;
    for (std::size_t i = 0; i < f.size(); ++i) sum += row_scale_[i] * f[i] * row_scale_[i] * f[i];
    return sum;
}

bool NonlinearSystem::mark_blocked(std::span<const double> x) {
    bool any = false;
    for (std::size_t j = 0; j < x.size(); ++j) {
        blocked_[j] =
            (x[j] <= problem_.lower[j] && step_[j] < 0) || (x[j] >= problem_.upper[j] && step_[j] > 0);
        any |= blocked_[j];
    }
    return any;
}

// The largest lambda <= 1 that keeps x + lambda step within the bounds, for unknowns not on a bound now.
double NonlinearSystem::longest_step(std::span<const double> x) const {
    double lambda = 1;
    for (std::size_t j = 0; j < x.size(); ++j) {
        const double d = step_[j] * weights_[j];
        if (d > 0 && x[j] < problem_.upper[j]) lambda = std::min(lambda, (problem_.upper[j] - x[j]) / d);
        if (d < 0 && x[j] > problem_.lower[j]) lambda = std::min(lambda, (problem_.lower[j] - x[j]) / d);
    }
    return lambda;
}

bool NonlinearSystem::least_squares_step() {
    const std::size_t n = problem_.n;
    if (lu_.dense() || n <= largest_dense_least_squares) {
        std::vector<double> matrix(n * n, 0.0);
        for_each_element([&](std::size_t k, std::size_t i, std::size_t j) {
            if (!blocked_[j]) matrix[i + j * n] = scaled_[k];
        });
        for (std::size_t i = 0; i < n; ++i) step_[i] = -scaled_f_[i];
        const int size = static_cast<int>(n);
        return dense::least_squares(size, size, matrix.data(), step_.data(), 1e-12) && all_finite(step_);
    }
    // (J^T J + mu^2 I) d = -J^T f, which is  [I J; J^T -mu^2 I] [r; d] = [-f; 0]  and stays sparse.
    if (!augmented_) {
        const SparsePattern& p = pattern();
        SparsePattern q{2 * n, 2 * n, {0}, {}};
        // J^T by columns is J by rows.
        std::vector<std::vector<std::int64_t>> rows(n);
        for_each_element([&](std::size_t, std::size_t i, std::size_t j) {
            rows[i].push_back(static_cast<std::int64_t>(n + j));
        });
        for (std::size_t i = 0; i < n; ++i) {
            q.row.push_back(static_cast<std::int64_t>(i));
            q.row.insert(q.row.end(), rows[i].begin(), rows[i].end());
            q.starts.push_back(static_cast<std::int64_t>(q.row.size()));
        }
        for (std::size_t j = 0; j < n; ++j) {
            q.row.insert(q.row.end(), p.row.begin() + p.starts[j], p.row.begin() + p.starts[j + 1]);
            q.row.push_back(static_cast<std::int64_t>(n + j));
            q.starts.push_back(static_cast<std::int64_t>(q.row.size()));
        }
        augmented_.emplace(
            DenseLu::Options{.singular_when = DenseLu::SingularWhen::ExactZero, .refine = true});
        augmented_->set_pattern(q);
    }
    std::vector<double> values(2 * scaled_.size() + 2 * n);
    std::vector<std::size_t> next(n);
    std::size_t place = 0;
    for_each_element([&](std::size_t, std::size_t i, std::size_t) { ++next[i]; });
    for (std::size_t i = 0; i < n; ++i) {
        values[place] = 1;
        const std::size_t count = std::exchange(next[i], place + 1);
        place += 1 + count;
    }
    for_each_element([&](std::size_t k, std::size_t i, std::size_t j) {
        const double v = blocked_[j] ? 0 : scaled_[k];
        values[next[i]++] = v;
        // Each column of J is followed by its diagonal element.
        values[place + k + j] = v;
    });
    for (std::size_t j = 0; j < n; ++j)
        values[place + static_cast<std::size_t>(pattern().starts[j + 1]) + j] =
            -least_squares_damping * least_squares_damping;
    if (!augmented_->factor(values)) return false;
    std::vector<double> right(2 * n, 0.0);
    for (std::size_t i = 0; i < n; ++i) right[i] = -scaled_f_[i];
    augmented_->solve(right);
    std::copy(right.begin() + static_cast<std::ptrdiff_t>(n), right.end(), step_.begin());
    return all_finite(step_);
}

// Armijo:  |f(x + lambda d)|^2 <= |f(x)|^2 + armijo lambda slope, where slope = d/dlambda |f|^2 at 0. On
// success x, f_ are the new point.
NonlinearSystem::Search NonlinearSystem::line_search(std::span<double> x, double slope, double longest) {
    const double before = scaled_square_sum(f_);
    const double length = largest(step_);
    double lambda = longest;
    bool evaluated = false;
    for (int trial = 0; trial < 100; ++trial) {
        for (std::size_t j = 0; j < x.size(); ++j) trial_x_[j] = x[j] + lambda * weights_[j] * step_[j];
        clip(trial_x_);
        double factor = 0.25;
        if (all_finite(trial_x_) && residual(trial_x_, trial_f_)) {
            const double after = scaled_square_sum(trial_f_);
            if (std::isfinite(after)) {
                evaluated = true;
                if (after <= before + armijo * lambda * slope) {
                    std::copy(trial_x_.begin(), trial_x_.end(), x.begin());
                    std::swap(f_, trial_f_);
                    return Search::Reduced;
                }
                // Minimum of the parabola through before, slope and after.
                factor = -0.5 * slope * lambda / (after - before - slope * lambda);
                factor = std::isfinite(factor) ? std::clamp(factor, 0.1, 0.5) : 0.1;
            }
        }
        lambda *= factor;
        if (lambda * length < shortest_step) break;
    }
    return evaluated ? Search::NotReduced : Search::NotFinite;
}

void NonlinearSystem::finish(NonlinearStatus status, std::span<const double> f) {
    result.status = status;
    result.doubtful = false;
    result.residuals.resize(f.size());
    result.worst_row = 0;
    result.worst_residual = 0;
    for (std::size_t i = 0; i < f.size(); ++i) {
        double scaled = std::abs(row_scale_[i] * f[i]);
        if (std::isnan(scaled)) scaled = std::numeric_limits<double>::infinity();
        result.residuals[i] = row_scale_[i] * f[i];
        if (scaled > result.worst_residual) {
            result.worst_residual = scaled;
            result.worst_row = i;
        }
    }
    result.singular_column = singular_column_;
    result.rcond.reset();
    matrix_of_solution_ = status == NonlinearStatus::Converged && !singular_column_;
    if (options_.estimate_condition || status != NonlinearStatus::Converged) result.rcond = lu_.rcond();
}

// Also where x is far smaller than its nominal value.
bool NonlinearSystem::is_determined(std::span<const double> x) const {
    for (std::size_t j = 0; j < x.size(); ++j)
        if (!(std::abs(step_[j]) * weights_[j] <= rounding_step * std::abs(x[j]))) return false;
    return true;
}

// Against the terms J x themselves: with an infinite slope the rounding of J times the nominal values is
// large.
bool NonlinearSystem::is_rounding(std::span<const double> f, std::span<const double> x) {
    std::fill(shifted_.begin(), shifted_.end(), 0.0);
    for_each_element(
        [&](std::size_t k, std::size_t i, std::size_t j) { shifted_[i] += std::abs(jacobian_[k] * x[j]); });
    for (std::size_t i = 0; i < f.size(); ++i)
        if (!(std::abs(f[i]) <= terms_rounding * shifted_[i])) return false;
    return true;
}

void NonlinearSystem::finish_by_step(std::span<const double> x, bool taken) {
    finish(NonlinearStatus::Converged, f_);
    result.doubtful = !(taken && is_determined(x)) && !is_rounding(f_, x);
}

void NonlinearSystem::newton(std::span<double> x, NewtonWhere where) {
    const std::size_t n = problem_.n;
    std::fill(row_scale_.begin(), row_scale_.end(), 1.0);
    singular_column_.reset();
    clip(x);
    if (n == 0) return finish(NonlinearStatus::Converged, f_);
    if (!residual(x, f_)) return finish(NonlinearStatus::NotFinite, f_);

    int short_steps = 0;
    // Far up an exponential each full step divides F by e: slow, but sure. Such steps are not counted.
    int counted = 0;
    int extra = 0;
    for (int iteration = 0;; ++iteration) {
        if (!jacobian(x, f_, jacobian_)) {
            // At an edge with infinite slope.
            const bool holds = largest(f_) == 0;
            const bool short_step = iteration > 0 && largest(step_) <= options_.tolerance;
            finish(holds || short_step ? NonlinearStatus::Converged : NonlinearStatus::NotFinite, f_);
            result.doubtful = !holds && short_step;
            matrix_of_solution_ = false;
            return;
        }
        bool regular = scale_and_factor(x);
        if (!regular && !lu_.finite()) return finish(NonlinearStatus::NotFinite, f_);
        const double size = largest(scaled_f_);
        if (!regular && size <= residual_rounding) return finish(NonlinearStatus::Converged, f_);
        if (counted >= options_.max_iterations || iteration >= 20 * options_.max_iterations) break;
        ++result.iterations;

        if (regular) {
            for (std::size_t i = 0; i < n; ++i) step_[i] = -scaled_f_[i];
            lu_.solve(step_);
            regular = all_finite(step_);
        }
        if (!regular && where == NewtonWhere::Regular) return finish(NonlinearStatus::Singular, f_);
        bool least_squares = !regular;
        if (regular && mark_blocked(x)) {
            // Only what the tolerance forgives may be lost at a bound.
            double lost = 0;
            for (std::size_t j = 0; j < n; ++j)
                if (blocked_[j]) lost = std::max(lost, std::abs(step_[j]));
            least_squares = lost > options_.tolerance;
        } else {
            std::fill(blocked_.begin(), blocked_.end(), false);
        }

        if (!least_squares && largest(step_) <= options_.tolerance) {
            // The last step, and one more with the same matrix, each kept unless it makes the residuals
            // larger. When the first one gains little though there is something to gain, x is far smaller
            // than its nominal value and the iteration is not yet at its end.
            const double before = scaled_square_sum(f_);
            bool evaluated = true;
            auto take_step = [&] {
                for (std::size_t j = 0; j < n; ++j) trial_x_[j] = x[j] + weights_[j] * step_[j];
                clip(trial_x_);
                evaluated = residual(trial_x_, trial_f_);
                if (!evaluated || !(scaled_square_sum(trial_f_) < scaled_square_sum(f_))) return false;
                std::copy(trial_x_.begin(), trial_x_.end(), x.begin());
                std::swap(f_, trial_f_);
                return true;
            };
            if (take_step()) {
                const double after = scaled_square_sum(f_);
                if (after > 1e-12 * before && !is_rounding(f_, x) && extra++ < most_extra) continue;
                for (std::size_t i = 0; i < n; ++i) step_[i] = -row_scale_[i] * f_[i];
                lu_.solve(step_);
                return finish_by_step(x, take_step());
            }
            // Beyond an edge: shorter ones lead up to it.
            if ((evaluated && is_determined(x)) || is_rounding(f_, x)) return finish_by_step(x, false);
        }

        double slope = -2 * scaled_square_sum(f_);
        if (least_squares) {
            // Minimise |J d + f| over the unknowns that are free; repeated, because freeing the step of one
            // unknown may push another one outwards.
            for (std::size_t round = 0; round <= n; ++round) {
                if (!least_squares_step()) return finish(NonlinearStatus::Singular, f_);
                std::vector<bool> before = blocked_;
                for (std::size_t j = 0; j < n; ++j)
                    if (before[j]) step_[j] = 0;
                if (!mark_blocked(x)) break;
                for (std::size_t j = 0; j < n; ++j) blocked_[j] = blocked_[j] || before[j];
            }
            slope = 0;
            for_each_element([&](std::size_t k, std::size_t i, std::size_t j) {
                slope += 2 * scaled_f_[i] * scaled_[k] * step_[j];
            });
            // No direction reduces the residuals.
            if (!(slope < -1e-20 * scaled_square_sum(f_))) {
                if (size <= residual_rounding) return finish(NonlinearStatus::Converged, f_);
                return finish(regular ? NonlinearStatus::Stalled : NonlinearStatus::Singular, f_);
            }
        }

        const double before = scaled_square_sum(f_);
        Search found = line_search(x, slope, longest_step(x));
        if (found != Search::Reduced) {
            // Nothing smaller can be had when the residuals are rounding already.
            if (size <= residual_rounding) return finish_by_step(x, false);
            // Nor when F is noisy (a steep function of a small difference) and x as good as determined.
            if (regular && !least_squares && largest(step_) <= noise_step) return finish_by_step(x, false);
            return finish(!regular                     ? NonlinearStatus::Singular
                          : found == Search::NotFinite ? NonlinearStatus::NotFinite
                                                       : NonlinearStatus::Stalled,
                          f_);
        }
        // Steps that are accepted but lead nowhere end at a minimum of |F| that is not a zero.
        const double after = scaled_square_sum(f_);
        if (after > 0.25 * before) ++counted;
        short_steps = after > (1 - 1e-5) * before ? short_steps + 1 : 0;
        if (short_steps >= 5) {
            if (regular && !least_squares && largest(step_) <= noise_step) return finish_by_step(x, true);
            return finish(regular ? NonlinearStatus::Stalled : NonlinearStatus::Singular, f_);
        }
    }
    finish(NonlinearStatus::TooManyIterations, f_);
}

// Broyden's method from the matrix J of an earlier solution: the steps s_k already taken correct it,
//     z = -J^-1 f,   z += s_{j+1} (s_j'z)/(s_j's_j) for each j < k,   s_{k+1} = z / (1 - (s_k'z)/(s_k's_k)).
bool NonlinearSystem::chord(std::span<double> x) {
    const std::size_t n = problem_.n;
    if (!matrix_of_solution_ || n == 0 || !inside(x) || !residual(x, f_)) return false;
    chord_start_.assign(x.begin(), x.end());
    chord_steps_.resize(most_chord_steps * n);
    const auto give_up = [&] {
        std::copy(chord_start_.begin(), chord_start_.end(), x.begin());
        return false;
    };
    double sum = scaled_square_sum(f_), previous = 0;
    double squares[most_chord_steps] = {};
    for (int k = 0; k < most_chord_steps; ++k) {
        ++result.iterations;
        for (std::size_t i = 0; i < n; ++i) step_[i] = -row_scale_[i] * f_[i];
        lu_.solve(step_);
        for (int j = 0; j < k; ++j) {
            const double* s = &chord_steps_[static_cast<std::size_t>(j) * n];
            double product = 0;
            for (std::size_t i = 0; i < n; ++i) product += s[i] * step_[i];
            product /= squares[j];
            if (j + 1 < k)
                for (std::size_t i = 0; i < n; ++i) step_[i] += s[n + i] * product;
            else
                for (std::size_t i = 0; i < n; ++i) step_[i] /= 1 - product;
        }
        const double size = largest(step_);
        const double rate = k == 0 ? 1 : size / previous;
        if (!(size <= longest_chord) || (k > 0 && rate > slowest_chord && size > options_.tolerance))
            return give_up();
        double& square = squares[k];
        for (std::size_t i = 0; i < n; ++i) square += step_[i] * step_[i];
        std::copy(step_.begin(), step_.end(), chord_steps_.begin() + k * static_cast<std::ptrdiff_t>(n));
        for (std::size_t j = 0; j < n; ++j) trial_x_[j] = x[j] + weights_[j] * step_[j];
        if (!inside(trial_x_) || !residual(trial_x_, trial_f_)) return give_up();
        const double after = scaled_square_sum(trial_f_);
        const bool smaller = after < sum;
        if (smaller) {
            std::copy(trial_x_.begin(), trial_x_.end(), x.begin());
            std::swap(f_, trial_f_);
            sum = after;
        }
        // What is left is about rate * size.
        if (!smaller || square == 0 || rate * size <= chord_end) {
            if (!smaller && size > options_.tolerance) return give_up();
            singular_column_.reset();
            finish_by_step(x, smaller);
            // Next time a new matrix will save more steps than it costs.
            if (k >= tired_chord) matrix_of_solution_ = false;
            return true;
        }
        previous = size;
    }
    return give_up();
}

// Moves each unknown by up to 1 % of its size, by the fractions of multiples of the golden ratio: always the
// same ones, no two alike.
bool NonlinearSystem::disturb(std::span<double> x) {
    for (std::size_t j = 0; j < x.size(); ++j) {
        const double fraction = std::fmod(0.6180339887498949 * static_cast<double>(j + 1), 1.0);
        x[j] += 0.02 * (fraction - 0.5) * weight(j, x[j]);
    }
    clip(x);
    return true;
}

NonlinearSolver::NonlinearSolver(NonlinearProblem problem, NonlinearOptions options)
    : system_(std::make_unique<NonlinearSystem>(std::move(problem), options)) {}
NonlinearSolver::~NonlinearSolver() = default;
NonlinearSolver::NonlinearSolver(NonlinearSolver&&) noexcept = default;
NonlinearSolver& NonlinearSolver::operator=(NonlinearSolver&&) noexcept = default;

const NonlinearResult& NonlinearSolver::newton(std::span<double> x, NewtonWhere where) {
    CUTSET_ASSERT(x.size() == system_->size());
    system_->result.iterations = system_->result.evaluations = 0;
    system_->result.method = NonlinearMethod::Newton;
    system_->newton(x, where);
    return system_->result;
}

void NonlinearSolver::remember(MemoryStream& memory) {
    system_->remember(memory);
}

const NonlinearResult& NonlinearSolver::follow(std::span<double> x) {
    CUTSET_ASSERT(x.size() == system_->size());
    system_->result.iterations = system_->result.evaluations = 0;
    system_->result.method = NonlinearMethod::Chord;
    if (!system_->chord(x)) {
        system_->result.method = NonlinearMethod::Newton;
        system_->newton(x);
    }
    return system_->result;
}

const NonlinearResult& NonlinearSolver::solve(std::span<double> x) {
    const std::vector<double> start(x.begin(), x.end());
    if (newton(x).converged()) return system_->result;

    const NonlinearResult first = system_->result;
    std::vector<double> point = start;
    using Method = bool (NonlinearSystem::*)(std::span<double>);
    const std::pair<NonlinearMethod, Method> methods[] = {
        {NonlinearMethod::Disturbed, &NonlinearSystem::disturb},
        {NonlinearMethod::Kinsol, &NonlinearSystem::kinsol},
        {NonlinearMethod::Continuation, &NonlinearSystem::continuation},
    };
    for (const auto& [name, method] : methods) {
        if (name == NonlinearMethod::Disturbed)
            point.assign(x.begin(), x.end());  // where Newton got caught
        else
            point = start;
        system_->clip(point);
        if (!(system_.get()->*method)(point)) continue;
        system_->newton(point);
        if (!system_->result.converged()) continue;
        system_->result.method = name;
        std::copy(point.begin(), point.end(), x.begin());
        return system_->result;
    }
    // What Newton said is easiest to understand; the effort is that of all methods.
    const int iterations = system_->result.iterations, evaluations = system_->result.evaluations;
    system_->result = first;
    system_->result.iterations = iterations;
    system_->result.evaluations = evaluations;
    return system_->result;
}

NonlinearResult solve_nonlinear(NonlinearProblem problem, std::span<double> x, NonlinearOptions options) {
    NonlinearSolver solver(std::move(problem), options);
    return solver.solve(x);
}

}  // namespace cutset

#include "run/solution_branch.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "base/finite.h"
#include "numerics/linear/matrix_lu.h"
#include "run/loop_pattern.h"
#include "run/rounding_errors.h"

namespace cutset {

namespace {

constexpr int most_branch_steps = 400;
constexpr double shortest_part = 1e-20;       // step of λ
constexpr double small_branch_change = 0.01;  // of the unknowns: then the tangents need not agree
constexpr double tangent_agreement = 0.3;     // of a change with that along a tangent
constexpr std::size_t largest_determinant = 60;

// By elimination; 0 where it cannot be told.
int determinant_sign(std::size_t n, std::vector<double> a) {
    int sign = 1;
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t pivot = k;
        for (std::size_t i = k; i < n; ++i)
            if (std::abs(a[k * n + i]) > std::abs(a[k * n + pivot])) pivot = i;
        const double p = a[k * n + pivot];
        if (!(std::abs(p) > 0)) return 0;
        if (p < 0) sign = -sign;
        if (pivot != k) {
            sign = -sign;
            for (std::size_t j = k; j < n; ++j) std::swap(a[j * n + k], a[j * n + pivot]);
        }
        for (std::size_t i = k + 1; i < n; ++i) {
            const double factor = a[k * n + i] / p;
            for (std::size_t j = k + 1; factor != 0 && j < n; ++j) a[j * n + i] -= factor * a[j * n + k];
        }
    }
    return sign;
}

class Following {
  public:
    Following(const BranchProblem& problem, Interpreter& values)
        : problem_(problem), loop_(problem.loop), values_(values), n_(loop_.torn.size()) {
        for (Slot slot : problem.inputs) to_.push_back(values[slot]);
        lu_.set_pattern(jacobian_pattern(loop_));
        elements_.resize(loop_.jacobian_entries.size());
    }
    ~Following() { set_inputs(1); }
    Following(const Following&) = delete;
    Following& operator=(const Following&) = delete;

    BranchEnd run(std::span<double> z) {
        double reached = 0, step = 1;
        std::vector<double> here(z.begin(), z.end()), next(n_);
        if (!linearize(0, here)) return BranchEnd::Unknown;
        for (int k = 0; k < most_branch_steps; ++k) {
            const int sign = sign_;
            const double to = std::min(1.0, reached + step);
            if (to == reached) return ended(here, z);
            if (reach(reached, to, here, next) && sign_ * sign >= 0) {
                if (to == 1) {
                    std::copy(next.begin(), next.end(), z.begin());
                    return BranchEnd::Reached;
                }
                here = next;
                reached = to;
                step *= 2;
                continue;
            }
            step /= 4;
            if (step < shortest_part) return ended(here, z);
            if (!linearize(reached, here)) return BranchEnd::Unknown;
        }
        return BranchEnd::Unknown;
    }

  private:
    static BranchEnd ended(const std::vector<double>& here, std::span<double> z) {
        std::copy(here.begin(), here.end(), z.begin());
        return BranchEnd::Ended;
    }
    void set_inputs(double part) {
        for (std::size_t i = 0; i < to_.size(); ++i)
            values_[problem_.inputs[i]] = part == 1 ? to_[i] : std::lerp(problem_.from[i], to_[i], part);
    }
    bool residuals(double part, const std::vector<double>& z, std::vector<double>& f) {
        set_inputs(part);
        for (std::size_t i = 0; i < n_; ++i) values_[loop_.torn[i]] = z[i];
        values_.clear_error();
        if (!values_.run(loop_.residual)) return false;
        f.resize(n_);
        for (std::size_t i = 0; i < n_; ++i) f[i] = values_[loop_.residual_slots[i]];
        return all_finite(f);
    }
    // Factors the matrix at z.
    bool linearize(double part, const std::vector<double>& z) {
        if (!residuals(part, z, f_) || !values_.run(loop_.jacobian)) return false;
        for (std::size_t k = 0; k < elements_.size(); ++k)
            elements_[k] = values_[loop_.jacobian_entries[k].slot];
        if (!all_finite(elements_) || !lu_.factor(elements_)) return false;
        sign_ = 0;
        if (n_ > largest_determinant) return true;
        std::vector<double> full(n_ * n_, 0.0);
        for (std::size_t k = 0; k < elements_.size(); ++k)
            full[loop_.jacobian_entries[k].column * n_ + loop_.jacobian_entries[k].row] = elements_[k];
        sign_ = determinant_sign(n_, std::move(full));
        return true;
    }
    // z + what the tangent says of its change, with the matrix at hand.
    bool predict(double part, const std::vector<double>& z, std::vector<double>& predicted) {
        if (!residuals(part, z, f_)) return false;
        lu_.solve(f_);
        predicted = z;
        for (std::size_t i = 0; i < n_; ++i) predicted[i] -= f_[i];
        return all_finite(predicted);
    }
    double distance(const std::vector<double>& a, const std::vector<double>& b) const {
        double most = 0;
        for (std::size_t i = 0; i < n_; ++i) most = std::max(most, std::abs(a[i] - b[i]) / problem_.sizes[i]);
        return most;
    }
    // From `here`, whose matrix is factored, to `next`, whose matrix is factored then.
    bool reach(double from, double to, const std::vector<double>& here, std::vector<double>& next) {
        if (!predict(to, here, ahead_)) return false;
        next = ahead_;
        const NonlinearResult& found = problem_.solver.newton(next);
        if (!found.converged() || values_.error()) return false;
        if (found.doubtful &&
            !(residuals(to, next, f_) && residuals_are_rounding(loop_, values_, noisy_calls)))
            return false;
        const double change = distance(next, here), miss = distance(next, ahead_);
        if (!linearize(to, next)) return false;
        if (change <= small_branch_change) return true;
        return miss <= tangent_agreement * change && predict(from, next, back_) &&
               distance(back_, here) <= tangent_agreement * change;
    }

    const BranchProblem& problem_;
    const Loop& loop_;
    Interpreter& values_;
    std::size_t n_;
    std::vector<double> to_, f_, elements_, ahead_, back_;
    MatrixLu lu_;
    int sign_ = 0;
};

}  // namespace

BranchEnd follow_branch(const BranchProblem& problem, Interpreter& values, std::span<double> z) {
    return Following(problem, values).run(z);
}

}  // namespace cutset

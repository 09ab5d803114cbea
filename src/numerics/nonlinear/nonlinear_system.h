// A NonlinearProblem with safe evaluation, scaling and work space; the three methods work on it. Private to
// src/numerics.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "numerics/linear/matrix_lu.h"
#include "numerics/nonlinear/newton.h"

namespace cutset {

class NonlinearSystem {
  public:
    NonlinearSystem(NonlinearProblem problem, NonlinearOptions options);

    std::size_t size() const { return problem_.n; }
    const NonlinearOptions& options() const { return options_; }

    bool inside(std::span<const double> x) const;
    void clip(std::span<double> x) const;
    bool residual(std::span<const double> x, std::span<double> f);
    // The elements of the Jacobian in the order of `pattern`; fx = F(x), for the difference quotients.
    bool jacobian(std::span<const double> x, std::span<const double> fx, std::span<double> values);
    const SparsePattern& pattern() const { return lu_.pattern(); }
    double weight(std::size_t j, double x) const;  // max(nominal_j, |x|)

    // These add to result.iterations and result.evaluations and set the rest of `result`.
    void newton(std::span<double> x, NewtonWhere where = NewtonWhere::Anywhere);
    // With the matrix of the last solution, as long as each step is far smaller than the one before; false
    // when x is not near enough for that, and x is as it was.
    bool chord(std::span<double> x);
    // Each returns true when x is a point from which `newton` should be tried.
    bool disturb(std::span<double> x);
    bool kinsol(std::span<double> x);
    bool continuation(std::span<double> x);
    // One way along the curve: 1 where lambda rises at first, -1 where it falls.
    bool follow_homotopy(std::span<double> x, double direction);

    void remember(MemoryStream& memory);

    NonlinearResult result;

  private:
    enum class Search { Reduced, NotReduced, NotFinite };
    Search line_search(std::span<double> x, double slope, double longest);
    double scaled_square_sum(std::span<const double> f) const;
    void finish(NonlinearStatus status, std::span<const double> f);
    // Whether the step is short against x itself.
    bool is_determined(std::span<const double> x) const;
    // Whether f is the rounding of the terms of J x.
    bool is_rounding(std::span<const double> f, std::span<const double> x);
    // Converged, because the last step is short, `taken` or not.
    void finish_by_step(std::span<const double> x, bool taken);
    // Scales J and the residuals f at x; true when the matrix could be factored.
    bool scale_and_factor(std::span<const double> x);
    // True when some unknown is on a bound and its step points outwards.
    bool mark_blocked(std::span<const double> x);
    double longest_step(std::span<const double> x) const;
    // step_ := d that makes |J d + f| small, of small norm, with zeros for the unknowns that are blocked.
    bool least_squares_step();
    // f(element of the pattern, row, column)
    template <class F>
    void for_each_element(F f) const {
        const SparsePattern& p = pattern();
        for (std::size_t j = 0; j < p.columns; ++j)
            for (auto k = static_cast<std::size_t>(p.starts[j]);
                 k < static_cast<std::size_t>(p.starts[j + 1]); ++k)
                f(k, static_cast<std::size_t>(p.row[k]), j);
    }

    NonlinearProblem problem_;
    NonlinearOptions options_;
    MatrixLu lu_;
    std::vector<double> f_, trial_f_, trial_x_, step_, weights_, row_scale_, scaled_f_;
    std::vector<double> jacobian_, scaled_;  // in the order of the pattern
    std::vector<bool> blocked_;
    std::vector<double> shifted_, column_;
    std::optional<SparseLu> augmented_;  // for least-squares steps of large systems
    std::optional<std::size_t> singular_column_;
    bool matrix_of_solution_ = false;  // factored, with its weights and scales
    std::vector<double> chord_start_, chord_steps_;
};

}  // namespace cutset

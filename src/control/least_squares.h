// Nonlinear least squares, min |r(p)|² with bounds, by the method of Levenberg and Marquardt with exact
// Jacobians, and what a solution tells about the parameters: covariance, intervals, what cannot be told
// apart.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <string>
#include <vector>

#include "control/matrix_product.h"

namespace cutset {

struct LeastSquaresProblem {
    Eigen::VectorXd start;
    Eigen::VectorXd lower, upper;  // infinite where there is none
    Eigen::VectorXd sizes;         // of the parameters, above 0
    // r and, when asked for, dr/dp; false where they are not defined.
    std::function<bool(const Eigen::VectorXd& p, Eigen::VectorXd& residuals, Eigen::MatrixXd* jacobian)>
        evaluate;
    double tolerance = 1e-8;
    int max_iterations = 200;
    std::function<bool(int iteration, double sum_of_squares)> progress;  // false: stop
};

enum class LeastSquaresStatus { Converged, Limit, Stopped, Undefined, Stuck };

struct LeastSquaresResult {
    LeastSquaresStatus status = LeastSquaresStatus::Undefined;
    Eigen::VectorXd parameters, residuals;
    Eigen::MatrixXd jacobian;
    double sum_of_squares = 0;
    int iterations = 0;
    std::vector<bool> at_bound;
};

LeastSquaresResult solve_least_squares(const LeastSquaresProblem& problem);

struct Uncertainty {
    double variance = 0;                      // of a residual of weight one
    std::size_t freedom = 0;                  // degrees of it
    Eigen::MatrixXd covariance, correlation;  // infinite and 0 for what is not determined
    Eigen::VectorXd deviation, interval;      // standard deviation; half the 95 % interval
    Eigen::VectorXd singular_values;  // of the Jacobian by relative changes of parameters, largest first
    // Relative directions that change nothing: one vector each, length one.
    std::vector<Eigen::VectorXd> undetermined;
    std::vector<std::size_t> idle;  // parameters without any influence
};

// `known_variance`: weights are one over standard deviations, so that the variance is 1.
Uncertainty uncertainty(const LeastSquaresResult& result, const Eigen::VectorXd& sizes, bool known_variance);

// Student's t distribution: the value that |t| stays below with this probability.
double student_quantile(double probability, double freedom);

}  // namespace cutset

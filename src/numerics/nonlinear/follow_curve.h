// A curve of solutions of F(z, p) = 0, n equations for n + 1 unknowns, followed by arc length.
//
// In scaled unknowns y = (z / w, p / w_p), w_p the range of p, the tangent t solves
//     [ F_z W   F_p w_p ]       [ 0 ]
//     [ t_old^T         ] t  =  [ 1 ],
// the predictor is y + s t, the corrector Newton on F together with t^T (y - y_predicted) = 0. The matrix
// stays regular where p turns back (a fold): dp/ds changes sign there, and the place is found by the secant
// rule on dp/ds. Steps grow and shrink with the work of the corrector and the bend of the curve.
//
// F may have m intermediate quantities: rows and columns of its Jacobian after the first n whose equations
// are linear and solved already.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "numerics/linear/sparse_pattern.h"

namespace cutset {

struct CurveProblem {
    std::size_t n = 0, intermediates = 0;
    std::function<bool(std::span<const double> z, double p, std::span<double> f)> residual;
    // Columns: p, the n unknowns, the intermediate ones; rows: the n equations, the intermediate ones.
    SparsePattern pattern;
    // At the point of the last residual.
    std::function<bool(std::span<double> values)> jacobian;
    std::vector<double> nominal;  // of z; positive
    std::vector<double> lower, upper;
};

struct CurvePoint {
    std::vector<double> z;
    double p = 0;
    double slope = 0;   // dp/ds: zero at a fold
    bool fold = false;  // p turns back here
};

enum class CurveEnd {
    Reached,   // p left the range
    Returned,  // p left the range on the side where it came from
    Bound,     // an unknown came to a bound
    Closed,    // the curve came back to its beginning
    Lost,      // steps became too short
    TooLong,
    Stopped,  // by the caller
};

struct CurveOptions {
    double from = 0, to = 1;  // of p; the curve begins at `from`
    double longest = 0.05;    // step, of the range of p and of the sizes of z
    double shortest = 1e-9;
    std::size_t most_points = 2000;
    double tolerance = 1e-10;  // of the corrector, scaled
};

struct CurveResult {
    CurveEnd end = CurveEnd::Lost;
    std::size_t unknown = 0;  // that came to its bound
};

// From a solution (z, from). Each point is handed to `accept` in order, folds among them; false stops.
CurveResult follow_curve(const CurveProblem& problem, std::span<const double> z, const CurveOptions& options,
                         const std::function<bool(const CurvePoint&)>& accept);

}  // namespace cutset

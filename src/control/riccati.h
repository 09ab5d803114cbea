// Algebraic Riccati equations by deflating subspaces (ordered QZ), so that R is never inverted, on scaled
// data, refined by Newton's method; by Newton's method alone (kleinman.h) where time scales differ too much
// for that.
//
//   continuous   A^T X + X A - (X B + N) R^-1 (B^T X + N^T) + Q = 0,           K = R^-1 (B^T X + N^T)
//   sampled      A^T X A - X - (A^T X B + N) (R + B^T X B)^-1 (B^T X A + N^T) + Q = 0,
//                                                                              K = (R + B^T X B)^-1 (B^T X A
//                                                                              + N^T)
#pragma once

#include <Eigen/Core>
#include <complex>
#include <optional>
#include <vector>

namespace cutset {

struct RiccatiProblem {
    Eigen::MatrixXd A, B, Q, R, N;  // N may be empty: 0
    bool sampled = false;
};
struct RiccatiSolution {
    Eigen::MatrixXd X, K;
    std::vector<std::complex<double>> poles;  // of A - B K
    double residual =
        0;  // largest element of the equation relative to the sizes of its terms; independent of units
};
// The solution for which A - B K is stable. Nothing when there is none that can be computed.
std::optional<RiccatiSolution> solve_riccati(const RiccatiProblem& problem);

}  // namespace cutset

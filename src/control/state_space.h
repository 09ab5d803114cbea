// A linear system with names:  x' = A x + B u,  y = C x + D u;  sampled: x(k+1) = A x(k) + B u(k).
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "control/matrix_product.h"

namespace cutset {

struct StateSpace {
    Eigen::MatrixXd A, B, C, D;
    std::vector<std::string> states, inputs, outputs;  // as many as rows of A, columns of B, rows of C
    std::optional<double> sample_time;                 // s; none: continuous

    Eigen::Index order() const { return A.rows(); }
    bool is_sampled() const { return sample_time.has_value(); }
};

}  // namespace cutset

// Matrices and modes as tables.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "control/modes.h"

namespace cutset::cli {

// With the names of rows and columns, where there are any.
std::string matrix_text(const std::string& name, const Eigen::MatrixXd& matrix,
                        const std::vector<std::string>& rows, const std::vector<std::string>& columns);

// Eigenvalues with damping, frequency and the states that take part.
std::string modes_text(const std::vector<Mode>& modes, const std::vector<std::string>& states);

}  // namespace cutset::cli

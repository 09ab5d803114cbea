// Matrices, weights by name, and lists of poles, as text or files.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace cutset {

// A symmetric matrix for the quantities `names`: one number for all; "x1=10,x2=1", the rest 0; "[1, 0; 0,
// 2]"; or a file: .json with rows, or with the key `name`; .csv with numbers. `name` is the option without
// dashes. Nothing after an error.
struct NamedWeight {
    Eigen::MatrixXd matrix;
    bool of_alternatives = false;  // the names are those of `alternatives`
};
std::optional<NamedWeight> read_weight(const std::string& text, const std::string& name,
                                       const std::vector<std::string>& names, const std::string& what,
                                       const std::vector<std::string>& alternatives, const std::string& other,
                                       Diagnostics& diagnostics);
// Any matrix: "[1, 2; 3, 4]", numbers separated by commas as a row, or a file.
std::optional<Eigen::MatrixXd> read_matrix(const std::string& text, const std::string& name,
                                           Diagnostics& diagnostics);

// "-1, -2+3i, -2-3i", "-2±3j"; several lists are joined. Nothing after an error.
std::optional<std::vector<std::complex<double>>> read_poles(const std::vector<std::string>& texts,
                                                            Diagnostics& diagnostics);

}  // namespace cutset

// How linear systems are printed: numbers, matrices, polynomials, JSON, pictures.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "base/json.h"
#include "control/exact_matrix.h"
#include "control/polynomial.h"
#include "control/polynomial_matrix.h"
#include "model/model_options.h"
#include "output/console.h"
#include "results/plot.h"

namespace cutset::cli {

// "-1 ± 2j" for the first of a pair.
std::string complex_text(Complex v, bool pair = false);
// "s^2 + 3 s + 2"
std::string polynomial_text(const std::vector<double>& p, const std::string& variable);
// "2 (s + 1) (s^2 + s + 4)/…": by roots
std::string factored_text(const std::vector<Complex>& roots, const std::string& variable);

Json complex_json(Complex v);
Json complex_json(const std::vector<Complex>& values);
Json matrix_json(const Eigen::MatrixXd& m);
// Finite numbers as they are, others as null.
Json number_json(double v);

// Rows in brackets, columns aligned, each line with `indent`.
std::string matrix_text(const std::vector<std::vector<std::string>>& elements, const std::string& indent);
std::string matrix_latex(const std::vector<std::vector<std::string>>& elements);
std::vector<std::vector<std::string>> texts_of(const ExactMatrix& m, const SymbolNames& names, bool latex);
std::vector<std::vector<std::string>> texts_of(const PolynomialMatrix& m, const std::string& variable,
                                               const SymbolNames& names, bool latex, bool factored);

// The object with the warnings and notes so far; returns the exit status.
int print_json(Json object, const Workspace& workspace);

// On the terminal, or to a file when `output` is given. False when it could not be written.
bool show_plot(const Plot& plot, const std::string& output, bool quiet, Diagnostics& diagnostics);

}  // namespace cutset::cli

// How linear systems are printed: numbers, matrices, polynomials, JSON, pictures.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "control/exact_matrix.h"
#include "control/polynomial.h"
#include "control/polynomial_matrix.h"
#include "control/state_space.h"
#include "model/model_options.h"
#include "output/console.h"
#include "output/json_output.h"
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

// A, B, C, D as rows, names, sample_time.
Json system_json(const StateSpace& system);
// The four matrices with names of rows and columns; only their sizes when they are large.
void print_system(const StateSpace& system);
// "-1, -2+3i, -2-3i" with damping and frequency of each.
void print_poles(const char* title, const std::vector<std::complex<double>>& poles,
                 std::optional<double> sample_time);
void print_hankel(const Eigen::VectorXd& values);

// The object with status, warnings and errors so far; gives the exit status.
int finish_json(Json object, const Workspace& workspace, Notes notes = Notes::Left);

// On the terminal, or to a file when `output` is given. False when it could not be written, which is
// reported.
bool show_plot(const Plot& plot, const std::string& output, bool quiet, Diagnostics& diagnostics);
// Writes the system when a file is wanted and says so unless `quiet`. False after an error.
bool write_system(const StateSpace& system, const std::string& path, bool quiet, Diagnostics& diagnostics);

}  // namespace cutset::cli

// What the state-space commands share: results as JSON, matrices as text, systems to files, weights by name.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "control/state_space.h"
#include "linear/linear_source.h"

namespace cutset::cli {

// A, B, C, D as rows, names, sample_time.
Json system_json(const StateSpace& system);
// The four matrices with names of rows and columns; only their sizes when they are large.
void print_system(const StateSpace& system);

// Writes the system when a file is wanted and says so. False after an error.
bool write_system(const StateSpace& system, const std::string& path, bool quiet, Diagnostics& diagnostics);

// Adds status and warnings, prints, gives the exit status.
int finish_json(Json out, const Workspace& workspace);

// "-1, -2+3i, -2-3i" with damping and frequency of each.
void print_poles(const char* title, const std::vector<std::complex<double>>& poles,
                 std::optional<double> sample_time);

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

}  // namespace cutset::cli

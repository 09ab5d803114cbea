// The linear system that a model is near an operating point, exact:
//
//     dx' = A dx + B du,   dy = C dx + D du
//
// and, without sorting and index reduction, the descriptor form of all equations and variables v:
//
//     E dv' = A dv + B du,   dy = C dv + D du
#pragma once

#include <Eigen/SparseCore>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "control/state_space.h"
#include "run/model_functions.h"

namespace cutset {

using SparseMatrix = Eigen::SparseMatrix<double>;

struct Linearization {
    SparseMatrix A, B, C, D;
    std::optional<SparseMatrix> E;                     // of the descriptor form
    std::vector<std::string> states, inputs, outputs;  // names
    std::vector<double> x, u, y;                       // the operating point
    std::vector<double> derivatives;                   // x' there; all zero at a steady point
    double time = 0;

    StateSpace dense() const;
};

// At the point of the last evaluation. Inputs are the open quantities with these numbers. Nothing when errors
// were reported.
std::optional<Linearization> linearize(ModelFunctions& functions, const std::vector<std::size_t>& inputs,
                                       Diagnostics& diagnostics);

// The descriptor form of a flat model whose inputs are adjustable parameters (transform/leave_open.h).
// `value`: of a variable (order 0) or of its derivative; nothing when it is not known.
struct DescriptorQuestion {
    const FlatModel& model;
    std::vector<VariableIndex> inputs, outputs;
    double time = 0;
    std::function<std::optional<double>(VariableIndex, std::uint32_t order)> value;
};
std::optional<Linearization> descriptor_form(const DescriptorQuestion& question, Diagnostics& diagnostics);

}  // namespace cutset

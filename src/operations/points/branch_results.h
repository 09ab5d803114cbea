// Branches of stationary points as plots and as tables.
#pragma once

#include <string>
#include <vector>

#include "operations/points/branch.h"
#include "results/plot.h"
#include "results/trajectory.h"

namespace cutset {

// The variables of these names, else the states, else the iteration variables.
std::vector<VariableIndex> shown_variables(const Branch& branch, const std::vector<std::string>& names);

// Variables over the parameter, stable and unstable parts as curves of their own.
Plot branch_plot(const Branch& branch, const std::vector<std::string>& names);

// One row per point, its number as time: all variables, whether it is stable, and the eigenvalue nearest to
// instability.
Trajectory branch_table(const Branch& branch);

}  // namespace cutset

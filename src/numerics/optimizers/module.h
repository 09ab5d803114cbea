// What the program and the module libcutset_optimizers.so share. The module alone knows Ipopt and NLopt.
#pragma once

#include <cstdint>
#include <span>

#include "numerics/optimizer.h"

namespace cutset::optimizers {

constexpr const char* module_file = "libcutset_optimizers.so";
constexpr std::uint32_t module_version = 1;  // of this header and optimizer.h

class Solvers {
  public:
    virtual ~Solvers() = default;
    virtual OptimizerResult solve(const NonlinearProgram& program, const OptimizerOptions& options) = 0;
};

// Exported by the module: nothing when it belongs to another version of the program.
using MakeSolvers = Solvers* (*)(std::uint32_t version);
constexpr const char* make_solvers_name = "cutset_make_optimizers";

OptimizerResult solve_by_ipopt(const NonlinearProgram& program, const OptimizerOptions& options);
OptimizerResult solve_by_nlopt(const NonlinearProgram& program, const OptimizerOptions& options);

// The largest violation of bounds and constraints.
double violation_at(const NonlinearProgram& program, std::span<const double> x, std::span<const double> c);

}  // namespace cutset::optimizers

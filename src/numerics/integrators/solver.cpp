#include "numerics/integrators/solver.h"

#include <cstddef>
#include <iterator>

namespace cutset {

namespace {

constexpr SolverDescription solvers[] = {
    {Solver::Auto, "auto",
     "dopri at the start and after events, then adams or, when the system is stiff, bdf; the default", true},
    {Solver::Bdf, "bdf", "variable-order BDF, for stiff and other systems", true},
    {Solver::Cvode, "cvode", "variable-order BDF by CVODE, a second opinion (not for diodes after inductors)",
     true},
    {Solver::Adams, "adams",
     "variable-order Adams with functional iteration (the method of CVODE), for smooth systems that are not "
     "stiff"},
    {Solver::Ida, "ida",
     "variable-order BDF on the whole system: loops are solved with the integration (IDA)", true},
    {Solver::Dopri, "dopri",
     "explicit Runge-Kutta 5(4) of Dormand and Prince, for systems that are not stiff"},
    {Solver::Radau, "radau",
     "implicit Runge-Kutta of order 5 (Radau IIA), for stiff systems, also with many events", true},
    {Solver::Hamming, "hamming", "Hamming's predictor-corrector of order 4, the method of Simnon"},
    {Solver::Rk4, "rk4", "classical Runge-Kutta of order 4 with fixed step", false, true},
    {Solver::Euler, "euler", "Euler's method with fixed step", false, true},
};

constexpr bool in_order() {
    for (std::size_t i = 0; i < std::size(solvers); ++i)
        if (solvers[i].solver != static_cast<Solver>(i)) return false;
    return true;
}
static_assert(in_order());

}  // namespace

std::span<const SolverDescription> solver_list() {
    return solvers;
}

const SolverDescription& describe(Solver solver) {
    return solvers[static_cast<std::size_t>(solver)];
}

std::optional<Solver> parse_solver(std::string_view name) {
    for (const SolverDescription& d : solvers)
        if (d.name == name) return d.solver;
    return std::nullopt;
}

}  // namespace cutset

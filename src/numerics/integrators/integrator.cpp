#include "numerics/integrators/integrator.h"

#include "numerics/integrators/integrator_makers.h"

namespace cutset {

std::unique_ptr<Integrator> make_integrator(Solver solver, IvpProblem problem) {
    if (problem.n == 0) return make_stateless_integrator(std::move(problem));
    switch (solver) {
        case Solver::Auto:
            return make_auto_integrator(std::move(problem));
        case Solver::Bdf:
            return make_bdf_integrator(std::move(problem));
        case Solver::Cvode:
            return make_cvode_integrator(std::move(problem));
        case Solver::Adams:
            return make_adams_integrator(std::move(problem));
        case Solver::Ida:
            return make_ida_integrator(std::move(problem));
        case Solver::Dopri:
            return make_dopri_integrator(std::move(problem));
        case Solver::Radau:
            return make_radau_integrator(std::move(problem));
        case Solver::Hamming:
            return make_hamming_integrator(std::move(problem));
        case Solver::Rk4:
            return make_rk4_integrator(std::move(problem));
        case Solver::Euler:
            return make_euler_integrator(std::move(problem));
    }
    return nullptr;
}

}  // namespace cutset

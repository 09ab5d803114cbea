#include "numerics/integrators/integrator.h"

#include "numerics/integrators/integrator_makers.h"

namespace cutset {

void SolverSwitches::add(const SolverSwitch& change) {
    ++count_;
    if (last_.empty() && first_.size() < most_first) return first_.push_back(change);
    last_.push_back(change);
    if (last_.size() > most_last) last_.pop_front();
}

void SolverSwitches::add(const SolverSwitches& later) {
    for (const SolverSwitch& change : later.first_) add(change);
    for (const SolverSwitch& change : later.last_) add(change);
    count_ += later.count_ - later.first_.size() - later.last_.size();
}

std::vector<SolverSwitch> SolverSwitches::known() const {
    std::vector<SolverSwitch> all = first_;
    all.insert(all.end(), last_.begin(), last_.end());
    return all;
}

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

// One maker for each integration method; `make_integrator` chooses. Private to src/numerics.
#pragma once

#include <memory>

#include "numerics/integrators/integrator.h"

namespace cutset {

std::unique_ptr<Integrator> make_auto_integrator(IvpProblem problem);
std::unique_ptr<Integrator> make_bdf_integrator(IvpProblem problem);
std::unique_ptr<Integrator> make_cvode_integrator(IvpProblem problem);
std::unique_ptr<Integrator> make_adams_integrator(IvpProblem problem);
std::unique_ptr<Integrator> make_ida_integrator(IvpProblem problem);
std::unique_ptr<Integrator> make_dopri_integrator(IvpProblem problem);
std::unique_ptr<Integrator> make_radau_integrator(IvpProblem problem);
std::unique_ptr<Integrator> make_euler_integrator(IvpProblem problem);
std::unique_ptr<Integrator> make_rk4_integrator(IvpProblem problem);
std::unique_ptr<Integrator> make_hamming_integrator(IvpProblem problem);
std::unique_ptr<Integrator> make_stateless_integrator(IvpProblem problem);

}  // namespace cutset

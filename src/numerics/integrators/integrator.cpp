#include "numerics/integrators/integrator.h"

#include <array>
#include <iterator>

#include "numerics/integrators/integrator_makers.h"

namespace cutset {

namespace {

struct NamedMethod {
    IntegratorDescription description;
    std::unique_ptr<Integrator> (*make)(IvpProblem);
};

constexpr NamedMethod methods[] = {
    {{"auto",
      "dopri at the start and after events, then adams or, when the system is stiff, bdf; the default", true},
     make_auto_integrator},
    {{"bdf", "variable-order BDF, for stiff and other systems", true}, make_bdf_integrator},
    {{"cvode", "variable-order BDF by CVODE, a second opinion (not for diodes after inductors)", true},
     make_cvode_integrator},
    {{"adams",
      "variable-order Adams with functional iteration (CVODE), for smooth systems that are not stiff"},
     make_adams_integrator},
    {{"ida", "variable-order BDF on the whole system: loops are solved with the integration (IDA)", true},
     make_ida_integrator},
    {{"dopri", "explicit Runge-Kutta 5(4) of Dormand and Prince, for systems that are not stiff"},
     make_dopri_integrator},
    {{"radau", "implicit Runge-Kutta of order 5 (Radau IIA), for stiff systems, also with many events", true},
     make_radau_integrator},
    {{"hamming", "Hamming's predictor-corrector of order 4, the method of Simnon"}, make_hamming_integrator},
    {{"rk4", "classical Runge-Kutta of order 4 with fixed step", false, true}, make_rk4_integrator},
    {{"euler", "Euler's method with fixed step", false, true}, make_euler_integrator},
};

constexpr auto descriptions = [] {
    std::array<IntegratorDescription, std::size(methods)> result{};
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = methods[i].description;
    return result;
}();

}  // namespace

std::span<const IntegratorDescription> integrator_list() {
    return descriptions;
}

std::unique_ptr<Integrator> make_integrator(std::string_view name, IvpProblem problem) {
    for (const NamedMethod& method : methods) {
        if (method.description.name != name) continue;
        return problem.n == 0 ? make_stateless_integrator(std::move(problem))
                              : method.make(std::move(problem));
    }
    return nullptr;
}

}  // namespace cutset

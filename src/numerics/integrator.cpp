#include "numerics/integrator.h"

#include "numerics/sundials_integrator.h"

namespace cutset {

namespace {

constexpr IntegratorDescription descriptions[] = {
    {"cvode", "variable-order BDF (CVODE), for stiff and other systems; the default"},
    {"adams",
     "variable-order Adams with functional iteration (CVODE), for smooth systems that are not stiff"},
    {"ida", "variable-order BDF on the residual form 0 = x' - f(t, x) (IDA)"},
};

}  // namespace

std::span<const IntegratorDescription> integrator_list() {
    return descriptions;
}

std::unique_ptr<Integrator> make_integrator(std::string_view name, IvpProblem problem) {
    using Maker = std::unique_ptr<Integrator> (*)(IvpProblem);
    Maker maker = name == "cvode"   ? make_cvode_integrator
                  : name == "adams" ? make_adams_integrator
                  : name == "ida"   ? make_ida_integrator
                                    : nullptr;
    if (!maker) return nullptr;
    if (problem.n == 0) maker = make_stateless_integrator;
    return maker(std::move(problem));
}

}  // namespace cutset

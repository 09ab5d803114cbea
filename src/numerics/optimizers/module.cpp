#include "numerics/optimizers/module.h"

#include <algorithm>

namespace cutset::optimizers {

double violation_at(const NonlinearProgram& program, std::span<const double> x, std::span<const double> c) {
    double worst = 0;
    for (std::size_t i = 0; i < program.lower.size(); ++i)
        worst = std::max({worst, program.lower[i] - x[i], x[i] - program.upper[i]});
    for (std::size_t i = 0; i < c.size(); ++i)
        worst = std::max({worst, program.constraint_lower[i] - c[i], c[i] - program.constraint_upper[i]});
    return worst;
}

namespace {

class BothSolvers : public Solvers {
  public:
    OptimizerResult solve(const NonlinearProgram& program, const OptimizerOptions& options) override {
        return options.method == OptimizerMethod::Ipopt ? solve_by_ipopt(program, options)
                                                        : solve_by_nlopt(program, options);
    }
};

}  // namespace

}  // namespace cutset::optimizers

extern "C" __attribute__((visibility("default"))) cutset::optimizers::Solvers* cutset_make_optimizers(
    std::uint32_t version) {
    if (version != cutset::optimizers::module_version) return nullptr;
    return new cutset::optimizers::BothSolvers;
}

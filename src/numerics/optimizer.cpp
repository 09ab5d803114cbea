#include "numerics/optimizer.h"

#include <algorithm>
#include <memory>

#include "base/load_module.h"
#include "numerics/optimizers/module.h"

namespace cutset {

namespace {

optimizers::Solvers* load_solvers(std::string& problem) {
    using namespace optimizers;
    const auto make =
        reinterpret_cast<MakeSolvers>(load_from_module(module_file, make_solvers_name, problem));
    if (!make) return nullptr;
    Solvers* solvers = make(module_version);
    if (!solvers) problem = module_of_another_version(module_file);
    return solvers;
}

}  // namespace

SparsePattern full_pattern(std::size_t rows, std::size_t columns) {
    SparsePattern p;
    p.rows = rows;
    p.columns = columns;
    p.starts.push_back(0);
    for (std::size_t j = 0; j < columns; ++j) {
        for (std::size_t i = 0; i < rows; ++i) p.row.push_back(static_cast<std::int64_t>(i));
        p.starts.push_back(static_cast<std::int64_t>(p.row.size()));
    }
    return p;
}

std::span<const MethodDescription> optimizer_list() {
    static constexpr MethodDescription list[] = {
        {OptimizerMethod::Ipopt, "ipopt", "interior point method with exact gradients", true, true, false},
        {OptimizerMethod::Slsqp, "slsqp", "sequential quadratic programming with exact gradients", true, true,
         false},
        {OptimizerMethod::Bobyqa, "bobyqa", "quadratic models without derivatives; bounds only", false, false,
         false},
        {OptimizerMethod::Cobyla, "cobyla", "linear models without derivatives", false, true, false},
        {OptimizerMethod::NelderMead, "simplex", "a simplex of points, for objectives that are not smooth",
         false, false, false},
        {OptimizerMethod::Direct, "direct", "the whole box, divided again and again; bounds only", false,
         false, true},
        {OptimizerMethod::RandomSearch, "crs", "the whole box, random points that close in; bounds only",
         false, false, true},
        {OptimizerMethod::Isres, "isres", "the whole box, by evolution, with constraints", false, true, true},
    };
    return list;
}

std::optional<OptimizerResult> optimize(const NonlinearProgram& program, const OptimizerOptions& options,
                                        std::string& problem) {
    // Loading twice gives the same module, so nothing needs to be kept.
    const std::unique_ptr<optimizers::Solvers> solvers(load_solvers(problem));
    if (!solvers) return std::nullopt;
    return solvers->solve(program, options);
}

}  // namespace cutset

#include "numerics/optimizer.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "numerics/optimizers/module.h"

namespace cutset {

namespace {

// The module beside the program, or in the folder of the build that test programs are made in.
optimizers::Solvers* load_solvers(std::string& problem) {
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0) {
        problem = "the place of the program is not known";
        return nullptr;
    }
    std::string folder(path, static_cast<std::size_t>(length));
    folder.resize(folder.rfind('/'));
    void* module = nullptr;
    for (const char* where : {"/", "/../lib/cutset/", folder.ends_with("/tests/unit") ? "/../../" : "/"}) {
        const std::string file = folder + where + "libcutset_optimizers.so";
        if (access(file.c_str(), R_OK) != 0) continue;
        module = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!module) problem = dlerror();
        break;
    }
    if (!module) {
        if (problem.empty()) problem = "libcutset_optimizers.so is not beside the program";
        return nullptr;
    }
    // Never unloaded: its libraries keep to the end of the program what they have registered.
    const auto make = reinterpret_cast<optimizers::MakeSolvers>(dlsym(module, optimizers::make_solvers_name));
    optimizers::Solvers* solvers = make ? make(optimizers::module_version) : nullptr;
    if (!solvers) problem = "libcutset_optimizers.so belongs to another version of the program";
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

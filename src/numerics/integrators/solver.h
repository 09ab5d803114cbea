// The integration methods: one enumeration, one table of their names and properties.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace cutset {

// In the order of solver_list().
enum class Solver { Auto, Bdf, Cvode, Adams, Ida, Dopri, Radau, Hamming, Rk4, Euler };

struct SolverDescription {
    Solver solver = Solver::Auto;
    std::string_view name;  // as written by users
    std::string_view explanation;
    bool needs_matrix = false;  // it keeps a matrix: full, n by n, when the problem has no sparse `jacobian`
    bool fixed_step = false;
};

// All of them, the default first.
std::span<const SolverDescription> solver_list();
const SolverDescription& describe(Solver solver);
inline std::string_view name_of(Solver solver) {
    return describe(solver).name;
}

// The method of that name, if there is one.
std::optional<Solver> parse_solver(std::string_view name);

}  // namespace cutset

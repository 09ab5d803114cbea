// Maximum matching: which equation determines which variable.
//
// A matching pairs equations with variables that occur in them, each at most once. It is maximum when no
// augmenting path exists: a path from an unmatched equation to an unmatched variable whose edges are
// alternately outside and inside the matching. Method: Karp–Sipser start (what has only one partner left is
// matched first), then the phases of Hopcroft–Karp, each of which takes a maximal set of disjoint shortest
// augmenting paths; O(E √V) at worst, a handful of phases in practice.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "graph/bipartite.h"

namespace cutset::graph {

inline constexpr std::uint32_t unmatched = std::numeric_limits<std::uint32_t>::max();

struct Matching {
    std::vector<std::uint32_t> variable_of_equation;  // `unmatched` where there is none
    std::vector<std::uint32_t> equation_of_variable;
    std::size_t size = 0;

    Matching() = default;
    Matching(std::size_t equations, std::size_t variables)
        : variable_of_equation(equations, unmatched), equation_of_variable(variables, unmatched) {}

    bool is_perfect() const {
        return size == variable_of_equation.size() && size == equation_of_variable.size();
    }
    // Adds the pair; both must be free.
    void match(std::uint32_t equation, std::uint32_t variable);
    // The same matching of the transposed graph.
    Matching transpose() const;
};

// Starts from `initial` when given; what is matched there stays matched, perhaps with another partner.
Matching maximum_matching(const Bipartite& graph, std::optional<Matching> initial = std::nullopt);

// The same with a class for each variable (0 = match first, higher = only if needed; `excluded_class` =
// never). Variables of class 0 are matched as far as possible, then those of class <= 1 too, and so on. A
// matched variable stays matched, so the result is a maximum matching with as many variables of class 0 as
// any, then of class 1, …. The cost is that of one matching for each class in use: keep them few.
inline constexpr std::uint8_t excluded_class = 255;
Matching maximum_matching_by_preference(const Bipartite& graph, std::span<const std::uint8_t> variable_class,
                                        std::optional<Matching> initial = std::nullopt);

}  // namespace cutset::graph

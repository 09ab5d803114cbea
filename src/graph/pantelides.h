// Which equations to differentiate, and how often, so that the highest derivatives can be computed.
//
// An equation of a differential-algebraic system contains variables v with the order of their derivatives:
// (v, 0) for v, (v, 2) for v''. The highest derivative of each variable is what the system has to determine.
// Where the equations cannot be matched with these, some are constraints between lower derivatives, and their
// derivatives are needed too (Pantelides, SIAM J. Sci. Stat. Comput. 9, 1988):
//
//     until every equation is matched with a highest derivative that occurs in it
//         the equations on alternating paths from unmatched ones (one too many, minimally) are differentiated
//         and take the place of the equations that they are derivatives of
//
// All unmatched equations of a round are treated together, so that a chain of n pendulums takes as many
// rounds as one. The set is the overdetermined part of Dulmage and Mendelsohn, which no choice of a matching
// changes. Only integers count here: the derivative of an equation is taken to contain (v, k + 1) where the
// equation has (v, k). Who differentiates formulas may find that one is missing (sign(v) has no derivative),
// and asks again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cutset::graph {

struct Occurrence {
    std::uint32_t variable = 0, order = 0;
    auto operator<=>(const Occurrence&) const = default;
};

struct DerivativeStructure {
    std::vector<std::vector<Occurrence>> equations;
    // By variable: the highest derivative that occurs, or that is there whether it occurs or not.
    std::vector<std::uint32_t> highest;
    std::vector<bool> counts;  // by variable: whether it is an unknown of the system at all
};

struct Differentiations {
    // By round: the equations whose last derivative so far is differentiated once more, ascending.
    std::vector<std::vector<std::uint32_t>> rounds;
    std::vector<std::uint32_t> equation;  // by equation: how often it is differentiated
    std::vector<std::uint32_t> variable;  // by variable: its highest derivative afterwards
    // The last derivatives determine the highest derivatives of all variables. Not so when the rounds did not
    // do, or the system is singular whatever the order of derivatives.
    bool complete = false;
};

Differentiations pantelides(const DerivativeStructure& system, std::size_t most_rounds);

}  // namespace cutset::graph

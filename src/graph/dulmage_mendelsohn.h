// What is wrong with a system that has no perfect matching.
//
// Coarse Dulmage–Mendelsohn decomposition, from a maximum matching M:
//   Over:  equations and variables on alternating paths from unmatched equations; more equations than
//   variables. Under: equations and variables on alternating paths from unmatched variables; more variables
//   than equations. Well:  the rest, where M is perfect.
// The parts do not depend on which maximum matching is given.
//
// Smallest sets. Sets of equations that can be matched all at once are the independent sets of a
// (transversal) matroid. For an unmatched equation e, the equations on alternating paths from e are therefore
// the one *circuit* that M and e form: one more equation than variables, and any one of its equations may be
// taken away to make it solvable. It is minimal, but another matching may give a smaller circuit when several
// equations are unmatched. So we exchange: match another unmatched equation e' in place of an equation of the
// circuit of e, and keep that when the circuit of e gets smaller. (The smallest of all circuits would be
// NP-hard to find.) The effort is bounded.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/bipartite.h"
#include "graph/matching.h"

namespace cutset::graph {

enum class Part : std::uint8_t { Well, Over, Under };

struct CoarseDecomposition {
    std::vector<Part> part_of_equation;
    std::vector<Part> part_of_variable;
};

// `matching` must be maximum, here and below.
CoarseDecomposition dulmage_mendelsohn(const Bipartite& graph, const Matching& matching);

// Equations and the variables that occur in them, or variables and the equations that contain them; both
// ascending.
struct SingularSet {
    std::vector<std::uint32_t> equations;
    std::vector<std::uint32_t> variables;
};

// A minimal set with one more equation than variables that contains the unmatched `equation`.
SingularSet minimal_overdetermined_set(const Bipartite& graph, const Matching& matching,
                                       std::uint32_t equation);

// A minimal set of variables, one more than the equations that contain any of them, with the unmatched
// `variable`.
SingularSet minimal_underdetermined_set(const Bipartite& graph, const Matching& matching,
                                        std::uint32_t variable);

// One set for each unmatched equation (variable), all different, smaller ones preferred; at most `limit` of
// them. Each set found takes one equation (variable) off, so removing one from each set of a full list cures
// the system.
std::vector<SingularSet> overdetermined_sets(const Bipartite& graph, const Matching& matching,
                                             std::size_t limit = 20);
std::vector<SingularSet> underdetermined_sets(const Bipartite& graph, const Matching& matching,
                                              std::size_t limit = 20);

}  // namespace cutset::graph

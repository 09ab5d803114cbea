// Algorithms of models: carried out once on expressions. What a variable is at the end is its equation; what
// `when` assigns becomes a when clause. A variable that is assigned somewhere in the algorithm has at its
// begin the value before the event, where it is discrete, else its start value.
#pragma once

#include <vector>

#include "objects/equation_writer.h"

namespace cutset::objects {

// The variables that are assigned in `when` become discrete; first of all, as for equations.
void mark_discrete(Evaluator& e, const std::vector<object::Statement>& statements, Frame& frame);

void add_algorithm(EquationWriter& writer, const object::AlgorithmSection& section,
                   const EquationPlace& place, Frame& frame);

}  // namespace cutset::objects

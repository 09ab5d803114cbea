// Loose ends that an enclosing model speaks of: an equation outside the submodel contains the variable
// itself, or an across variable of its open cut.
//
// They hold where the other equations leave room: nothing flows into an open cut unless an equation outside
// fixes its across variable (or the flow itself); the default of a terminal holds where outside it is only
// read. The others are removed. Where several of them compete for the same room, no choice is made: a flow
// stays zero, and what is spoken of itself is open.
#pragma once

#include <vector>

#include "ir/flat_model.h"

namespace cutset {

struct LooseEnd {
    EquationIndex equation;
    bool spoken_of = false;  // the variable itself
};

// Defaults first.
std::vector<LooseEnd> loose_ends_in_question(const FlatModel& model);

// To be called after `choose_known`.
void settle_loose_ends(FlatModel& model);

}  // namespace cutset

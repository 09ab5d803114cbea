// The variables that the user wants iterated (--tear).
#pragma once

#include "transform/analysis.h"

namespace cutset::passes {

// Finds the unknowns that the names of TransformOptions::tear stand for: a variable, the one that an
// eliminated variable is the same as, or der(x). Fills Analysis::torn; an unknown name is an error.
void choose_torn(Analysis& a, Diagnostics& diagnostics);

// Warns of wishes that no loop could take up.
void check_torn(Analysis& a, Diagnostics& diagnostics);

}  // namespace cutset::passes

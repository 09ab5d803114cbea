// Discrete equations in the order of computation: which one determines which variable, and what comes first.
#pragma once

#include "transform/analysis.h"

namespace cutset::passes {

// Takes: discrete equations without eliminated variables. Fills Partition::discrete. Equations that are too
// many or too few, and circles of variables that determine each other without pre(), are reported.
void sort_discrete(Analysis& a, Diagnostics& diagnostics);

}  // namespace cutset::passes

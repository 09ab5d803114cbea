// The matrices of many loops are symmetric: masses of mechanisms, conductances of networks. Then one half is
// computed and serves as the other.
//
// Symmetry is found by numbers: where the formulas agree for values by chance, several times, they are the
// same. Solutions are checked against the equations anyway.
#pragma once

#include <span>

#include "ir/program.h"

namespace cutset {

// Of a loop that has just been built.
void use_symmetry(std::span<const double> constants, Loop& loop);

}  // namespace cutset

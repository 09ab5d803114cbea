// A torn block as one sparse system, for Newton's method where the torn one cannot be solved: all its
// unknowns are iterated,
//
//     0 = v_k - e_k(z, v_1 … v_{k-1})    for each inner assignment v_k := e_k
//     0 = r(z, v)                        for each residual
//
// A chain of assignments may amplify what is put into it beyond any measure (shooting across a line of
// nonlinear equations); here each equation is as good as it is by itself. Assignments between Booleans stay
// assignments.
#pragma once

#include <memory>

#include "ir/program.h"

namespace cutset {

struct UntornLoop {
    Block block;
    // Nothing but functions and one loop, that of the block. The quantities of the Program that it was made
    // for have the same slots in both.
    Program program;
};
std::unique_ptr<const UntornLoop> generate_untorn(const Program& program, const Block& block);

}  // namespace cutset

// Loop-invariant code: takes what depends on parameters only, or on discrete variables only, out of a section
// that runs at every step.
#pragma once

#include <vector>

#include "generate/section_builder.h"

namespace cutset {

// Moves instructions to ProgramBuilder::fixed and stepwise; what they compute then has a place of its own.
// Only what runs always moves: nothing behind a jump, nothing that is written twice. Slots are still tagged.
void hoist(ProgramBuilder& program, std::vector<Instruction>& instructions);

}  // namespace cutset

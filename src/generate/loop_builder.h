// A torn block → Loop: its residuals, and the partial derivatives of the residuals by the tearing variables.
#pragma once

#include <vector>

#include "generate/section_builder.h"

namespace cutset {

Loop build_loop(ProgramBuilder& program, const Block& block);
// Loop::rest: these of the inner equations.
Section build_rest(ProgramBuilder& program, const Block& block, const std::vector<std::size_t>& inner);

}  // namespace cutset

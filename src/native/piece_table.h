// Operands of a piece that come from its table, so that one function serves several places.
#pragma once

#include "native/plan.h"

namespace cutset::native {

void all_from_table(Piece& piece);
// Numbers of call sites, loops and delay lines: code then does not depend on them.
void numbers_from_table(Piece& piece);

}  // namespace cutset::native

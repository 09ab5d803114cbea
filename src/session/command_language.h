// Messages of the program name its options, `--init x=3`; in a session the same thing is a command, `INIT
// x:3`.
#pragma once

#include "base/diagnostic.h"

namespace cutset {

// `person`: one types, who may give all commands.
Diagnostic in_commands(Diagnostic diagnostic, bool person);

}  // namespace cutset

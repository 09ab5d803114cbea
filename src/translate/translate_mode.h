// Programs of modes, for runs that go through them (run/mode_changes.h): SimulateOptions::translate_mode.
#pragma once

#include <memory>

#include "run/simulate.h"

namespace cutset {

// What is differentiated keeps its value into the mode, or jumps so that what is conserved is kept.
std::shared_ptr<const Program> translate_mode(FlatModel mode, const std::shared_ptr<const FlatModel>& source,
                                              Diagnostics& diagnostics);

}  // namespace cutset

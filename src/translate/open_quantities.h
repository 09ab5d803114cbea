// Quantities that a question leaves open, and the derivatives by them that it asks for.
#pragma once

#include "translate/question.h"
#include "translate/translation.h"

namespace cutset {

// Leaves them open in the flat model; with derivatives, `asked` gets the parameters and the request for them.
// False when errors were reported.
bool open_quantities(FlatModel& flat, const OpenQuantities& open, ProgramQuestion& asked,
                     Diagnostics& diagnostics, StageTimes& times);

}  // namespace cutset

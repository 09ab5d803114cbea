// The numbers of parameters, from their bindings.
#pragma once

#include "base/diagnostic.h"
#include "ir/flat_model.h"

namespace cutset::objects {

// Every parameter with a binding gets its value, whatever the order of the text. One that depends on a
// parameter which initialization determines is determined there, too. A cycle and a value that is no number
// are reported.
void evaluate_parameters(FlatModel& model, Diagnostics& diagnostics);

}  // namespace cutset::objects

// Changes of parameters and initial values as the commands make them.
#pragma once

#include "session/workbench.h"

namespace cutset {

bool set_parameter(Workbench& bench, const NamedQuantity& variable, double value);
bool set_initial(Workbench& bench, const NamedQuantity& variable, double value);

}  // namespace cutset

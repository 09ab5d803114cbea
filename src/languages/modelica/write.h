// ClassTree → Modelica text: the loaded classes, readable.
#pragma once

#include <string>

#include "base/diagnostic.h"
#include "ir/class_tree.h"

namespace cutset {

std::string write_modelica(const ClassTree& classes, Diagnostics& diagnostics);

}  // namespace cutset

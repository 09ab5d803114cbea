// A system whose parts are code in a shared library (include/cutset_system.h), as a class: its parts are
// functions of everything that they read.
#pragma once

#include <memory>

#include "ir/class_tree.h"
#include "languages/simnon/system.h"

namespace cutset::simnon {

std::shared_ptr<tree::Class> lower_external(const System& system);

}  // namespace cutset::simnon

// Omola files together as classes of the object tree: inheritance, realizations and terminals resolved, and
// connections written as equations.
#pragma once

#include <vector>

#include "base/diagnostic.h"
#include "languages/omola/syntax.h"

namespace cutset::omola {

object::File lower(const std::vector<File>& files, Diagnostics& diagnostics);

}  // namespace cutset::omola

// All EL files together as classes of the object tree: components by name, partitions inside their component,
// experiments inside their partition: motorDC.motor2.exp1.
#pragma once

#include <vector>

#include "base/diagnostic.h"
#include "languages/el/syntax.h"

namespace cutset::el {

object::File lower(const std::vector<File>& files, Diagnostics& diagnostics);

}  // namespace cutset::el

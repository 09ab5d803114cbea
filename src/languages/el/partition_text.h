// A partition as EL text.
#pragma once

#include <string>

#include "languages/el/syntax.h"

namespace cutset::el {

std::string partition_text(const Partition& p);

}  // namespace cutset::el

// Partition → Program.
#pragma once

#include <memory>

#include "ir/partition.h"
#include "ir/program.h"

namespace cutset {

Program generate(std::shared_ptr<const Partition> partition);

}  // namespace cutset

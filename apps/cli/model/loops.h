// What has to be solved together, and how: `cutset check --loops`.
#pragma once

#include "base/source.h"
#include "ir/partition.h"

namespace cutset::cli {

void print_loops(const Partition& partition, const Sources& sources);

}  // namespace cutset::cli

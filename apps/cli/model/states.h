// Why each state is one, and each candidate that is not: `cutset check --states`.
#pragma once

#include "base/source.h"
#include "operations/structure/state_reasons.h"

namespace cutset::cli {

void print_states(const Partition& partition, const Sources& sources);

}  // namespace cutset::cli

// Which variables of a model are written, by the patterns of a request.
#pragma once

#include "base/diagnostic.h"
#include "ir/partition.h"
#include "results/writer.h"

namespace cutset {

// False, with the reason reported, when a pattern matches no variable.
bool known_choice(const ResultChoice& choice, const Partition& partition, Diagnostics& diagnostics);

}  // namespace cutset

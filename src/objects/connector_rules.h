// What holds of connectors, asked when all components of the model are known: which prefixes go together, how
// many variables of each kind there are, what may be modified by whom (MLS 4.4.2, 4.6, 9.3.1).
#pragma once

#include "objects/instances.h"
#include "objects/walk_instances.h"

namespace cutset::objects {

void check_connectors(Instances& instances, const Walked& walked);

}  // namespace cutset::objects

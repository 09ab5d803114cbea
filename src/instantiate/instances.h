// The tree of submodels: structure decided, variables, cuts and submodels declared, level by level.
#pragma once

#include "instantiate/context.h"

namespace cutset {

void make_instances(Context& c, const tree::Class& model);

}  // namespace cutset

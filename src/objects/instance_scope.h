// The scope of an instance: names as the evaluator asks for them.
#pragma once

#include <memory>

#include "objects/evaluator.h"
#include "objects/instances.h"

namespace cutset::objects {

std::shared_ptr<Scope> make_scope(Instances& instances, Place place);
// Of a scope that was made so.
Place place_of(const Scope& scope);

}  // namespace cutset::objects

// Whether a class can stand where another is expected: it has what that has, of types that fit (MLS 6.4).
#pragma once

#include <string>

#include "objects/class_instances.h"

namespace cutset::objects {

// `how` says what is missing or differs, where it is known.
bool is_subtype(InstanceTree& tree, ClassInstance& sub, ClassInstance& super, std::string& how);

// Of what was redeclared in the model, each must fit the constraint of what it replaces.
void check_replacements(InstanceTree& tree);

}  // namespace cutset::objects

// Goes through all components of a model, outer ones first: instances and variables of the flat model, and
// what the modeller said of them.
#pragma once

#include <vector>

#include "objects/declarations.h"
#include "objects/instances.h"

namespace cutset::objects {

struct Walked {
    Declarations declarations;
    // All that are no variables, in the order of the walk.
    std::vector<ComponentInstance*> instances;
    // Flow variables: where nothing is connected to them they are zero.
    std::vector<ComponentInstance*> flows;
};

// Errors are reported with their component; what is wrong in one does not hide the others.
Walked walk_instances(Instances& instances);

}  // namespace cutset::objects

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

// Errors are reported with their component; what is wrong in one does not hide
// the others. Of expandable connectors only connectors of the same kind are
// entered: the others are there if something is connected.
Walked walk_instances(Instances& instances);
// A member of an expandable connector that connections use.
void walk_member(Instances& instances, ComponentInstance& member, Walked& walked);

bool is_expandable(const ClassInstance& type);

}  // namespace cutset::objects

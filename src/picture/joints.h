// The lines that connection statements of the 1977 language draw: which port is joined to which.
//
// As instantiate/connect.h evaluates them, but over names: a path or cut is looked up in the outside of the
// class of a submodel, nothing is known of its variables, and what is not understood draws no line.
#pragma once

#include <vector>

#include "base/source.h"
#include "ir/class_tree.h"
#include "picture/class_picture.h"
#include "picture/outside.h"

namespace cutset::picture {

// What the connections of a class can name.
struct JointScope {
    const std::vector<Block>& blocks;             // submodels and nodes
    const std::vector<const Outside*>& outsides;  // of the blocks; null: not known
    const std::vector<Port>& ports;               // of the class
    const std::vector<PathEnds>& paths;
    const Sources& sources;
};

struct Joints {
    std::vector<Line> lines;
    std::vector<Block> sources;  // temporary cuts of values; numbered after the blocks of the scope
};

void add_joints(const tree::Connection& statement, const JointScope& scope, bool conditional, Joints& out);

}  // namespace cutset::picture

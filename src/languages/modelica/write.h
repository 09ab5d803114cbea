// Loaded classes as Modelica 3 text.
//
// Everything stands in one package: connectors (one for each structure of cut), functions, tables, models. A
// cut becomes a connector with the across variables a1, a2 … and the through variables t1, t2 … (flow), tied
// to the model's own variables by equations that carry the sign. Paths and groups of cuts disappear:
// connections are worked out here and written as `connect`. Where Modelica has no counterpart, a comment says
// so.
#pragma once

#include <string>

#include "ir/class_tree.h"

namespace cutset::modelica {

struct Options {
    std::string package;  // its name; empty: from the name of the first file
};

std::string write_modelica(const ClassTree& classes, const Options& options = {});

}  // namespace cutset::modelica

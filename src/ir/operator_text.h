// How operators are written, and how strongly they hold together: for every language that is written back.
#pragma once

#include "expr/strength.h"
#include "ir/object_tree.h"

namespace cutset {

struct OperatorText {
    const char* text;  // with the blanks around it
    Strength strength;
};

namespace object {

// In the words of Modelica.
OperatorText operator_text(Operator op);

}  // namespace object

}  // namespace cutset

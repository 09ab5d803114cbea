// `extends` for classes that were written out in full.
//
//     model B (made from A)              model B
//       all that A has, with a = 2   →     extends A(a = 2);
//       more                               more
//
// A class is made to extend another one where everything that the other has stands in it: the same components
// but for their modifications and for classes with a common ancestor, which are redeclared, and the same
// equations. Else it stays as it is.
#pragma once

#include <memory>
#include <vector>

#include "ir/object_tree.h"

namespace cutset::modelica {

void restore_inheritance(std::vector<std::shared_ptr<object::Class>>& classes);

}  // namespace cutset::modelica

// The names of variables that a text uses, in the order of the text.
#pragma once

#include "base/function_ref.h"
#include "ir/object_tree.h"

namespace cutset::object {

using VisitName = FunctionRef<void(const Name&)>;

void visit_names(const Expression& e, VisitName visit);
void visit_names(const Modification& m, VisitName visit);
// Those of its own components and sections, but for connections: what they join is another matter.
void visit_names(const LongDefinition& body, VisitName visit);

}  // namespace cutset::object

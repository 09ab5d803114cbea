// Whether a function gives its variables values before it uses them (definite assignment). Each variable is
// followed along the statements as assigned, not assigned, or assigned on some ways only; what a loop assigns
// may be from an earlier turn.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/flat_model.h"

namespace cutset {

struct AssignmentFaults {
    struct Use {
        std::string name;
        Span where;  // of the statement
    };
    std::optional<Use> before_assignment;  // certainly; the first
    std::vector<std::string> left_open;    // results that some branches of an `if` do not assign
};
AssignmentFaults check_assignments(const FunctionData& function);

}  // namespace cutset

// Text of an expression → expression, with names found by a callback: for symbolic operations, which work on
// flat names.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "expr/expr.h"
#include "ir/class_tree.h"

namespace cutset {

// Null when something was reported. `variable` reports names that it does not know. `divisors` gets all that
// the text divides by: what cancels, as in x/x, leaves no trace in the expression.
Expr read_symbolic(
    Pool& pool, const tree::Expression& e,
    const std::function<std::optional<VariableIndex>(const std::string& name, Span where)>& variable,
    std::vector<Expr>& divisors, Diagnostics& diagnostics);

}  // namespace cutset

// What is said of equations, algorithms and declarations of variables, in Modelica's words.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace cutset::objects::messages {

Diagnostic equation_types(Span where, std::string_view left, std::string_view right);
Diagnostic equation_sizes(Span where, std::string_view left, std::string_view right);
// `of_derivative`: a derivative stands in it.
Diagnostic equation_false(Span where, double left, double right, bool of_derivative);
Diagnostic branch_counts(Span where, std::size_t first, std::size_t other);
Diagnostic branch_targets(Span where);
Diagnostic structure_in_branch(Span where, std::string_view what);
Diagnostic no_variable(Span where);
Diagnostic when_target(Span where);
Diagnostic when_condition(Span where, std::string_view found);
Diagnostic only_in_when(Span where, std::string_view what);
Diagnostic not_in_when(Span where, std::string_view what);
Diagnostic nested_when(Span where);
Diagnostic reinit_target(Span where, std::string_view name);
Diagnostic assigned_twice(Span where, std::string_view name);
Diagnostic algorithm_target(Span where, std::string_view name);
Diagnostic algorithm_varies(Span where);
Diagnostic parameter_without_value(Span where, std::string_view name);
Diagnostic discrete_by_declaration(Span where, std::string_view name);
Diagnostic parameter_from_start(Span where, std::string_view name, std::string_view value);
Diagnostic parameter_varies(Span where, std::string_view name);
Diagnostic element_of_scalar(Span where, std::string_view shape);
Diagnostic assertion_fails(Span where, std::string_view text);
Diagnostic clocked_branches(Span where);
Diagnostic clocked_condition(Span where);

}  // namespace cutset::objects::messages

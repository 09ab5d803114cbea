// What symbolic operations say to the modeller.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace cutset::symbolic_messages {

Diagnostic unknown_name(const std::string& name, const std::vector<std::string>& names, Span where = {});
Diagnostic name_taken(const std::string& name);
Diagnostic bad_name(const std::string& name);
Diagnostic not_supported(const std::string& what, Span where);
Diagnostic not_a_condition(const std::string& text);
Diagnostic contradiction(const std::string& text);
Diagnostic nothing_to_solve_for();
Diagnostic in_no_equation(const std::string& name);
Diagnostic no_formula(const std::string& name, const std::vector<std::string>& equations);
Diagnostic no_real_solution(const std::string& name, const std::vector<std::string>& equations);
Diagnostic several_branches(const std::string& name, const std::string& equation,
                            const std::vector<std::string>& branches);
Diagnostic not_linear_together(const std::string& names);
Diagnostic no_equation(const std::string& what, std::size_t count);
Diagnostic not_given_by_one(const std::string& name, const std::vector<std::string>& equations);
Diagnostic contains_itself(const std::string& name);
Diagnostic only_for_equations(const std::string& step);
// Of a step that needs NAME=…
Diagnostic name_and_value_wanted(const std::string& option, const std::string& text);

}  // namespace cutset::symbolic_messages

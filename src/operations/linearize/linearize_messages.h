// What linearisation says to the modeller.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "ir/partition.h"
#include "run/infinite_slope.h"

namespace cutset::linearize_messages {

Diagnostic input_differentiated(const FlatModel& model, VariableIndex input, EquationIndex equation);
// A condition switches exactly at the operating point.
Diagnostic at_corner(const FlatModel& model, const Switch& condition);
Diagnostic infinite_slope(const FlatModel& model, const InfiniteSlope& slope);
Diagnostic no_value(const FlatModel& model, EquationIndex equation, VariableIndex variable);
Diagnostic not_square(const FlatModel& model, std::size_t equations, std::size_t variables);
Diagnostic no_steady_state(const std::string& reason);
Diagnostic bad_point(const std::string& text, const std::string& problem);
Diagnostic point_lacks(const std::string& file, const std::vector<std::string>& states);
Diagnostic input_taken_zero(const std::vector<std::string>& inputs);
Diagnostic no_states(const std::string& model);
Diagnostic has_delay(const FlatModel& model, const Equation& equation, Expr delay);
// Variables that `when sample(…)` clauses set.
Diagnostic sampled_are_held(const FlatModel& model, const std::vector<VariableIndex>& sampled);
Diagnostic not_steady(const std::string& state, double rate);
Diagnostic too_large_for_symbols(std::size_t states, std::size_t most);
Diagnostic symbolic_loop(std::size_t unknowns, std::size_t most);

}  // namespace cutset::linearize_messages

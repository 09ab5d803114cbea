// Values of parameters and constants, and of everything that must be known before the equations are made.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "instantiate/expressions.h"

namespace cutset {

// The value of a parameter or constant; nothing when it has none (reported, or to be reported by
// evaluate_parameters).
std::optional<double> parameter_value(Context& c, VariableIndex v);

// The value of an expression that shapes the model; the parameters in it become structural. `what` is what
// needs it, for messages: "the size of x".
std::optional<double> structural_value(Context& c, const tree::Expression& e, const Scope& s,
                                       const std::string& what);
// The same of an expression that was translated; reported when it has no value before the run.
std::optional<double> known_value(Context& c, Expr e, Span where, const Scope& s, const std::string& what);
// A whole number within ±1e9.
std::optional<long> structural_integer(Context& c, const tree::Expression& e, const Scope& s,
                                       const std::string& what);
// Whether a condition is decided during the run: it speaks of variables, or of a structure parameter that a
// when clause of the model sets anew.
bool changes_in_run(Context& c, const tree::Expression& e, const Scope& s);
// The text that a parameter has as its value: written, or that of the parameter it is given from.
std::optional<std::string> text_value(Context& c, VariableIndex v);

// The values of the variable of a `for`. Nothing after reporting.
struct LoopRange {
    long from = 1, to = 0, step = 1;
    bool goes_on(long k) const { return step > 0 ? k <= to : k >= to; }
    double count() const;
};
std::optional<LoopRange> loop_range(Context& c, const tree::StructureFor& loop, const Scope& s);
std::optional<LoopRange> loop_range(Context& c, const tree::WhenFor& loop, const Scope& s);
std::optional<bool> structural_condition(Context& c, const tree::Expression& e, const Scope& s);
// Dimensions as written, each at least 0.
std::optional<std::vector<std::uint32_t>> structural_dimensions(
    Context& c, const std::vector<tree::Expression>& dimensions, const Scope& s, const std::string& name);

// All parameters; those without a value are reported together.
void evaluate_parameters(Context& c);
// Parameters given as `?`, and those computed from them, are unknowns of the initialization problem: discrete
// variables that nothing changes afterwards; bindings become initial equations.
void free_parameters(Context& c);

}  // namespace cutset

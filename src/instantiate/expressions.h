// Expressions as written → expressions of the flat model, element by element for arrays.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "instantiate/arrays.h"
#include "instantiate/context.h"

namespace cutset {

struct FunctionScope;  // functions.h

// Where an expression stands.
struct Scope {
    InstanceIndex instance;
    std::uint32_t loops = 0;
    FunctionScope* function = nullptr;  // set inside a function
    bool counts = false;                // a reference into a submodel counts as referring from outside
    bool starts = false;                // der(x, x0) gives initial values
    bool in_when = false;
    bool previous = false;                // inside pre(…)
    std::optional<VariableIndex> target;  // of new(d) = …: `d` on the right is its value before
    bool* target_seen = nullptr;
    std::uint32_t enumeration = no_enumeration;  // whose values are expected by name
};

Value translate(Context& c, const tree::Expression& e, const Scope& s);
// As above, and reported unless it is a scalar number / a condition. Null when it failed.
Expr translate_number(Context& c, const tree::Expression& e, const Scope& s);
Expr translate_condition(Context& c, const tree::Expression& e, const Scope& s);

// Boolean variables are 0 or 1 in the flat model: `b` in a condition is b > 0.5, a condition as a value is
// `if condition then 1 else 0`.
Expr truth_of(Pool& pool, Expr number);
Expr number_of(Context& c, Expr condition);

// The loop variable or `index` of that name.
std::optional<double> loop_value(const Context& c, std::uint32_t loops, std::string_view name);

// A reference to variables: the whole variable or elements of it.
struct VariableReference {
    InstanceIndex instance;  // that declares it
    std::uint32_t slot = 0;
    std::uint32_t first = 0;  // VariableIndex of the first element
    std::vector<std::uint32_t> dimensions;
    std::size_t count = 1;
};
// Reports and returns nothing when it is not a variable. `time` and loop variables are not variables.
std::optional<VariableReference> find_variable(Context& c, const tree::Reference& r, const Scope& s);

// The submodel that the first `parts` parts of a reference lead to.
std::optional<InstanceIndex> find_submodel(Context& c, const tree::Reference& r, std::size_t parts,
                                           const Scope& s);

// Indices as positions in an array of these dimensions (from 0); reported and nothing when out of range.
std::optional<std::size_t> find_element(Context& c, const std::vector<tree::Expression>& indices,
                                        const std::vector<std::uint32_t>& dimensions, const std::string& name,
                                        Span where, const Scope& s);

// When all equations and initial values are known: decides for each variable that stands for an expression
// under a derivative whether it is needed, and gives it an initial value.
void settle_quantities(Context& c);

void give_start(Context& c, VariableIndex v, std::uint32_t order, Expr value, const Scope& s, Span where);
void give_guess(Context& c, VariableIndex v, Expr value, const Scope& s, Span where);

}  // namespace cutset

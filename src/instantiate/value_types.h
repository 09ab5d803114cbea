// Types of variables and values: reals, whole numbers, truth values, enumerations.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "instantiate/expressions.h"

namespace cutset {

// The enumeration with these values; the same for all declarations that list the same.
std::uint32_t enumeration_of(Context& c, const std::vector<std::string>& literals);

// A name that is a value of an enumeration: of the one that the scope expects, else of the only one that has
// it. Nothing where it is none; reported where several have it.
std::optional<Value> literal_value(Context& c, std::string_view name, Span where, const Scope& s);

// Both sides of an equation or relation; a name that is a value of an enumeration is that of the other side.
std::pair<Value, Value> translate_sides(Context& c, const tree::Expression& left,
                                        const tree::Expression& right, const Scope& s);

// Whether the value can be that of the variable; reported where it cannot.
bool fits_type(Context& c, VariableIndex v, const Value& value, Span where, const Scope& s);
// Whether two values can be equal, and be compared; reported where they cannot.
bool fits_types(Context& c, const Value& left, const Value& right, Span where, const Scope& s);

// Integer variables to which no equation gives a whole number, though it has them alone on one side:
// reported. (c**3 + c = n is no such equation if another one determines n.)
void check_whole(Context& c);

// Whole for certain: numbers, integer variables, and what makes whole numbers of them.
bool is_whole(const FlatModel& model, Expr e);

// "a truth value", "one of off, on, broken" …, for messages.
std::string type_text(const FlatModel& model, const Variable& v);

}  // namespace cutset

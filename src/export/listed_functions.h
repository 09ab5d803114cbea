// The functions of the language that a listed model calls, and their partial derivatives as functions of
// their own.
//
// The derivative of a function by its input k is the same sequence of statements with a tangent beside each
// quantity: before v := e comes v' := Σ ∂e/∂u · u', with 1 for the tangent of input k and 0 for the others.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "export/listing.h"

namespace cutset {

struct FunctionKey {
    std::uint32_t callee = 0, output = 0, derivatives = 0, by0 = 0, by1 = 0;
    auto operator<=>(const FunctionKey&) const = default;
};

struct ListedFunction {
    FunctionKey key;
    FunctionData data;         // with tangents where it is a derivative
    std::uint32_t result = 0;  // slot of what it returns
};

FunctionKey function_key(Expr apply);

// All that the listing calls, directly or through others; tables are left out. External functions are listed
// without a body.
std::vector<ListedFunction> listed_functions(const Listing& listing);

// Slots that lie in an array which is indexed somewhere: first slot → length.
std::map<std::uint32_t, std::uint32_t> indexed_arrays(const FunctionData& function);

// Calls look(expression) for all expressions of a listing.
void for_each_listed(const Listing& listing, const std::function<void(Expr)>& look);
void for_each_in_body(const std::vector<FunctionStatement>& body, const std::function<void(Expr)>& look);

}  // namespace cutset

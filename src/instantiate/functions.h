// Functions of the language: tree::Function → FunctionData, and their values for given numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "instantiate/expressions.h"

namespace cutset {

struct FunctionVariable {
    std::uint32_t first = 0;  // slot
    std::vector<std::uint32_t> dimensions;
    std::uint32_t length = 1;
};

struct FunctionScope {
    const tree::Function* function = nullptr;
    ClassInfo* in = nullptr;  // the class around the function, for constants and other functions
    const tree::File* file = nullptr;
    FunctionData data;
    std::unordered_map<std::string_view, FunctionVariable> variables;
    bool constants_only = false;  // while evaluating a constant: no variables in sight
};

// The callee for a function with arguments of such sizes, made at first use; nothing when it has errors.
std::optional<FunctionInstance> function_callee(Context& c, const tree::Function& f, ClassInfo* in,
                                                const tree::File* file, std::span<const Value> arguments);

// f(arguments) as one value for each output. Arguments that are left out at the end have their defaults.
std::optional<std::vector<Value>> call_function(Context& c, const FunctionInstance& callee,
                                                const tree::Function& f, const std::vector<Value>& arguments,
                                                Span where, const std::vector<Span>& argument_places,
                                                const std::string& submodel);

// Adds the defaults of arguments that are left out at the end; false when there are too few or too many.
bool complete_arguments(Context& c, const tree::Function& f, ClassInfo* in, const tree::File* file,
                        std::vector<Value>& arguments, Span where, const std::string& submodel);

// A name inside a function: its variables, then constants of the models around it.
Value translate_function_reference(Context& c, const tree::Reference& r, const Scope& s);

}  // namespace cutset

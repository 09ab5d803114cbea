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
    bool boolean = false;
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
                                                const std::string& submodel, const Scope& s);

// The arguments of a call in the order of the inputs: by position, then by name, `k=2`, the rest by defaults;
// nothing where they do not fit, which has been reported.
struct CallArguments {
    std::vector<Value> values;
    std::vector<Span> places;
};
std::optional<CallArguments> call_arguments(Context& c, const tree::Function& f, ClassInfo* in,
                                            const tree::File* file,
                                            const std::vector<tree::Expression>& given, Span where,
                                            const Scope& s);

// A name inside a function: its variables, then constants of the models around it.
Value translate_function_reference(Context& c, const tree::Reference& r, const Scope& s);

}  // namespace cutset

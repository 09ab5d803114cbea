// What a declaration says of a variable, a table or a function: kept from the text to the flat model,
// whatever language the text is in.
#pragma once

#include <cstdint>
#include <string>

#include "base/source.h"

namespace cutset {

// How much a variable should be a state, where constraints leave a choice.
enum class StateSelect : std::uint8_t { Never, Avoid, Default, Prefer, Always };
inline const char* word(StateSelect s) {
    switch (s) {
        case StateSelect::Never:
            return "never";
        case StateSelect::Avoid:
            return "avoid";
        case StateSelect::Default:
            return "default";
        case StateSelect::Prefer:
            return "prefer";
        case StateSelect::Always:
            return "always";
    }
    return "";
}

enum class VariableKind : std::uint8_t {
    Parameter,
    StructureParameter,
    Constant,
    Local,
    Discrete,
    Terminal,
    Input,
    Output,
    Internal,
    External,
};

// What values a variable takes. Truth values are 0 and 1, those of an enumeration 1, 2, … in its order.
enum class ValueType : std::uint8_t { Real, Integer, Boolean, Enumeration };

// Of tables: between breakpoints, and outside them.
enum class Interpolation { Linear, Smooth };
enum class Outside { Hold, Extrapolate, Error };

// Where the code of an external function is: C calling convention, double f(double, double …) for one result,
// void f(const double* in, double* out) for several.
struct ExternalCode {
    std::string library;     // file, relative to the source
    std::string symbol;      // defaults to the function's name
    std::string derivative;  // symbol of the derivative function: double df(int argument, double, double …);
                             // may be empty
    Span where;
};

}  // namespace cutset

// What a declaration says of a variable, a table or a function: kept from the text to the flat model,
// whatever language the text is in.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

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
// Cubics with a continuous derivative differ in their slopes at the points: Smooth and Monotone have those of
// Fritsch and Butland, with other slopes at the ends. Constant and Periodic are gone in the flat model.
enum class Interpolation { Linear, Smooth, Monotone, Steffen, Akima, ModifiedAkima, Constant };
enum class Outside { Hold, Extrapolate, Error, Periodic };

// Their words in the Dymola language.
constexpr std::string_view word(Interpolation i) {
    constexpr std::string_view words[] = {"linear", "smooth", "monotone", "steffen",
                                          "akima",  "makima", "constant"};
    return words[static_cast<int>(i)];
}
constexpr std::string_view word(Outside o) {
    constexpr std::string_view words[] = {"hold", "extrapolate", "error", "periodic"};
    return words[static_cast<int>(o)];
}
constexpr Interpolation all_interpolations[] = {
    Interpolation::Linear, Interpolation::Smooth,        Interpolation::Monotone, Interpolation::Steffen,
    Interpolation::Akima,  Interpolation::ModifiedAkima, Interpolation::Constant};
constexpr Outside all_outsides[] = {Outside::Hold, Outside::Extrapolate, Outside::Error, Outside::Periodic};

// What it means that a condition does not hold.
enum class AssertionLevel : std::uint8_t {
    Validity,  // `valid c`: the model is outside its region; --strict stops the run
    Warning,   // `assert(c, "…", warning)`: reported once per visit
    Error,     // `assert(c, "…")`: the run ends
};

// Where the code of an external function is: C calling convention, double f(double, double …) for one result,
// void f(const double* in, double* out) for several.
struct ExternalCode {
    std::string library;     // file, relative to the source; empty: a routine of the program itself,
    std::string symbol;      // called as this text says (routines/routines.h); else the function's name
    std::string derivative;  // symbol of the derivative function: double df(int argument, double, double …);
                             // may be empty
    Span where;
};

}  // namespace cutset

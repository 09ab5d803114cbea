// Keys of units of code: fingerprints of exactly what their machine code depends on. They are made from our
// own representation, before LLVM has anything to do. Places of values and of call sites are no part of them:
// they are filled in later, so that a key lasts while the model around it changes.
#pragma once

#include <string>

#include "base/fingerprint.h"
#include "native/function_plan.h"
#include "native/plan.h"

namespace cutset::native {

struct KeyHash {
    std::size_t operator()(const Fingerprint& f) const { return static_cast<std::size_t>(f.low); }
};

// `identity`: of the program, the compiler and the processor.
Fingerprint key_of(const Piece& piece, bool optimise, const std::string& identity);
Fingerprint key_of(const FunctionPlan& plan, const std::string& identity);
// Of all sections and functions of a Program, as far as their machine code depends on it: not of numbers that
// are values of parameters or coefficients.
Fingerprint key_of(const Program& program, const std::string& identity);

}  // namespace cutset::native

// Symbolic work step by step: what is done to the equations of a model, or to one expression, in the order
// given.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/source.h"
#include "operations/symbolic/symbolic.h"

namespace cutset {

enum class SymbolicStepKind {
    Rename,         // OLD=NEW
    Substitute,     // x=EXPRESSION
    Eliminate,      // v1,v2
    SolveFor,       // v1,v2
    Differentiate,  // an equation or, of an expression, the variable
    Assume,         // conditions, separated by commas
    Simplify,
    Expand,
    Factor,
    Collect,  // v
};

struct SymbolicStep {
    SymbolicStepKind kind;
    std::string text;  // empty where nothing is to be said
};

// A bare expression, or an equation, as a system. Nothing when errors were reported.
std::optional<SymbolicSystem> symbolic_system(const std::string& expression, Sources& sources,
                                              Diagnostics& diagnostics);

// All steps, up to the first that fails: then false, with the reason reported.
bool apply_steps(const std::vector<SymbolicStep>& steps, SymbolicSystem& system, Sources& sources,
                 Diagnostics& diagnostics);

}  // namespace cutset

// The systems of a model as a person sees them: each with its variables by role. Languages whose models have
// such a division (Simnon) give it; for others it is made from the submodels.
#pragma once

#include <string>
#include <vector>

#include "base/source.h"

namespace cutset {

enum class SystemKind { Continuous, Discrete, Connecting, Model };

// In the order in which they are shown.
enum class SystemRole {
    Input,
    Output,
    Time,
    State,
    Initial,
    Derivative,
    New,
    SampleTime,
    Parameter,
    Auxiliary
};

struct SystemSummary {
    SystemKind kind = SystemKind::Model;
    std::string name;  // of the system
    std::string path;  // of its variables in results: "MOTOR"; empty for those at the top
    struct Variable {
        std::string name;  // as written in the system
        SystemRole role = SystemRole::Auxiliary;
    };
    std::vector<Variable> variables;
};

// What is said about the order in which a connecting system computes: output sections that are executed
// before a statement, and inputs that have no value then.
struct ComputationRemark {
    Span statement;
    std::string text;
    bool warning = false;
};

}  // namespace cutset

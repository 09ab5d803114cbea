// A model as a linear system at an operating point: where the point comes from, and what inputs and outputs
// are.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "operations/linearize/linearize.h"
#include "operations/linearize/symbolic_linearize.h"
#include "translate/question.h"
#include "translate/workspace.h"

namespace cutset {

struct LinearQuestion {
    std::string model;
    Experiment experiment;
    TransformOptions transform;
    SimulateOptions run;  // start, tolerance, solver: for --at time=T
    // Empty: the inputs of the model, its outputs (its states when it has none). Parameters may be inputs
    // too.
    std::vector<std::string> inputs, outputs;
    // steady, start, time=T, a .json point, a result, or a result@T; empty: steady, else start.
    std::string at;
    bool descriptor = false;
};

enum class PointKind { Steady, Start, Time, File };

// A point in the words of results: values by name.
struct OperatingPoint {
    PointKind kind = PointKind::Steady;
    double time = 0;
    std::unordered_map<std::string, double> values;  // looked up only
    std::string file;
};

// Nothing when errors were reported.
std::optional<OperatingPoint> find_operating_point(Workspace& workspace, LinearQuestion& question);
struct LinearModel {
    Linearization linear;
    OperatingPoint point;
    double seconds = 0;  // for the linearisation, after translation
};
std::optional<LinearModel> linear_model(Workspace& workspace, LinearQuestion question);
// Its partition and formulas.
struct SymbolicModel {
    std::shared_ptr<const Partition> partition;
    SymbolicLinearization formulas;
};
std::optional<SymbolicModel> symbolic_linear_model(Workspace& workspace, LinearQuestion question);

}  // namespace cutset

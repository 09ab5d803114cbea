// What is asked of the Translator. Questions differ by their data: what the experiment says, how the model is
// sorted, which quantities a run gives values, which derivatives are wanted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "flat/experiment.h"
#include "generate/generate.h"
#include "run/simulate.h"
#include "transform/transform.h"

namespace cutset {

// A parameter or an initial value that differs from run to run.
struct VariedQuantity {
    std::string path;      // as in --set and --init
    bool initial = false;  // the initial value of a variable
};

// Quantities that are left open (transform/leave_open.h), and derivatives by them (run/model_functions.h).
struct OpenQuantities {
    std::vector<std::string> paths;
    bool inputs = false;  // the inputs of the model too, before the others; they need no value then
    double time = 0;      // at which inputs have the values that count
    // Derivatives of the outputs by what is open; without `outputs` of those of the model.
    bool derivatives = true;
    std::vector<std::string> outputs;
    bool start = false;  // those of the initialization too
};

struct TranslationQuestion {
    std::string model;  // empty: the default one
    Experiment experiment;
    TransformOptions transform;
    JacobianKind jacobian = JacobianKind::None;
    std::optional<OpenQuantities> open;
    // Varied quantities, of which the experiment says nothing, and the values of one run.
    std::vector<VariedQuantity> varied;
    std::vector<double> values;
    // The Translation tells for which other values of parameters (of the varied ones, if there are any) it is
    // valid, where that can be said.
    bool other_values = false;
    // The run, of an initial equilibrium that is looked for by way of the motion too (equilibrium_start.h).
    const SimulateOptions* run = nullptr;
};

// Whether a translation can be valid for other values than its own: what sorting decides by values is known
// (Partition::decisions), but other initializations and a choice of boundary variables are found by values
// that no decision tells of.
bool may_have_other_values(const Experiment& experiment, const TransformOptions& transform);

// The second half of a question, about a flat model.
struct ProgramQuestion {
    TransformOptions transform;
    JacobianKind jacobian = JacobianKind::None;
    std::vector<VariableIndex> given;  // parameters that the Program does not compute
    std::optional<DerivativeRequest> derivatives;
};

}  // namespace cutset

// A model as a linear system at an operating point, with its modes.
#pragma once

#include <optional>
#include <vector>

#include "control/modes.h"
#include "operations/linearize/linear_model.h"

namespace cutset {

struct LinearizationStudy {
    LinearModel model;
    std::optional<std::vector<Mode>> modes;  // none of the descriptor form and of very large models
    double residual() const;                 // the largest derivative of a state at the point
};
// A point at which states move is reported as a note. Nothing when errors were reported.
std::optional<LinearizationStudy> linearization_study(LinearQuestion question, Workspace& workspace);

}  // namespace cutset

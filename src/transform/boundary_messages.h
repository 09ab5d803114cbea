// What the choice of boundary variables says to the modeller.
#pragma once

#include <string>

#include "transform/choose_known.h"

namespace cutset::boundary_messages {

// Knowns that cannot be chosen together.
Diagnostic conflict(const FlatModel& model, const BoundaryReport& report, std::size_t which);
// The choice leaves variables undetermined.
Diagnostic missing(const FlatModel& model, const BoundaryReport& report);
// A loose end that no longer holds.
Diagnostic lifted(const FlatModel& model, const BoundaryReport::Lifted& lifted);
// A parameter that shapes the model cannot be an unknown.
Diagnostic structural_unknown(const FlatModel& model, VariableIndex v);

// Quantities that a question leaves open (leave_open.h).
Diagnostic open_unknown_name(const std::string& path, const std::string& near);
Diagnostic open_shapes_model(const FlatModel& model, VariableIndex v);
Diagnostic open_not_free(const FlatModel& model, VariableIndex v);
Diagnostic open_not_started(const FlatModel& model, VariableIndex v);

}  // namespace cutset::boundary_messages

// What is said about derivatives of runs.
#pragma once

#include <string>

#include "base/diagnostic.h"
#include "ir/flat_model.h"

namespace cutset::sensitivity_messages {

Diagnostic no_variable(const std::string& path, const std::string& near);
Diagnostic run_failed(const std::string& problem);
Diagnostic impure(const FunctionData& function);
// Results jump when the parameters change.
Diagnostic no_derivative(const std::string& reason);
Diagnostic inexact_derivatives(const std::string& reason, const std::string& instead);
Diagnostic not_differentiable();

}  // namespace cutset::sensitivity_messages

// Where a linear system comes from: a model that is linearised, a file of matrices or of a transfer function,
// or text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "control/linear_system.h"
#include "translate/model_request.h"

namespace cutset {

// `file` is a model, or a linear system: .json, .mat, .mim.
struct LinearRequest : ModelRequest {
    std::string tf;                            // a transfer function as text, instead of a file
    std::vector<std::string> inputs, outputs;  // by name or number; empty: all
    std::string at;                            // steady, start, time=T, a file; empty: steady, else the start
    std::optional<double> sample_time;         // for functions of z
    std::optional<int> pade;                   // order, for delays
    bool symbolic = false;                     // parameters of a model stay symbols
};

// Whether a system without inputs or outputs is an error.
enum class Signals { Needed, NotNeeded };

// The system with the inputs and outputs asked for, as it is given: transfer functions stay exact. Nothing
// when errors were reported.
std::optional<LinearSystem> open_linear(const LinearRequest& request, Workspace& workspace,
                                        Signals needed = Signals::Needed);

// The same in state space.
std::optional<StateSpace> open_state_space(const LinearRequest& request, Workspace& workspace,
                                           Signals needed = Signals::Needed);

// "y from u", for titles.
std::string channel_name(const std::string& output, const std::string& input);

}  // namespace cutset

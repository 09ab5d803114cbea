// Where a linear system comes from: a model that is linearised, a file of matrices or of a transfer function,
// or text.
//
//     struct PolesOptions : LinearOptions { … };
//     add_linear_options(command, *options);
//     …
//     Workspace workspace;
//     if (const auto system = open_state_space(options, workspace)) { … }
//     return finish(workspace, options);
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "control/state_space.h"
#include "model/model_options.h"
#include "results/linear_file.h"

namespace cutset::cli {

struct LinearOptions : ModelOptions {
    std::string tf;                            // a transfer function as text
    std::vector<std::string> inputs, outputs;  // empty: all
    std::string at;                            // steady, start, time=T, a file; empty: steady, else the start
    std::optional<double> sample_time;         // for functions of z
    std::optional<int> pade;                   // order, for delays
    bool symbolic = false;                     // parameters of a model stay symbols
};

void add_linear_options(Command& command, LinearOptions& options);

// The system with the inputs and outputs asked for, as it is given: transfer functions stay exact. Nothing
// when errors were reported. `need_signals`: a system without inputs or outputs is an error.
std::optional<LinearSystem> open_linear(const LinearOptions& options, Workspace& workspace,
                                        bool need_signals = true);

// The same in state space.
std::optional<StateSpace> open_state_space(const LinearOptions& options, Workspace& workspace,
                                           bool need_signals = true);

// "y from u", for titles.
std::string channel_name(const std::string& output, const std::string& input);

}  // namespace cutset::cli

// Options of a run, shared by `simulate` and `sweep`, and Ctrl-C.
#pragma once

#include <optional>
#include <string>

#include "commands.h"
#include "native/engine.h"
#include "operations/simulate.h"

namespace cutset::cli {

Diagnostic bad_option(std::string message, std::string help = {});
// The experiment, or nothing with the reason reported.
std::optional<SimulateOptions> experiment_options(const SimulateCommand& command, Diagnostics& diagnostics);
Engine engine_of(const SimulateCommand& command);
const char* outcome_name(RunOutcome outcome);

// The first Ctrl-C stops the run (SimulateOptions::interrupt is set by experiment_options), a second one the
// program.
void catch_interrupt();
void release_interrupt();
bool was_interrupted();
void ask_to_stop();  // as Ctrl-C does

}  // namespace cutset::cli

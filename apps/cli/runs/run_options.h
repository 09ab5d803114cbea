// Options of a run, shared by commands that simulate, and Ctrl-C.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "model/model_options.h"
#include "native/engine.h"
#include "run/simulate.h"

namespace cutset::cli {

// How to run a model.
struct RunOptions : ModelOptions {
    std::optional<double> start, stop, step, tolerance, absolute;
    std::optional<double> points;
    std::optional<double> step_size, max_step, local_tolerance;
    std::optional<StepControl> step_control;  // none: Gustafsson's
    Engine engine = Engine::Auto;
    std::vector<std::string> plot;  // names, or y(x)
    bool every_step = false;
    bool states = false;
    bool strict = false;
};
// Apart from those of add_model_options, and without --plot.
void add_run_options(Command& command, RunOptions& options);

// Fills what the command line left open from the experiment line of the model's file.
bool apply_experiment_line(const std::vector<std::string>& words, RunOptions& options, std::string& problem);
// The experiment, or nothing with the reason reported.
std::optional<SimulateOptions> experiment_options(const RunOptions& command, Diagnostics& diagnostics);

// The first Ctrl-C, SIGTERM or SIGHUP stops the run (SimulateOptions::interrupt is set by
// experiment_options), a second one the program.
void catch_interrupt();
void release_interrupt();
bool interrupt_is_due();  // Ctrl-C was pressed and the run goes on
bool was_interrupted();
void ask_to_stop();                         // as Ctrl-C does
const std::atomic<bool>* interrupt_flag();  // for the options of library calls

}  // namespace cutset::cli

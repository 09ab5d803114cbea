// Options of a run, shared by commands that simulate, and Ctrl-C.
#pragma once

#include <atomic>
#include <concepts>
#include <optional>
#include <string>
#include <vector>

#include "model/model_options.h"
#include "translate/run_request.h"

namespace cutset::cli {

struct RunOptions : RunRequest, OutputOptions {};
// Apart from those of add_model_options, and without --plot.
void add_run_options(Command& command, RunRequest& options);

// Fills what the command line left open from the experiment line of the model's file. Curves that it proposes
// are for the terminal.
template <class Options>
requires std::derived_from<Options, RunRequest> && std::derived_from<Options, OutputOptions>
bool apply_experiment_line(const ModelText& text, Options& options, Diagnostics& diagnostics) {
    const bool curves_asked = !options.plot.empty();
    if (!cutset::apply_experiment_line(text, static_cast<RunRequest&>(options), diagnostics)) return false;
    if (!curves_asked && (options.quiet || options.json)) options.plot.clear();
    return true;
}
// The experiment, which Ctrl-C interrupts, or nothing with the reason reported.
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

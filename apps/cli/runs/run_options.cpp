#include "runs/run_options.h"

#include <fmt/format.h>

#include <atomic>
#include <csignal>

namespace cutset::cli {

namespace {

std::atomic<bool> interrupted{false};
std::atomic<bool> signalled{false};  // by Ctrl-C, SIGTERM or SIGHUP, and not stopped yet

void listen_to_signals(void (*handler)(int)) {
    std::signal(SIGINT, handler);
    std::signal(SIGTERM, handler);
    std::signal(SIGHUP, handler);
}

extern "C" void on_interrupt(int) {
    interrupted = true;
    signalled = true;
    listen_to_signals(SIG_DFL);  // a second Ctrl-C ends the program at once
}

std::string solver_help() {
    std::string text = "integrator:";
    for (const auto& d : solver_list()) text += fmt::format(" {} ({});", d.name, d.explanation);
    text.pop_back();
    return text;
}

}  // namespace

void catch_interrupt() {
    listen_to_signals(on_interrupt);
}
void release_interrupt() {
    listen_to_signals(SIG_DFL);
    signalled = false;
}
bool interrupt_is_due() {
    return signalled;
}
bool was_interrupted() {
    return interrupted;
}
const std::atomic<bool>* interrupt_flag() {
    return &interrupted;
}
void ask_to_stop() {
    interrupted = true;
}

void add_run_options(Command& command, RunRequest& o) {
    command.option("--start", o.start, "start time (0)");
    command.option("--stop", o.stop, "stop time (start + 10)");
    command.option("--points", o.points, "number of output instants, both ends included (1001)");
    command.option("--step", o.step, "distance of output instants").excludes("--points");
    command.flag("--every-step", o.every_step, "output at the ends of the integrator's steps instead");
    command.option("--tolerance", o.tolerance, "relative tolerance (1e-6)");
    command.option("--absolute", o.absolute,
                   "absolute tolerance of all states (tolerance times nominal value)");
    command.option("--local-tolerance", o.local_tolerance,
                   "tolerance of the error of one step, as the integrator sees it (a hundredth "
                   "of --tolerance, because errors add up)");
    command.option("--solver", o.solver, solver_help()).proposes(solver_names());
    command.option("--step-size", o.step_size,
                   "step of the integrators with fixed step, rk4 and euler (as --max-step)");
    command.choice("--step-control", o.step_control,
                   {{"pi", StepControl::Gustafsson}, {"standard", StepControl::Standard}},
                   "how dopri (also within auto) chooses its steps: pi (Gustafsson's PI controller) or "
                   "standard (the classical rule)");
    command.choice("--engine", o.engine,
                   {{"auto", Engine::Auto}, {"native", Engine::Native}, {"interpret", Engine::Interpret}},
                   "how equations are evaluated: auto (interpreted at first, then machine code as it gets "
                   "ready), native (machine code from the beginning) or interpret; results are the same");
    command.option("--max-step", o.max_step,
                   "no step of the integrator is longer (a 300th of the run, a 500th where the time makes "
                   "pulses, a 20th of a period where relations could miss one)");
    command.flag("--states", o.states, "write the states only");
    command.flag("--strict", o.strict, "leaving a region of validity stops the run");
}

std::optional<SimulateOptions> experiment_options(const RunOptions& command, Diagnostics& diagnostics) {
    auto options = simulate_options(command, diagnostics);
    if (options) options->interrupt = &interrupted;
    return options;
}

}  // namespace cutset::cli

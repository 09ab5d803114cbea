// Simulation: x(t), y(t) for given parameters, inputs and initial values.
//
//   initialise:
//       parameters; initial blocks, the switches iterated to consistent values; the event at initialization
//   repeat until the stop time:
//       integrate with frozen switches to the nearest of stop, time event, crossing
//       write the output points passed, from the integrator's interpolant
//       at an event write the values before it; then repeat until nothing changes:
//           switches anew, clocks tick; when clauses whose condition became true compute new discrete
//           values, again until they agree; then reinit
//       write the values after it; restart the integrator
//
// Outputs are computed by a second interpreter, so that output points do not disturb the steps.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "generate/generate.h"
#include "generate/machine_code.h"
#include "ir/program.h"
#include "numerics/integrators/integrator.h"
#include "results/trajectory.h"

namespace cutset {

class RunObserver;
struct StartReport;  // start_report.h
struct RunPoint;     // run_point.h

// The Program of one mode: a model whose conditions are fixed, made of `source`, the equations of all modes.
// Nothing when errors were reported.
using TranslateMode = std::function<std::shared_ptr<const Program>(
    FlatModel mode, const std::shared_ptr<const FlatModel>& source, Diagnostics& diagnostics)>;

struct SimulateOptions {
    double start = 0;
    double stop = 10;
    std::size_t points = 1001;   // output instants, both ends included
    std::optional<double> step;  // distance of output instants instead
    bool every_step = false;     // output at the ends of the integrator's steps instead
    double tolerance = 1e-6;
    std::optional<double> absolute;
    std::optional<double> local_tolerance;  // of one step, instead of a hundredth of `tolerance`
    Solver solver = Solver::Auto;
    std::optional<double> step_size;  // of integrators with fixed step
    std::optional<double> max_step;   // of the others; a small part of the run
    StepControl step_control = StepControl::Gustafsson;
    std::function<void(const TriedStep&)> tried_step;
    bool strict = false;            // leaving a region of validity stops the run
    bool states_only = false;       // results hold the states and no other variables
    bool internal_columns = false;  // … and what is not shown otherwise, such as quantities of the experiment
    bool allow_external = false;
    // Values of parameters instead of those that the Program computes, or for which it was generated without
    // them. The Program must be valid for these values (translate/valid_values.h).
    std::vector<std::pair<VariableIndex, double>> given;
    // Initial values instead of those that the Program has, by rising variable. Only of states whose initial
    // value is a block of its own, and of discrete variables.
    std::vector<std::pair<VariableIndex, double>> given_starts;
    // Where the initialization begins to search, of variables that no condition determines by itself; by
    // rising variable.
    std::vector<std::pair<VariableIndex, double>> guesses;
    StartReport* start_report = nullptr;  // filled by the initialization, also where it fails
    bool keep_point = false;              // where the run ends is asked for
    // The run stands still, as if it were interrupted, at the end of the first step that gets there.
    std::optional<double> pause;
    // Asked after every step; where it says so `checkpoint` gets the point of the run, which goes on.
    std::function<bool()> checkpoint_due;
    std::function<void(const RunPoint& point)> checkpoint;
    bool measure_times = false;  // RunSummary::times and those of the integrator
    // Makes the Programs of modes during the run, for which its Program must have the values of all
    // parameters (translate/translate_mode.h). Without it the run stops with RunSummary::needs_mode where the
    // equations of all modes together cannot go on.
    TranslateMode translate_mode;
    // Of the Program to be run, see native/engine.h; without it everything is interpreted.
    std::shared_ptr<MachineCode> machine_code;
    const std::atomic<bool>* interrupt = nullptr;
    std::function<void(double time)> progress;
    RunObserver* observer = nullptr;  // see run_observer.h
};

enum class RunOutcome { Finished, Terminated, Interrupted, Failed };

// Seconds.
struct RunTimes {
    double initialise = 0;  // initialization, its row included
    double events = 0;
    double output = 0;
    double run = 0;  // from the start to the last row, all in all
};

struct RunSummary {
    RunOutcome outcome = RunOutcome::Failed;
    double time = 0;  // reached
    std::size_t events = 0;
    std::size_t rows = 0;
    IntegratorStatistics integrator;
    // Loops, while integrating: nonlinear ones solved, Newton iterations for that, factorisations of linear
    // ones.
    std::size_t loop_solutions = 0, loop_iterations = 0, loop_factorisations = 0;
    std::string first_method;  // of integration; empty when none began
    SolverSwitches switches;
    RunTimes times;
    bool needs_mode = false;
};

// What the method needs of a Program.
JacobianKind jacobian_for(Solver solver);

// Where the rows go. A returned text is a problem (disk full …) that stops the run.
class RowSink {
  public:
    virtual ~RowSink() = default;
    virtual std::optional<std::string> begin(const Columns& columns) = 0;
    virtual std::optional<std::string> row(std::span<const double> values) = 0;
};

// Failures are reported as diagnostics with time, equation and values; rows written before a failure stay
// valid.
RunSummary simulate(const Program& program, const SimulateOptions& options, RowSink& sink,
                    Diagnostics& diagnostics);

// The same, and where it stands at its end (with SimulateOptions::keep_point also after an interruption or a
// failure); nothing when it could not begin.
RunSummary simulate(const Program& program, const SimulateOptions& options, RowSink& sink,
                    Diagnostics& diagnostics, std::optional<RunPoint>& end);
// From there on, with the values of parameters and initial values that the options give. The first row is
// that of the point; output points are counted from options.start. With the same settings and nothing changed
// the rows after it are those of the run that was not interrupted, to the bit.
RunSummary simulate_from(const Program& program, const SimulateOptions& options, const RunPoint& from,
                         RowSink& sink, Diagnostics& diagnostics, std::optional<RunPoint>& end);

// The initial point of a run, and a point after the changes since; nothing when that failed, with the reason
// reported.
std::optional<RunPoint> start_point(const Program& program, const SimulateOptions& options,
                                    Diagnostics& diagnostics);
std::optional<RunPoint> settled_point(const Program& program, const SimulateOptions& options,
                                      const RunPoint& from, Diagnostics& diagnostics);
// By variable, as they are in such a run; of variables that are no parameters whatever they are.
std::vector<double> parameter_values(const Program& program, const SimulateOptions& options);

}  // namespace cutset

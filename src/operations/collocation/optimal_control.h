// Optimal control: the inputs, parameters and duration for which an output of a model is least at the end.
//
//   guess from a simulation or a result; mesh of equal intervals
//   repeat
//       transcribe (control_transcription.h), solve by Ipopt
//       estimate by how much the polynomials miss the equations between the points, interval by interval
//       divide the intervals that miss by more than the tolerance
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "operations/collocation/control_transcription.h"
#include "results/trajectory.h"

namespace cutset {

struct ControlQuestion {
    // By open parameter of the Program, inputs first: what the question says of it.
    struct Open {
        std::optional<double> lower, upper, guess;  // none: those of the variable
    };
    std::size_t inputs = 0;
    std::vector<Open> open;
    // Bounds of states other than those that the model declares.
    struct Bound {
        VariableIndex variable;
        Interval range;
    };
    std::vector<Bound> bounds;
    double start = 0;
    Interval duration;
    std::optional<double> duration_guess;
    std::size_t objective = 0;  // output
    bool maximize = false;
    std::vector<ControlCondition> conditions;
};

struct ControlOptions {
    std::size_t intervals = 40, stages = 3;
    std::size_t rounds = 3;  // of refining the mesh, at most
    std::size_t most_intervals = 1000;
    double tolerance = 1e-6;  // of the states, relative to their sizes
    bool exact_hessian = true;
    double smoothing = 1e-5;    // ControlProblem::smoothing, relative to the objective
    std::size_t points = 1001;  // rows of the result, about
    std::optional<Trajectory> guess;
    OptimizerOptions optimizer;
    bool allow_external = false;
    std::shared_ptr<MachineCode> machine_code;
};

struct ControlOutcome {
    OptimizerStatus status = OptimizerStatus::Failed;
    std::string message;
    double objective = 0;
    double violation = 0, stationarity = 0;
    bool exact_hessian = true;
    double error = 0;  // of the states, estimated
    struct Round {
        std::size_t intervals, iterations;
        double objective, error;
    };
    std::vector<Round> rounds;
    struct Condition {
        double value = 0;       // at the end; along the path the one nearest to or farthest beyond a bound
        double time = 0;        // of it
        double multiplier = 0;  // change of the optimum per unit of the bound; along the path its integral
        bool active = false;
    };
    std::vector<Condition> conditions;
    ControlSolution solution;
    Trajectory trajectory;
};

// Nothing when errors were reported. A problem that could not be solved is reported too, with the outcome.
std::optional<ControlOutcome> optimal_control(std::shared_ptr<const Program> program,
                                              const ControlQuestion& question, const ControlOptions& options,
                                              Diagnostics& diagnostics);

// Whether derivatives by time exist along the run: when clauses, clocks and delays are errors, conditions a
// warning.
bool check_smooth(const Partition& partition, const char* command, Diagnostics& diagnostics);

}  // namespace cutset

// The best values of parameters: of a static model, or for a whole run.
//
//     minimise  F(p)   subject to   lower <= p <= upper,  limits on numbers,  limits along the run
//
// F and the limits are made of measures of runs (criterion.h). Limits along the run are imposed on a grid of
// times, which is refined where the solution breaks them in between. Derivatives are exact: forward in time,
// or backward when there are many parameters and few numbers at the end.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "numerics/optimizer.h"
#include "operations/ensembles/parametric_runs.h"
#include "operations/estimation/criterion.h"

namespace cutset {

// "p", "p=guess", "p=lower:upper", "p=lower:upper:guess"; bounds may be left out: "p=0:".
struct ParameterRange {
    std::string path;
    std::optional<double> lower, upper, guess;
};
std::optional<ParameterRange> parse_range(const std::string& option, const std::string& text,
                                          Diagnostics& diagnostics);
// Ranges by open parameter: those of `given` (an array has one for all its elements), else those that the
// model declares; guesses inside. False when errors were reported.
bool complete_ranges(const std::vector<ParameterRange>& given, const std::string& option,
                     const std::vector<OpenParameter>& parameters, std::vector<ParameterRange>& complete,
                     Diagnostics& diagnostics);

struct OptimizeSettings {
    ParametricSettings runs;  // its `open` is made of `over`
    std::vector<ParameterRange> over;
    std::string objective;
    bool maximize = false;
    std::vector<std::string> limits, end_limits;
    std::optional<OptimizerMethod> method;  // none: by gradients, or without where there are none
    std::size_t starts = 1;
    double tolerance = 1e-6;  // of the optimum, relative
    std::size_t max_iterations = 500;
    std::size_t grid = 100;  // intervals of limits along the run, at first
    std::optional<ParametricRuns::Derivatives> derivatives;
    std::function<void(std::size_t runs, double objective, double violation)> progress;
};

struct OptimizedValue {
    OpenParameter parameter;
    double value = 0, before = 0;
    double lower = -unlimited, upper = unlimited;
    double multiplier = 0;  // change of the optimum per unit of the bound that holds it
    bool at_lower = false, at_upper = false;
    bool acts = true;  // else nothing depends on it, and it has its first value
};

struct OptimizedLimit {
    std::string text, left;
    double value = 0;  // along the run: the one nearest to or farthest beyond the bound
    double bound = 0;
    std::optional<double> time;  // of it, along the run
    double multiplier = 0;       // change of the optimum per unit of the bound
    bool active = false, kept = true;
};

struct OptimizeResult {
    OptimizerStatus status = OptimizerStatus::Failed;
    std::string message;
    double objective = 0, before = 0;
    bool objective_known_before = false;
    std::vector<OptimizedValue> values;
    std::vector<OptimizedLimit> limits;
    std::size_t iterations = 0, runs = 0;
    double violation = 0;
    std::string method, derivatives;
    std::vector<double>
        starts;  // the objectives that several initial values led to; NaN where none was found
    std::unique_ptr<ParametricRuns> model;
};

// Nothing when errors were reported to the workspace; whether an optimum was found is in the status, and
// reported too.
std::optional<OptimizeResult> optimize_parameters(Workspace& workspace, const OptimizeSettings& settings);

}  // namespace cutset

// Estimation of parameters from measured data by least squares, several experiments at once.
//
//     min over p of the sum over experiments, variables and samples of (w (y(t_k; p) - measured_k))²
//
// Each experiment is a run of its own, with its own inputs from the data and its own values of the parameters
// that are `local`; derivatives are exact.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "control/least_squares.h"
#include "operations/ensembles/parametric_runs.h"
#include "operations/estimation/optimize.h"
#include "results/trajectory.h"

namespace cutset {

struct FitSettings {
    ParametricSettings runs;  // without `open`; the stop time is that of the data
    std::vector<std::string> files;
    std::vector<ParameterRange> over;
    std::vector<ParameterRange> local;                         // one value for each experiment
    std::vector<std::pair<std::string, std::string>> matches;  // column, variable
    std::vector<std::pair<std::string, double>> weights;       // variable, one over standard deviation
    int max_iterations = 200;
    double tolerance = 1e-8;
    std::function<void(int iteration, double sum_of_squares)> progress;
};

struct FittedSeries {
    std::string file, column, variable, unit;
    double weight = 1;
    std::vector<double> times, measured, fitted, residuals;  // residuals without weight: measured - fitted
    double rms = 0, largest = 0, mean = 0;
    double determination = 0;  // R²: 1 - residual sum of squares over that about the mean
    double correlation = 0;    // from one residual to the next
};

struct FitResult {
    LeastSquaresStatus status = LeastSquaresStatus::Undefined;
    std::vector<OpenParameter> parameters;  // local ones once for each experiment, path "x(0), file"
    std::vector<double> before, values;
    std::vector<std::optional<std::size_t>> experiment;  // of local ones
    std::vector<bool> at_bound;
    Uncertainty uncertainty;
    bool known_variance = false;
    double sum_of_squares = 0;
    std::size_t samples = 0;
    int iterations = 0;
    std::size_t runs = 0;
    std::vector<FittedSeries> series;
    std::string derivatives;
    // By experiment: the model, and the numbers of its parameters among all.
    std::vector<std::unique_ptr<ParametricRuns>> models;
    std::vector<std::vector<std::size_t>> places;
};

// Nothing when errors were reported.
std::optional<FitResult> fit(Workspace& workspace, const FitSettings& settings);

}  // namespace cutset

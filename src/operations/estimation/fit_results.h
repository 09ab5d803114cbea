// What a fit found, as a plot and as a table.
#pragma once

#include "operations/estimation/fit.h"
#include "results/plot.h"
#include "results/trajectory.h"

namespace cutset {

// Samples as dots, the model as curves; each model is run once more.
Plot fit_plot(const FitResult& result);

// A row for each sample: series, measured, fitted, residual.
Trajectory residual_table(const FitResult& result);

}  // namespace cutset

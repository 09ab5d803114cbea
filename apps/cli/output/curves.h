// What to draw: names of curves on the command line, their columns, plots on the terminal and to files.
#pragma once

#include <string>
#include <vector>

#include "base/split_names.h"
#include "ir/partition.h"
#include "results/plot.h"
#include "results/select_columns.h"
#include "results/trajectory.h"

namespace cutset::cli {

std::vector<std::string> variable_paths(const Partition& partition);
// "did you mean x?", or "".
std::string suggestion(const std::string& name, const std::vector<std::string>& candidates);

// As wide and high as suits the terminal, with what it can show.
TerminalStyle plot_style();
// Draws a plot on the terminal.
void print_plot(const Plot& plot);

// Draws the curves on the terminal.
void print_curves(const Trajectory& result, const std::vector<std::string>& curves, const std::string& title);

}  // namespace cutset::cli

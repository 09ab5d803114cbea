// What bode, nyquist and nichols share: which transfer functions to show, at which frequencies, and what to
// say of the loop.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "control/margins.h"
#include "linear/linear_source.h"
#include "results/plot.h"

namespace cutset::cli {

struct FrequencyOptions : LinearOptions {
    std::vector<std::string> also;   // further systems: transfer functions as text, or files
    std::optional<double> from, to;  // rad/s
    std::optional<int> points;
    std::string output, title;
    bool hertz = false;
    bool no_margins = false;
};
void add_frequency_options(Command& command, FrequencyOptions& options);

struct Channel {
    std::string name, input, output;
    std::optional<TransferFunction> function;  // none for very large systems
    std::vector<FrequencyPoint> points;
    std::optional<Margins> margins;
};

// All channels at their common frequencies. Nothing when errors were reported.
std::optional<std::vector<Channel>> open_channels(const FrequencyOptions& options, Workspace& workspace);

double decibel(double log_magnitude);
double degrees(double radians);

// What one command makes of the channels: a picture, columns of its JSON, words about each loop.
struct FrequencyCurves {
    Plot (*plot)(const std::vector<Channel>&, const FrequencyOptions&);
    std::vector<std::pair<const char*, double (*)(const FrequencyPoint&)>> columns;
    std::string (*text)(const Channel&, const FrequencyOptions&);  // channels with margins only
};
// The whole command. Returns the exit status.
int show_frequency_curves(const FrequencyOptions& options, const FrequencyCurves& curves);

}  // namespace cutset::cli

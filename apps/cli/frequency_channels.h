// What bode, nyquist and nichols share: which transfer functions to show, at which frequencies, and what to
// say of the loop.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "control/loop_margins.h"
#include "linear_source.h"
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
    std::optional<LoopMargins> margins;
};

// All channels at their common frequencies. Nothing when errors were reported.
std::optional<std::vector<Channel>> open_channels(const FrequencyOptions& options, Workspace& workspace);

double decibel(double log_magnitude);
double degrees(double radians);
// "x [rad/s]"
std::string frequency_text(double frequency, const FrequencyOptions& options);

Json margins_json(const LoopMargins& margins);
// The lines about margins and the closed loop.
std::string margins_text(const LoopMargins& margins, const FrequencyOptions& options);

}  // namespace cutset::cli

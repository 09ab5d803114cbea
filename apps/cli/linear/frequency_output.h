// What bode, nyquist and nichols share: their options, and how channels are shown.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "linear/linear_options.h"
#include "operations/linear/frequency_study.h"
#include "results/plot.h"

namespace cutset::cli {

struct FrequencyOptions : FrequencyRequest, OutputOptions {
    std::string output, title;  // of the picture
    bool hertz = false;
    bool no_margins = false;
};
void add_frequency_options(Command& command, FrequencyOptions& options);

// What one command makes of the channels: a picture, columns of its JSON, words about each loop.
struct FrequencyCurves {
    Plot (*plot)(const FrequencyStudy&, bool hertz);
    std::vector<std::pair<const char*, double (*)(const FrequencyPoint&)>> columns;
    std::string (*text)(const Channel&, bool hertz);  // channels with margins only
};
// The whole command. Returns the exit status.
int show_frequency_curves(FrequencyOptions options, const FrequencyCurves& curves);

}  // namespace cutset::cli

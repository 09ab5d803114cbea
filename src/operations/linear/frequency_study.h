// Frequency responses of all channels of one or several systems, with the margins of each as a loop: what
// Bode, Nyquist and Nichols diagrams show.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "control/margins.h"
#include "operations/linear/linear_source.h"

namespace cutset {

struct FrequencyRequest : LinearRequest {
    std::vector<std::string> also;   // further systems: transfer functions as text, or files
    std::optional<double> from, to;  // rad/s
    std::optional<int> points;       // to begin with
    bool margins = true;             // of each channel as a loop
};

// From one input to one output.
struct Channel {
    std::string name, input, output;
    std::optional<TransferFunction> function;  // none for very large systems
    std::vector<FrequencyPoint> points;
    std::optional<Margins> margins;
};

struct FrequencyStudy {
    std::vector<Channel> channels;
    bool from_given = false, to_given = false;  // the ends of the range are those of the request
    // Of the first system.
    std::optional<double> sample_time() const;
};
// All channels at their common frequencies; those whose transfer function is zero are left out. Nothing when
// errors were reported.
std::optional<FrequencyStudy> frequency_study(const FrequencyRequest& request, Workspace& workspace);

// The largest magnitude of L/(1 + L) at the frequencies of the channel; none where the closed loop is not
// stable or was not looked at.
struct Peak {
    double magnitude = 0, frequency = 0;
};
std::optional<Peak> closed_loop_peak(const Channel& channel);

// The margins of a loop with one input and one output.
std::optional<Margins> loop_margins(const LinearRequest& request, Workspace& workspace);

double decibel(double log_magnitude);
double degrees(double radians);

}  // namespace cutset

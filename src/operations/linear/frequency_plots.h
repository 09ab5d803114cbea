// Diagrams of frequency responses.
#pragma once

#include "operations/linear/frequency_study.h"
#include "results/plot.h"

namespace cutset {

// Magnitude and phase over the frequency, in rad/s or Hz; of a single loop with its margins.
Plot bode_plot(const FrequencyStudy& study, bool hertz);
// L(jw) in the complex plane, negative frequencies dashed.
Plot nyquist_plot(const FrequencyStudy& study);
// Magnitude over phase, with lines of constant closed-loop magnitude and phase.
Plot nichols_plot(const FrequencyStudy& study);

}  // namespace cutset

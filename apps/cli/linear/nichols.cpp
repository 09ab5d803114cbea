// cutset nichols: magnitude over phase, with lines of constant closed-loop magnitude and phase.
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "commands.h"
#include "linear/frequency_output.h"
#include "linear/margins_output.h"
#include "operations/linear/frequency_plots.h"

namespace cutset::cli {

namespace {

// The largest closed-loop magnitude is where the curve touches the innermost line.
std::string peak_text(const Channel& c, bool hertz) {
    const std::string out = margins_text(*c.margins, hertz);
    const auto peak = closed_loop_peak(c);
    if (!peak) return out;
    return out + fmt::format("  closed-loop peak {:.4g} dB at {}\n", 20 * std::log10(peak->magnitude),
                             frequency_text(peak->frequency, hertz));
}

}  // namespace

void add_nichols(CommandLine& line) {
    auto o = std::make_shared<FrequencyOptions>();
    Command& c = line.add(
        "nichols", groups::linear, "Nichols diagram: magnitude over phase, with closed-loop lines", [o] {
            return show_frequency_curves(
                *o, {[](const FrequencyStudy& study, bool) { return nichols_plot(study); },
                     {{"magnitude_db", [](const FrequencyPoint& p) { return decibel(p.log_magnitude); }},
                      {"phase", [](const FrequencyPoint& p) { return degrees(p.phase); }}},
                     peak_text});
        });
    add_frequency_options(c, *o);
    c.footer(
        "Examples:\n"
        "  cutset nichols --tf \"10/(s*(s+1)*(s+5))\" -o nichols.svg\n"
        "Grey: closed-loop magnitude 6, 3, 1, 0.25, 0, -1, -3, -6, -12, -20, -40 dB and lines of closed-loop "
        "phase.");
}

}  // namespace cutset::cli

// cutset bode: magnitude and phase over the frequency.
#include <cmath>
#include <memory>

#include "commands.h"
#include "linear/frequency_output.h"
#include "linear/margins_output.h"
#include "operations/linear/frequency_plots.h"

namespace cutset::cli {

void add_bode(CommandLine& line) {
    auto o = std::make_shared<FrequencyOptions>();
    Command& c = line.add(
        "bode", groups::linear, "Bode diagram: magnitude and phase over frequency, with margins", [o] {
            return show_frequency_curves(
                *o,
                {bode_plot,
                 {{"magnitude", [](const FrequencyPoint& p) { return std::exp(p.log_magnitude); }},
                  {"magnitude_db", [](const FrequencyPoint& p) { return decibel(p.log_magnitude); }},
                  {"phase", [](const FrequencyPoint& p) { return degrees(p.phase); }}},
                 [](const Channel& channel, bool hertz) { return margins_text(*channel.margins, hertz); }});
        });
    add_frequency_options(c, *o);
    c.footer(
        "Examples:\n"
        "  cutset bode --tf \"10/(s*(s+1)*(s+5))\" -o loop.svg\n"
        "  cutset bode motor.dym --inputs u --outputs w --hz\n"
        "  cutset bode --tf \"1/(s^2+0.1*s+1)\" --also \"1/(s^2+s+1)\"\n"
        "  cutset bode --tf \"exp(-0.2*s)/(s+1)\" --json\n"
        "The phase is continuous and counted from the poles and zeros: an integrator begins at -90°, a "
        "negative gain at -180°.");
}

}  // namespace cutset::cli

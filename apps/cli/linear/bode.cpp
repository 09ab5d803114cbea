// cutset bode: magnitude and phase over the frequency.
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "commands.h"
#include "linear/frequency_channels.h"
#include "linear/margins_output.h"

namespace cutset::cli {

namespace {

Plot bode_plot(const std::vector<Channel>& channels, const FrequencyOptions& options) {
    Plot plot;
    plot.title = options.title;
    plot.x_label = "frequency";
    plot.x_unit = options.hertz ? "Hz" : "rad/s";
    plot.logarithmic_x = true;
    const double scale = options.hertz ? 1 / (2 * std::numbers::pi) : 1;
    for (const char* part : {"magnitude", "phase"}) {
        const bool magnitude = part[0] == 'm';
        for (std::size_t i = 0; i < channels.size(); ++i) {
            Curve curve;
            curve.label = magnitude ? channels[i].name : "";
            curve.unit = magnitude ? "dB" : "°";
            curve.quantity = part;
            curve.colour = i;
            for (const FrequencyPoint& p : channels[i].points) {
                curve.x.push_back(p.frequency * scale);
                curve.y.push_back(magnitude ? decibel(p.log_magnitude) : degrees(p.phase));
            }
            plot.curves.push_back(std::move(curve));
        }
    }
    if (channels.size() != 1 || !channels[0].margins || !channels[0].function) return plot;
    // Margins: the points and the lines they are measured from.
    const Margins& m = *channels[0].margins;
    const double low = channels[0].points.front().frequency, high = channels[0].points.back().frequency;
    const auto inside = [&](double w) { return w >= low && w <= high; };
    const auto guide = [&](double from_x, double from_y, double to_x, double to_y, const std::string& unit) {
        Curve c;
        c.unit = unit;
        c.x = {from_x * scale, to_x * scale};
        c.y = {from_y, to_y};
        c.guide = true;
        c.dashed = true;
        plot.curves.push_back(std::move(c));
    };
    if (m.phase && inside(m.phase->frequency)) {
        const double w = m.phase->frequency, phase = degrees(frequency_point(*channels[0].function, w).phase);
        guide(low, 0, high, 0, "dB");
        guide(low, phase - m.phase->degrees, high, phase - m.phase->degrees, "°");
        guide(w, phase - m.phase->degrees, w, phase, "°");
        plot.marks.push_back({w * scale, 0, MarkKind::Dot, "dB", "", {}});
        plot.marks.push_back(
            {w * scale, phase, MarkKind::Dot, "°", fmt::format("{:.3g}°", m.phase->degrees), {}});
    }
    if (m.gain && inside(m.gain->frequency)) {
        const double w = m.gain->frequency, magnitude = -20 * std::log10(m.gain->factor);
        const double phase = degrees(frequency_point(*channels[0].function, w).phase);
        if (!m.phase || !inside(m.phase->frequency)) guide(low, 0, high, 0, "dB");
        guide(w, 0, w, magnitude, "dB");
        plot.marks.push_back(
            {w * scale, magnitude, MarkKind::Circle, "dB", fmt::format("{:.3g} dB", -magnitude), {}});
        plot.marks.push_back({w * scale, phase, MarkKind::Circle, "°", "", {}});
    }
    return plot;
}

}  // namespace

void add_bode(CommandLine& line) {
    auto o = std::make_shared<FrequencyOptions>();
    Command& c = line.add(
        "bode", groups::linear, "Bode diagram: magnitude and phase over frequency, with margins", [o] {
            return show_frequency_curves(
                *o, {bode_plot,
                     {{"magnitude", [](const FrequencyPoint& p) { return std::exp(p.log_magnitude); }},
                      {"magnitude_db", [](const FrequencyPoint& p) { return decibel(p.log_magnitude); }},
                      {"phase", [](const FrequencyPoint& p) { return degrees(p.phase); }}},
                     [](const Channel& channel, const FrequencyOptions& options) {
                         return margins_text(*channel.margins, options.hertz);
                     }});
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

// cutset nichols: magnitude over phase, with lines of constant closed-loop magnitude and phase.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "commands.h"
#include "linear/frequency_channels.h"
#include "linear/margins_output.h"

namespace cutset::cli {

namespace {

using std::numbers::pi;

// Open loop L = T/(1 - T) along closed-loop values T, phases in (-360, 0).
Curve grid_curve(const std::vector<Complex>& closed, double shift) {
    Curve c;
    c.guide = true;
    double last = 0;
    for (const Complex& t : closed) {
        const Complex open = t / (1.0 - t);
        double phase = std::arg(open) * 180 / pi;
        if (phase > 0) phase -= 360;
        if (!c.x.empty() && std::fabs(phase - last) > 180) {
            c.x.push_back(std::nan(""));
            c.y.push_back(std::nan(""));
        }
        last = phase;
        c.x.push_back(phase + shift);
        c.y.push_back(20 * std::log10(std::abs(open)));
    }
    return c;
}

Plot nichols_plot(const std::vector<Channel>& channels, const FrequencyOptions& options) {
    Plot plot;
    plot.title = options.title;
    plot.x_label = "open-loop phase";
    plot.x_unit = "°";
    plot.height = 560;
    double low_phase = -270, high_phase = -90, low = -24, high = 24;
    for (std::size_t i = 0; i < channels.size(); ++i) {
        Curve c;
        c.label = channels[i].name;
        c.quantity = "open-loop magnitude";
        c.unit = "dB";
        c.colour = i;
        for (const FrequencyPoint& p : channels[i].points) {
            const double db = decibel(p.log_magnitude), phase = degrees(p.phase);
            c.x.push_back(phase);
            c.y.push_back(db);
            if (std::fabs(db) > 60) continue;
            low = std::min(low, db);
            high = std::max(high, db);
            low_phase = std::min(low_phase, phase);
            high_phase = std::max(high_phase, phase);
        }
        plot.curves.push_back(std::move(c));
    }
    // A delay turns on and on; the picture shows the first turns.
    low_phase = std::max(low_phase, high_phase - 900);
    low_phase = std::floor(low_phase / 45) * 45;
    high_phase = std::ceil(high_phase / 45) * 45;
    low = std::max(std::floor(low / 10) * 10, -60.0);
    high = std::min(std::ceil(high / 10) * 10, 60.0);
    plot.x_range = PlotRange{low_phase, high_phase};
    plot.y_range = PlotRange{low, high};
    const auto add_grid = [&](const std::vector<Complex>& closed, double shift) {
        Curve c = grid_curve(closed, shift);
        c.unit = "dB";
        plot.curves.push_back(std::move(c));
    };
    for (double turn = std::floor(low_phase / 360) * 360; turn < high_phase; turn += 360) {
        const double shift = turn + 360;
        for (double db : {6.0, 3.0, 1.0, 0.25, 0.0, -1.0, -3.0, -6.0, -12.0, -20.0, -40.0}) {
            std::vector<Complex> closed;
            const double m = std::pow(10, db / 20);
            const bool open_line = db <= 0;
            for (int k = open_line ? 1 : 0; k <= (open_line ? 1439 : 1440); ++k)
                closed.push_back(std::polar(m, -2 * pi * k / 1440));
            add_grid(closed, shift);
            // Labels: on top of the closed lines, near the left end of the others.
            const Curve& line = plot.curves.back();
            double x = -180 + shift, y = db > 0 ? 20 * std::log10(m / (m - 1)) : low;
            if (db <= 0) {
                x = std::max(low_phase, shift - 360) + 0.04 * (high_phase - low_phase);
                for (std::size_t k = 1; k < line.x.size(); ++k)
                    if ((line.x[k] - x) * (line.x[k - 1] - x) <= 0) y = line.y[k];
            }
            if (x > low_phase && x < high_phase && y > low && y < high - 0.02 * (high - low))
                plot.marks.push_back({x, y, MarkKind::Text, "dB", fmt::format("{:g} dB", db), {}});
        }
        for (double angle :
             {-5.0, -20.0, -45.0, -90.0, -135.0, -180.0, -225.0, -270.0, -315.0, -340.0, -355.0}) {
            std::vector<Complex> closed;
            for (double db = -70; db <= 70; db += 0.25)
                closed.push_back(std::polar(std::pow(10, db / 20), angle * pi / 180));
            for (double db = -3; db <= 3; db += 0.02)
                closed.push_back(std::polar(std::pow(10, db / 20), angle * pi / 180));
            std::sort(closed.begin(), closed.end(),
                      [](const Complex& a, const Complex& b) { return std::abs(a) < std::abs(b); });
            add_grid(closed, shift);
            plot.curves.back().dashed = true;
        }
        if (-180 + shift >= low_phase && -180 + shift <= high_phase)
            plot.marks.push_back({-180 + shift, 0, MarkKind::Plus, "dB", "", 1});
    }
    return plot;
}

std::string peak_text(const Channel& c, const FrequencyOptions& options) {
    std::string out = margins_text(*c.margins, options.hertz);
    if (!c.margins->stable()) return out;
    // The largest closed-loop magnitude is where the curve touches the innermost line.
    double peak = 0, at = 0;
    for (const FrequencyPoint& p : c.points) {
        const Complex l = std::polar(std::exp(p.log_magnitude), p.phase);
        const double t = std::abs(l / (1.0 + l));
        if (std::isfinite(t) && t > peak) peak = t, at = p.frequency;
    }
    return out + fmt::format("  closed-loop peak {:.4g} dB at {}\n", 20 * std::log10(peak),
                             frequency_text(at, options.hertz));
}

}  // namespace

void add_nichols(CommandLine& line) {
    auto o = std::make_shared<FrequencyOptions>();
    Command& c = line.add(
        "nichols", groups::linear, "Nichols diagram: magnitude over phase, with closed-loop lines", [o] {
            return show_frequency_curves(
                *o, {nichols_plot,
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

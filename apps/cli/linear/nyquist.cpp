// cutset nyquist: the curve L(jw), what it encircles, and what that says about the closed loop.
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

// Where the picture ends: all of a bounded curve, else what lies around -1.
double view_radius(const std::vector<Channel>& channels) {
    double radius = 1.3;
    for (const Channel& c : channels) {
        const auto edge = c.function ? boundary_roots(c.function->poles, c.function->sample_time)
                                     : std::vector<std::pair<double, unsigned>>();
        double largest = 0;
        for (const FrequencyPoint& p : c.points) largest = std::max(largest, std::exp(p.log_magnitude));
        if (edge.empty()) {
            radius = std::max(radius, std::min(largest, 1e6));
            continue;
        }
        double wanted = 2;
        if (c.margins)
            for (const auto& g : c.margins->gains)
                if (g.factor > 0.02) wanted = std::max(wanted, 2 / g.factor);
        radius = std::max(radius, std::min(wanted, largest));
    }
    return radius;
}

Plot nyquist_plot(const std::vector<Channel>& channels, const FrequencyOptions& options) {
    Plot plot;
    plot.title = options.title;
    plot.x_label = "real part";
    plot.equal_units = true;
    plot.height = 560;
    const double radius = view_radius(channels);
    const double far = 20 * radius;
    double left = -1.2, right = 0.2, top = 0.3;
    const auto add = [&](std::vector<Complex> values, std::size_t colour, bool dashed,
                         const std::string& label) {
        Curve c;
        c.label = label;
        c.quantity = "imaginary part";
        c.colour = colour;
        c.dashed = dashed;
        for (const Complex& v : values) {
            const bool seen = std::abs(v) <= far;
            c.x.push_back(seen ? v.real() : std::nan(""));
            c.y.push_back(seen ? v.imag() : std::nan(""));
            if (std::abs(v) <= radius * 1.0001) {
                left = std::min(left, v.real());
                right = std::max(right, v.real());
                top = std::max(top, std::fabs(v.imag()));
            }
        }
        plot.curves.push_back(std::move(c));
    };
    // Mirror images first, so that the curve itself is on top.
    for (std::size_t i = 0; i < channels.size(); ++i) {
        const TransferFunction g = channels[i].function.value_or(TransferFunction());
        const bool known = channels[i].function.has_value();
        std::vector<Complex> curve, mirrored;
        if (known && !options.from && boundary_roots(g.poles, g.sample_time).empty())
            curve.push_back(g.at_s(0.0));
        for (const FrequencyPoint& p : channels[i].points)
            if (std::isfinite(p.log_magnitude))
                curve.push_back(std::polar(std::exp(p.log_magnitude), p.phase));
        if (!options.to && !g.sample_time && g.delay == 0 && g.poles.size() > g.zeros.size())
            curve.emplace_back(0);
        for (const Complex& v : curve) mirrored.push_back(std::conj(v));
        add(mirrored, i, true, "");
        add(curve, i, false, channels[i].name);
        // Arrows, where the curve is well inside the picture.
        double length = 0;
        std::vector<double> along = {0};
        for (std::size_t k = 1; k < curve.size(); ++k) {
            if (std::abs(curve[k]) < radius && std::abs(curve[k - 1]) < radius)
                length += std::abs(curve[k] - curve[k - 1]);
            along.push_back(length);
        }
        for (double part : {0.3, 0.7}) {
            const auto at = std::lower_bound(along.begin(), along.end(), part * length) - along.begin();
            const auto k = static_cast<std::size_t>(at);
            if (k == 0 || k >= curve.size() || length < 0.2 * radius) continue;
            const Complex direction = (curve[k] - curve[k - 1]) / std::abs(curve[k] - curve[k - 1]);
            const double size = 0.035 * std::max(top, (right - left) / 2);
            for (const bool upper : {true, false}) {
                const Complex tip = upper ? curve[k] : std::conj(curve[k]);
                const Complex way = upper ? direction : -std::conj(direction);
                add({tip - size * way * std::polar(1.0, 0.45), tip,
                     tip - size * way * std::polar(1.0, -0.45)},
                    i, false, "");
            }
        }
    }
    Curve circle;
    circle.guide = true;
    circle.dashed = true;
    for (int k = 0; k <= 96; ++k) {
        circle.x.push_back(std::cos(std::numbers::pi * k / 48));
        circle.y.push_back(std::sin(std::numbers::pi * k / 48));
    }
    plot.curves.push_back(std::move(circle));
    for (const bool horizontal : {true, false}) {
        Curve axis;
        axis.guide = true;
        axis.x = horizontal ? std::vector<double>{-1e3 * radius, 1e3 * radius} : std::vector<double>{0, 0};
        axis.y = horizontal ? std::vector<double>{0, 0} : std::vector<double>{-1e3 * radius, 1e3 * radius};
        plot.curves.push_back(std::move(axis));
    }
    plot.marks.push_back({-1, 0, MarkKind::Plus, "", "-1", 1});
    const double margin_x = 0.06 * (right - left), margin_y = 0.12 * top;
    plot.x_range = PlotRange{left - margin_x, right + margin_x};
    plot.y_range = PlotRange{-top - margin_y, top + margin_y};
    return plot;
}

std::string encirclements_text(const Channel& c, const FrequencyOptions& options) {
    const Margins& m = *c.margins;
    std::string out;
    const auto edge = boundary_roots(c.function->poles, c.function->sample_time);
    for (const auto& [w, multiplicity] : edge)
        out += fmt::format(
            "  {} on the boundary at {}: passed on the right along a small half circle, the curve closes at "
            "infinity\n",
            multiplicity == 1 ? "pole" : fmt::format("{} poles", multiplicity),
            w == 0 ? std::string("0") : frequency_text(w, options.hertz));
    out += fmt::format("  open loop      {} unstable pole{} (P = {})\n",
                       m.open_loop_unstable == 0 ? "no" : std::to_string(m.open_loop_unstable),
                       m.open_loop_unstable == 1 ? "" : "s", m.open_loop_unstable);
    if (m.encirclements) {
        const int n = *m.encirclements;
        out += n == 0 ? "  encirclements  none of -1 (N = 0)\n"
                      : fmt::format("  encirclements  {} of -1, {} (N = {})\n", std::abs(n),
                                    n > 0 ? "clockwise" : "counterclockwise", n);
        if (m.closed_loop != Margins::ClosedLoop::Border) {
            out += fmt::format("  closed loop    {}: Z = N + P = {} unstable pole{}\n",
                               m.stable() ? "stable" : "unstable", *m.closed_loop_unstable,
                               *m.closed_loop_unstable == 1 ? "" : "s");
            return out + hidden_text(m);
        }
    } else if (m.closed_loop == Margins::ClosedLoop::InfinitelyUnstable) {
        out +=
            "  encirclements  without end: the curve goes round -1 again and again up to infinite "
            "frequency\n";
    } else if (m.closed_loop == Margins::ClosedLoop::IllPosed) {
        out += "  encirclements  none can be counted: the curve ends in -1 at infinite frequency\n";
    } else {
        out += "  encirclements  the curve passes through -1\n";
    }
    return out + closed_loop_text(m) + hidden_text(m);
}

}  // namespace

void add_nyquist(CommandLine& line) {
    auto o = std::make_shared<FrequencyOptions>();
    Command& c = line.add(
        "nyquist", groups::linear, "Nyquist curve, encirclements of -1, stability of the closed loop", [o] {
            return show_frequency_curves(
                *o,
                {nyquist_plot,
                 {{"real",
                   [](const FrequencyPoint& p) { return std::exp(p.log_magnitude) * std::cos(p.phase); }},
                  {"imaginary",
                   [](const FrequencyPoint& p) { return std::exp(p.log_magnitude) * std::sin(p.phase); }}},
                 encirclements_text});
        });
    add_frequency_options(c, *o);
    c.footer(
        "Examples:\n"
        "  cutset nyquist --tf \"5/((s+1)^3)\" -o nyquist.svg\n"
        "  cutset nyquist --tf \"2/(s-1)\"               an unstable plant that feedback makes stable\n"
        "  cutset nyquist loop.json --outputs y1 --inputs u1\n"
        "Dashed: negative frequencies. The loop is 1 + L = 0, with negative feedback of 1.");
}

}  // namespace cutset::cli

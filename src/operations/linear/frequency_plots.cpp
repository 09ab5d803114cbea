#include "operations/linear/frequency_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cutset {

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

// Open loop L = T/(1 - T) along closed-loop values T, phases in (-360, 0).
Curve grid_curve(const std::vector<Complex>& closed, double shift) {
    Curve c;
    c.guide = true;
    double last = 0;
    for (const Complex& t : closed) {
        const Complex open = t / (1.0 - t);
        double phase = std::arg(open) * 180 / std::numbers::pi;
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

}  // namespace

Plot bode_plot(const FrequencyStudy& study, bool hertz) {
    const std::vector<Channel>& channels = study.channels;
    Plot plot;
    plot.x_label = "frequency";
    plot.x_unit = hertz ? "Hz" : "rad/s";
    plot.logarithmic_x = true;
    const double scale = hertz ? 1 / (2 * std::numbers::pi) : 1;
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

Plot nyquist_plot(const FrequencyStudy& study) {
    const std::vector<Channel>& channels = study.channels;
    Plot plot;
    plot.x_label = "real part";
    plot.equal_units = true;
    plot.height = 560;
    const double radius = view_radius(channels);
    const double far = 20 * radius;
    double left = -1.2, right = 0.2, top = 0.3;
    const auto add = [&](const std::vector<Complex>& values, std::size_t colour, bool dashed,
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
        if (known && !study.from_given && boundary_roots(g.poles, g.sample_time).empty())
            curve.push_back(g.at_s(0.0));
        for (const FrequencyPoint& p : channels[i].points)
            if (std::isfinite(p.log_magnitude))
                curve.push_back(std::polar(std::exp(p.log_magnitude), p.phase));
        if (!study.to_given && !g.sample_time && g.delay == 0 && g.poles.size() > g.zeros.size())
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

Plot nichols_plot(const FrequencyStudy& study) {
    const std::vector<Channel>& channels = study.channels;
    Plot plot;
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
                closed.push_back(std::polar(m, -2 * std::numbers::pi * k / 1440));
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
                closed.push_back(std::polar(std::pow(10, db / 20), angle * std::numbers::pi / 180));
            for (double db = -3; db <= 3; db += 0.02)
                closed.push_back(std::polar(std::pow(10, db / 20), angle * std::numbers::pi / 180));
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

}  // namespace cutset

#include "operations/linear/pole_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cutset {

namespace {

// The part of the complex plane that is of interest: not where branches end up.
struct LocusView {
    double left = 0, right = 0, top = 0;
    bool first = true;

    void see(Complex s) {
        if (first) left = right = s.real();
        first = false;
        left = std::min(left, s.real());
        right = std::max(right, s.real());
        top = std::max(top, std::fabs(s.imag()));
    }
    // With a margin; larger, unless it is whole, for the branches that go on. The size before.
    double widen(bool whole) {
        double size = std::max({right - left, 2 * top, 1e-12});
        if (size <= 1e-12) size = 2;
        if (!whole) {
            left -= 0.35 * size;
            right += 0.25 * size;
            top = std::max(top + 0.3 * size, 0.45 * size);
        } else {
            left -= 0.06 * size;
            right += 0.06 * size;
            top += 0.06 * size;
            if (top < 0.05 * size) top = 0.2 * size;
        }
        return size;
    }
};

Plot locus_picture(const std::vector<LocusBranch>& branches, const std::vector<Complex>& poles,
                   const std::vector<Complex>& zeros, const RootLocus* locus,
                   const std::vector<RootLocus::Crossing>& crossings, std::optional<double> sample_time,
                   const std::string& parameter, bool coloured, bool whole) {
    Plot plot;
    plot.x_label = "real part";
    plot.equal_units = true;
    plot.height = 560;
    LocusView view;
    for (const Complex& s : poles) view.see(s);
    for (const Complex& s : zeros) view.see(s);
    for (const auto& c : crossings) view.see(c.root), view.see(std::conj(c.root));
    if (locus)
        for (const auto& m : locus->meetings) view.see(m.root);
    if (locus && locus->asymptotes) view.see(locus->asymptotes->center);
    if (sample_time) view.see(1.0), view.see(-1.0), view.see({0, 1});
    if (whole)
        for (const LocusBranch& b : branches)
            for (const Complex& s : b.root) view.see(s);
    if (!sample_time) view.see(0.0);
    const double size = view.widen(whole);
    plot.x_range = PlotRange{view.left, view.right};
    plot.y_range = PlotRange{-view.top, view.top};
    const double far = 30 * size;
    for (std::size_t i = 0; i < branches.size(); ++i) {
        Curve c;
        c.quantity = "imaginary part";
        c.colour = i % 6;
        if (branches.size() > 12 || !coloured) c.colour = 0;
        for (const Complex& s : branches[i].root) {
            const bool seen = std::abs(s - Complex((view.left + view.right) / 2, 0)) < far;
            c.x.push_back(seen ? s.real() : std::nan(""));
            c.y.push_back(seen ? s.imag() : std::nan(""));
        }
        plot.curves.push_back(std::move(c));
    }
    const auto guide = [&](const std::vector<Complex>& points, bool dashed) {
        Curve c;
        c.guide = true;
        c.dashed = dashed;
        for (const Complex& s : points) {
            c.x.push_back(s.real());
            c.y.push_back(s.imag());
        }
        plot.curves.push_back(std::move(c));
    };
    if (sample_time) {
        std::vector<Complex> circle;
        for (int k = 0; k <= 96; ++k) circle.push_back(std::polar(1.0, std::numbers::pi * k / 48));
        guide(circle, false);
    } else {
        guide({{0, -10 * far}, {0, 10 * far}}, false);
    }
    if (locus && locus->asymptotes)
        for (double angle : locus->asymptotes->angles)
            if (std::fabs(std::fabs(angle) - 180) > 1e-6)
                guide({locus->asymptotes->center,
                       locus->asymptotes->center + std::polar(far, angle * std::numbers::pi / 180)},
                      true);
    for (const Complex& s : poles) plot.marks.push_back({s.real(), s.imag(), MarkKind::Cross, "", "", {}});
    for (const Complex& s : zeros) plot.marks.push_back({s.real(), s.imag(), MarkKind::Circle, "", "", {}});
    for (const auto& c : crossings)
        plot.marks.push_back({c.root.real(),
                              c.root.imag(),
                              MarkKind::Dot,
                              "",
                              fmt::format("{} = {:.3g}", parameter, c.gain),
                              {}});
    return plot;
}

}  // namespace

Plot locus_plot(const RootLocusStudy& study, bool coloured) {
    return locus_picture(study.locus.branches, study.poles, study.zeros, &study.locus, study.locus.crossings,
                         study.sample_time, "k", coloured, study.range_given && study.locus.passages.empty());
}

Plot locus_plot(const EigenvalueLocus& locus, const std::string& parameter, bool coloured) {
    return locus_picture(locus.roots.branches, locus.starts(), {}, nullptr, locus.roots.crossings,
                         locus.sample_time, parameter, coloured, true);
}

Plot pole_map(const PoleStudy& study) {
    Plot plot;
    plot.title = "Poles";
    plot.x_label = "real part";
    plot.equal_units = true;
    double left = 0, right = 0, top = 0;
    for (const Mode& mode : study.modes) {
        const Complex s = mode.eigenvalue;
        left = std::min(left, s.real());
        right = std::max(right, s.real());
        top = std::max(top, std::abs(s.imag()));
        plot.marks.push_back({s.real(), s.imag(), MarkKind::Cross, "", "", {}});
    }
    Curve edge;
    edge.quantity = "imaginary part";
    edge.colour = 0;
    if (study.sample_time) {
        for (int k = 0; k <= 96; ++k) {
            edge.x.push_back(std::cos(k * std::numbers::pi / 48));
            edge.y.push_back(std::sin(k * std::numbers::pi / 48));
        }
        left = std::min(left, -1.0);
        right = std::max(right, 1.0);
        top = std::max(top, 1.0);
    } else {
        const double size = std::max({right - left, 2 * top, 1e-3});
        top = std::max(top, 0.2 * size);
        right = std::max(right, 0.1 * size);
        edge.x = {0, 0};
        edge.y = {-2 * top, 2 * top};
    }
    const double margin = 0.08 * std::max(right - left, 2 * top);
    plot.x_range = PlotRange{left - margin, right + margin};
    plot.y_range = PlotRange{-top - margin, top + margin};
    plot.curves.push_back(std::move(edge));
    return plot;
}

}  // namespace cutset

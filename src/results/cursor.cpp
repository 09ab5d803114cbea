#include "results/cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cutset {

PlotRange horizontal_range(const Plot& plot) {
    if (plot.x_range) return *plot.x_range;
    std::optional<PlotRange> range;
    for (const Curve& curve : plot.curves)
        for (const double x : curve.x) {
            if (!std::isfinite(x) || (plot.logarithmic_x && x <= 0)) continue;
            range = range ? PlotRange{std::min(range->low, x), std::max(range->high, x)} : PlotRange{x, x};
        }
    return range.value_or(PlotRange{});
}

namespace {

struct CursorValue {
    double value = 0;
    bool exact = true;  // no points were left out beside it
};

std::optional<CursorValue> find_value(const Curve& curve, double x) {
    std::optional<CursorValue> found;
    const std::size_t count = std::min(curve.x.size(), curve.y.size());
    for (std::size_t i = 0; i < count; ++i) {
        if (!std::isfinite(curve.y[i])) continue;
        if (curve.x[i] == x) {
            found = {curve.y[i], true};
            continue;
        }
        if (i + 1 >= count || !std::isfinite(curve.y[i + 1])) continue;
        const double a = curve.x[i], b = curve.x[i + 1];
        if (!((a < x && x < b) || (b < x && x < a))) continue;
        const double value =
            curve.held ? curve.y[i] : curve.y[i] + (x - a) / (b - a) * (curve.y[i + 1] - curve.y[i]);
        found = {value, i + 1 >= curve.thinned};
    }
    return found;
}

}  // namespace

std::optional<double> curve_value(const Curve& curve, double x) {
    const auto found = find_value(curve, x);
    return found ? std::optional(found->value) : std::nullopt;
}

std::vector<std::string> cursor_lines(const Plot& plot, double x) {
    const auto with_unit = [](double value, const std::string& unit) {
        return fmt::format("{:.6g}{}{}", value == 0 ? 0.0 : value, unit.empty() ? "" : " ", unit);
    };
    std::vector<std::string> lines{plot.x_label + " = " + with_unit(x, plot.x_unit)};
    std::size_t width = 0;
    for (const Curve& curve : plot.curves)
        if (!curve.guide) width = std::max(width, curve.label.size());
    for (const Curve& curve : plot.curves) {
        if (curve.guide) continue;
        const auto found = find_value(curve, x);
        lines.push_back(fmt::format("  {:<{}}  {}", curve.label, width,
                                    !found ? "does not reach there"
                                    : found->exact
                                        ? with_unit(found->value, curve.unit)
                                        : "not known: of so long a run only extremes are kept there"));
    }
    return lines;
}

Plot with_cursor(const Plot& plot, double x) {
    Plot out = plot;
    // On every curve, so that it is seen in every panel.
    for (const Curve& curve : plot.curves) {
        const auto value = curve.guide ? std::nullopt : curve_value(curve, x);
        if (!value) continue;
        Mark mark;
        mark.x = x;
        mark.y = *value;
        mark.kind = MarkKind::Plus;
        mark.unit = curve.unit;
        out.marks.push_back(std::move(mark));
    }
    return out;
}

}  // namespace cutset

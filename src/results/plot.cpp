#include "results/plot.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/source.h"
#include "results/drawing.h"
#include "results/messages.h"

namespace cutset {

namespace messages = results_messages;

std::vector<PlotPanel> panels_of(const Plot& plot) {
    constexpr std::size_t most = 4;
    std::vector<PlotPanel> panels;
    for (std::size_t k = 0; k < plot.curves.size(); ++k) {
        const std::string& unit = plot.curves[k].unit;
        auto at =
            std::find_if(panels.begin(), panels.end(), [&](const PlotPanel& p) { return p.unit == unit; });
        if (at == panels.end()) {
            if (panels.size() < most) {
                panels.push_back({unit});
                at = panels.end() - 1;
            } else {
                at = panels.end() - 1;
                at->mixed = true;
            }
        }
        at->curves.push_back(k);
    }
    if (panels.empty()) panels.emplace_back();
    return panels;
}

namespace {

// Of the values that `counts` says yes to; low above high where there are none.
template <class Counts>
PlotRange range_where(const Plot& plot, const PlotPanel& panel, Counts counts) {
    PlotRange range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    for (std::size_t k : panel.curves) {
        const Curve& curve = plot.curves[k];
        for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i) {
            if (!std::isfinite(curve.y[i]) || !counts(curve, i)) continue;
            range.low = std::min(range.low, curve.y[i]);
            range.high = std::max(range.high, curve.y[i]);
        }
    }
    return range;
}

// The next point to one side is not positive; points of one instant, as an event has them, are one.
bool is_beside_zero(const Curve& curve, std::size_t i) {
    constexpr std::size_t most = 8;  // points of an instant
    const std::size_t end = std::min(curve.x.size(), curve.y.size());
    std::size_t before = i, after = i;
    while (before > 0 && i - before < most && curve.x[before] == curve.x[i]) --before;
    while (after + 1 < end && after - i < most && curve.x[after] == curve.x[i]) ++after;
    return curve.y[before] <= 0 || curve.y[after] <= 0;
}

}  // namespace

std::optional<PlotRange> vertical_range(const Plot& plot, const PlotPanel& panel) {
    const auto positive = [&](const Curve& curve, std::size_t i) {
        return !plot.logarithmic_y || curve.y[i] > 0;
    };
    const auto away_from_zero = [&](const Curve& curve, std::size_t i) {
        return positive(curve, i) && !(plot.logarithmic_y && is_beside_zero(curve, i));
    };
    PlotRange range = range_where(plot, panel, away_from_zero);
    if (!(range.low < range.high)) range = range_where(plot, panel, positive);
    if (!(range.low <= range.high)) return std::nullopt;
    return range;
}

std::optional<Plot> make_plot(const Trajectory& trajectory, const std::vector<std::string>& wishes,
                              Diagnostics& diagnostics) {
    if (trajectory.empty() || wishes.empty()) {
        diagnostics.report(messages::nothing_to_plot());
        return std::nullopt;
    }
    bool good = true;
    const auto find = [&](const std::string& name) {
        const auto column = trajectory.find(name);
        if (!column) {
            good = false;
            diagnostics.report(
                messages::unknown_variable(name, trajectory.suggest(name), trajectory.columns().size()));
        }
        return column;
    };
    Plot plot;
    std::vector<ColumnIndex> abscissas;
    for (const std::string& wish : wishes) {
        std::optional<ColumnIndex> y, x = ColumnIndex(0);
        const std::size_t open = wish.rfind('(');
        if (!trajectory.find(wish) && open != std::string::npos && open > 0 && wish.back() == ')') {
            y = find(wish.substr(0, open));
            x = find(wish.substr(open + 1, wish.size() - open - 2));
        } else {
            y = find(wish);
        }
        if (!x || !y) continue;
        const Column& c = trajectory.columns()[*y];
        const ColumnKind kind = c.kind == ColumnKind::Alias ? trajectory.columns()[c.alias_of].kind : c.kind;
        // An alias often has no unit of its own.
        const auto unit_of = [&](ColumnIndex i) {
            const Column& column = trajectory.columns()[i];
            return column.unit.empty() && column.kind == ColumnKind::Alias
                       ? trajectory.columns()[column.alias_of].unit
                       : column.unit;
        };
        Curve curve{c.name, unit_of(*y), trajectory.values(*x), trajectory.values(*y)};
        curve.held = kind == ColumnKind::Discrete && *x == ColumnIndex(0);
        plot.curves.push_back(std::move(curve));
        if (std::find(abscissas.begin(), abscissas.end(), *x) == abscissas.end()) {
            plot.x_label += (plot.x_label.empty() ? "" : ", ") + trajectory.columns()[*x].name;
            if (abscissas.empty()) plot.x_unit = unit_of(*x);
            if (plot.x_unit != unit_of(*x)) plot.x_unit.clear();
            abscissas.push_back(*x);
        }
    }
    if (!good) return std::nullopt;
    if (abscissas.size() > 1 &&
        std::find(abscissas.begin(), abscissas.end(), ColumnIndex(0)) != abscissas.end()) {
        diagnostics.report(messages::plot_mixes_abscissas());
        return std::nullopt;
    }
    return plot;
}

namespace {

template <class Picture>
Problem write_by_ending(const Picture& picture, const std::string& path) {
    std::string ending = path.substr(std::min(path.size(), path.rfind('.')));
    for (char& c : ending)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    std::string bytes;
    if (ending == ".svg")
        bytes = to_svg(picture);
    else if (ending == ".pdf")
        bytes = to_pdf(picture);
    else if (ending == ".png")
        bytes = to_png(picture);
    else
        return messages::unknown_picture(path).message;
    std::string problem;
    if (!write_file(path, bytes, problem)) return path + ": cannot be written: " + problem;
    return std::nullopt;
}

}  // namespace

Problem write_picture(const Plot& plot, const std::string& path) {
    return write_by_ending(plot, path);
}
Problem write_picture(const Drawing& drawing, const std::string& path) {
    return write_by_ending(drawing, path);
}

}  // namespace cutset

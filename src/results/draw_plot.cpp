#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "results/axis.h"
#include "results/canvas.h"

namespace cutset {

namespace {

// Distinguishable for colour-blind readers too (Okabe and Ito), without the yellow that white paper swallows.
constexpr Colour palette[] = {{0, 114, 178},  {213, 94, 0},  {0, 158, 115}, {204, 121, 167},
                              {86, 180, 233}, {230, 159, 0}, {40, 40, 40}};
constexpr std::size_t palette_size = std::size(palette);

constexpr Colour ink = {34, 34, 34};
constexpr Colour frame_grey = {90, 90, 90};
constexpr Colour grid_grey = {226, 226, 226};
constexpr Colour minor_grey = {240, 240, 240};
constexpr Colour guide_grey = {170, 170, 170};
constexpr double text_size = 11;
constexpr double title_size = 14;
constexpr double dot_size = 4.5;
constexpr double strip = 0.5;  // no detail narrower than this can be seen

Pen curve_pen(const Plot& plot, std::size_t place) {
    static const std::vector<double> dashes[] = {{}, {6, 3}, {1.5, 3}, {8, 3, 1.5, 3}};
    const Curve& curve = plot.curves[place];
    if (curve.guide) return {guide_grey, 0.8, curve.dashed ? dashes[1] : dashes[0]};
    const std::size_t index = curve.colour.value_or(place);
    return {palette[index % palette_size], 1.5, curve.dashed ? dashes[1] : dashes[index / palette_size % 4]};
}

// Crosses and circles of one size, whatever they stand on.
void draw_mark(Canvas& canvas, const Mark& mark, Point at) {
    const Colour colour = mark.colour ? palette[*mark.colour % palette_size] : ink;
    const double r = 4.5;
    const Pen pen{colour, 1.6};
    const auto line = [&](std::initializer_list<Point> points) {
        const std::vector<Point> list(points);
        canvas.polyline(list, pen);
    };
    switch (mark.kind) {
        case MarkKind::Cross:
            line({{at.x - r, at.y - r}, {at.x + r, at.y + r}});
            line({{at.x - r, at.y + r}, {at.x + r, at.y - r}});
            break;
        case MarkKind::Plus:
            line({{at.x - r, at.y}, {at.x + r, at.y}});
            line({{at.x, at.y - r}, {at.x, at.y + r}});
            break;
        case MarkKind::Circle: {
            std::vector<Point> circle;
            for (int k = 0; k <= 24; ++k) {
                const double angle = k * std::numbers::pi / 12;
                circle.push_back({at.x + r * std::cos(angle), at.y + r * std::sin(angle)});
            }
            canvas.polyline(circle, pen);
            break;
        }
        case MarkKind::Triangle:
            line({{at.x, at.y - r}, {at.x + r, at.y + r}, {at.x - r, at.y + r}, {at.x, at.y - r}});
            break;
        case MarkKind::Text:
            break;
        case MarkKind::Dot: {
            const Point dot[] = {at};
            canvas.polyline(dot, {colour, 6});
            break;
        }
    }
}

std::string with_unit(const std::string& label, const std::string& unit) {
    if (unit.empty()) return label;
    return label.empty() ? "[" + unit + "]" : label + " [" + unit + "]";
}

// As much of the text as fits.
std::string fitted(const Canvas& canvas, const std::string& text, double size, double width) {
    if (canvas.text_width(text, size) <= width) return text;
    std::u32string letters = decode_utf8(text);
    std::string out;
    while (!letters.empty()) {
        letters.pop_back();
        out.clear();
        for (char32_t c : letters) out += encode_utf8(c);
        out += "…";
        if (canvas.text_width(out, size) <= width) break;
    }
    return out;
}

struct Range {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    void add(double v) {
        if (!std::isfinite(v)) return;
        low = std::min(low, v);
        high = std::max(high, v);
    }
};

struct LegendEntry {
    std::size_t curve;
    std::string label;
    bool dot;  // the curve is a single point
};

// What is known of a panel before the margins are.
struct PanelContent {
    Axis y;
    std::string y_label;
    std::vector<LegendEntry> legend;
    double tick_width = 0;
    double legend_width = 0;
    double legend_height = 0;
};

// Where curves pass, in cells of a few pixels.
class Occupancy {
  public:
    explicit Occupancy(const Rectangle& area)
        : area_(area),
          wide_(static_cast<int>(area.width() / cell) + 2),
          high_(static_cast<int>(area.height() / cell) + 2),
          cells_(static_cast<std::size_t>(wide_) * static_cast<std::size_t>(high_)) {}

    void add(const std::vector<Point>& points) {
        for (std::size_t i = 0; i < points.size(); ++i) {
            const Point a = points[i ? i - 1 : 0], b = points[i];
            const int steps =
                1 + static_cast<int>(std::min(std::hypot(b.x - a.x, b.y - a.y) / (cell / 2), 5000.0));
            for (int k = 0; k <= steps; ++k)
                mark(a.x + (b.x - a.x) * k / steps, a.y + (b.y - a.y) * k / steps);
        }
    }

    bool free(const Rectangle& r) const {
        const int x1 = column(r.right), y1 = row(r.bottom);
        for (int y = row(r.top); y <= y1; ++y)
            for (int x = column(r.left); x <= x1; ++x)
                if (cells_[index(x, y)]) return false;
        return true;
    }

  private:
    static constexpr double cell = 4;
    int column(double x) const { return std::clamp(static_cast<int>((x - area_.left) / cell), 0, wide_ - 1); }
    int row(double y) const { return std::clamp(static_cast<int>((y - area_.top) / cell), 0, high_ - 1); }
    std::size_t index(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(wide_) + static_cast<std::size_t>(x);
    }
    void mark(double x, double y) { cells_[index(column(x), row(y))] = true; }

    Rectangle area_;
    int wide_, high_;
    std::vector<bool> cells_;
};

constexpr double legend_line = 22;  // length of the sample
constexpr double legend_row = 15;   // height of a line
constexpr double legend_padding = 6;

std::optional<Rectangle> legend_place(const Rectangle& area, const PanelContent& content,
                                      const Occupancy& taken) {
    const double w = content.legend_width, h = content.legend_height, gap = 6;
    if (w + 2 * gap > area.width() || h + 2 * gap > area.height()) return std::nullopt;
    const double xs[] = {area.right - gap - w, area.left + gap, (area.left + area.right - w) / 2};
    const double ys[] = {area.top + gap, area.bottom - gap - h, (area.top + area.bottom - h) / 2};
    for (int round = 0; round < 2; ++round)  // the corners first
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k) {
                if ((round == 0) != (i < 2 && k < 2)) continue;
                const Rectangle r{xs[k], ys[i], xs[k] + w, ys[i] + h};
                if (taken.free({r.left - 3, r.top - 3, r.right + 3, r.bottom + 3})) return r;
            }
    return std::nullopt;
}

void draw_legend(Canvas& canvas, const Plot& plot, const PanelContent& content, const Rectangle& at) {
    canvas.fill(at, {255, 255, 255});
    double y = at.top + legend_padding + legend_row / 2;
    for (const LegendEntry& entry : content.legend) {
        const double x = at.left + legend_padding;
        const Point sample[] = {{x, y}, {x + legend_line, y}}, dot[] = {{x + legend_line / 2, y}};
        if (entry.dot)
            canvas.polyline(dot, {curve_pen(plot, entry.curve).colour, dot_size});
        else
            canvas.polyline(sample, curve_pen(plot, entry.curve));
        canvas.text({x + legend_line + 6, y + 0.35 * text_size}, entry.label,
                    {text_size, Anchor::Start, false, ink});
        y += legend_row;
    }
}

}  // namespace

double plot_height(const Plot& plot) {
    if (plot.height > 0) return plot.height;
    const double panels = static_cast<double>(panels_of(plot).size());
    return (plot.title.empty() ? 12 : 36) + 48 + (panels <= 1 ? 340 : panels * (panels == 2 ? 220 : 180));
}

void draw_plot(const Plot& plot, Canvas& canvas) {
    const double width = std::max(plot.width, 160.0), height = std::max(plot_height(plot), 120.0);
    const std::vector<PlotPanel> panels = panels_of(plot);
    const std::size_t count = panels.size();
    canvas.fill({0, 0, width, height}, {255, 255, 255});

    const double top = plot.title.empty() ? 12 : 36;
    const double bottom = height - 46;
    std::vector<double> tops, bottoms;
    double gap = 14;

    Range xs;
    for (const Curve& c : plot.curves)
        for (std::size_t i = 0; i < c.x.size() && i < c.y.size(); ++i)
            if (std::isfinite(c.y[i]) && (!plot.logarithmic_x || c.x[i] > 0)) xs.add(c.x[i]);
    for (const Mark& m : plot.marks) xs.add(m.x);
    bool over_time = !plot.equal_units;
    for (const Curve& c : plot.curves) over_time = over_time && std::is_sorted(c.x.begin(), c.x.end());
    if (plot.x_range) xs = {plot.x_range->low, plot.x_range->high};
    if (plot.x_range) over_time = true;
    // Equal units: the direction that has more room gets a longer range.
    std::optional<PlotRange> y_range = plot.y_range;
    if (plot.equal_units && count == 1) {
        Range ys;
        for (const Curve& c : plot.curves)
            for (double v : c.y) ys.add(v);
        for (const Mark& m : plot.marks) ys.add(m.y);
        if (y_range) ys = {y_range->low, y_range->high};
        const double margin = plot.x_range ? 0 : 0.06;
        const double wide = width - 18 - 70, high = bottom - top;
        double x_size = (xs.high - xs.low) * (1 + 2 * margin), y_size = (ys.high - ys.low) * (1 + 2 * margin);
        if (!(x_size > 0)) x_size = 0;
        if (!(y_size > 0)) y_size = 0;
        double unit = std::max(x_size / wide, y_size / high);
        if (unit == 0) unit = 2 / high;
        const double x_middle = xs.low / 2 + xs.high / 2, y_middle = ys.low / 2 + ys.high / 2;
        xs = {x_middle - unit * wide / 2, x_middle + unit * wide / 2};
        y_range = PlotRange{y_middle - unit * high / 2, y_middle + unit * high / 2};
        over_time = true;
    }

    std::vector<PanelContent> contents(count);
    const double first_guess =
        (bottom - top - gap * static_cast<double>(count - 1)) / static_cast<double>(count);
    bool any_note = false;
    double tick_width = 0;
    for (std::size_t p = 0; p < count; ++p) {
        PanelContent& content = contents[p];
        Range ys;
        for (std::size_t k : panels[p].curves)
            for (double v : plot.curves[k].y)
                if (!plot.logarithmic_y || v > 0) ys.add(v);
        for (const Mark& m : plot.marks)
            if (count == 1 || m.unit == panels[p].unit) ys.add(m.y);
        const bool fixed_range = count == 1 && y_range;
        if (fixed_range) ys = {y_range->low, y_range->high};
        const int wanted = static_cast<int>(std::clamp(first_guess / 34, 2.0, 10.0));
        content.y = plot.logarithmic_y ? make_log_axis(ys.low, ys.high, wanted)
                                       : (panels[p].unit == "°" ? make_degree_axis : make_axis)(
                                             ys.low, ys.high, wanted, fixed_range ? 0 : 0.05);
        for (const std::string& label : content.y.labels)
            content.tick_width = std::max(content.tick_width, canvas.text_width(label, text_size));
        tick_width = std::max(tick_width, content.tick_width);
        any_note = any_note || !content.y.note().empty();
        std::vector<std::size_t> shown;
        for (std::size_t k : panels[p].curves)
            if (!plot.curves[k].guide) shown.push_back(k);
        const std::string quantity = shown.empty() ? "" : plot.curves[shown.front()].quantity;
        if (shown.size() == 1) {
            const Curve& only = plot.curves[shown.front()];
            content.y_label = with_unit(quantity.empty() ? only.label : quantity, only.unit);
        } else {
            content.y_label = panels[p].mixed ? ""
                              : quantity.empty() && panels[p].unit.empty()
                                  ? ""
                                  : with_unit(quantity, panels[p].unit);
            for (std::size_t k : shown) {
                const Curve& c = plot.curves[k];
                if (c.label.empty()) continue;
                const std::string label = fitted(
                    canvas, panels[p].mixed ? with_unit(c.label, c.unit) : c.label, text_size, width * 0.4);
                content.legend.push_back({k, label, c.x.size() == 1});
                content.legend_width =
                    std::max(content.legend_width,
                             canvas.text_width(label, text_size) + legend_line + 6 + 2 * legend_padding);
            }
            if (content.legend.size() < 2 && !quantity.empty()) content.legend.clear();
            content.legend_height =
                legend_row * static_cast<double>(content.legend.size()) + 2 * legend_padding;
        }
    }
    // The exponent stands above its axis.
    const double note_room = any_note ? 14 : 0;
    gap += note_room;
    const double left = 34 + tick_width;
    const double panel_height =
        (bottom - top - note_room - gap * static_cast<double>(count - 1)) / static_cast<double>(count);
    for (std::size_t p = 0; p < count; ++p) {
        tops.push_back(top + note_room + static_cast<double>(p) * (panel_height + gap));
        bottoms.push_back(tops.back() + panel_height);
    }

    // A legend that would hide a curve goes to the right of all panels.
    double right = width - 18;
    std::vector<std::optional<Rectangle>> places(count);
    std::vector<bool> outside(count, false);
    std::vector<std::vector<std::pair<std::size_t, std::vector<std::vector<Point>>>>> drawings;
    Axis x;
    for (int attempt = 0; attempt < 2; ++attempt) {
        // Fewer ticks where their labels would touch.
        for (int wanted = static_cast<int>(std::clamp((right - left) / 64, 2.0, 12.0)); wanted >= 2;
             --wanted) {
            x = plot.logarithmic_x ? make_log_axis(xs.low, xs.high, wanted)
                                   : (plot.x_unit == "°" ? make_degree_axis : make_axis)(
                                         xs.low, xs.high, wanted, over_time ? 0.0 : 0.05);
            double widest = 0;
            for (const std::string& label : x.labels)
                widest = std::max(widest, canvas.text_width(label, text_size));
            if ((widest + 10) * static_cast<double>(x.ticks.size()) < right - left) break;
        }
        drawings.assign(count, {});
        double needed = 0;
        for (std::size_t p = 0; p < count; ++p) {
            const Rectangle area{left, tops[p], right, bottoms[p]};
            Occupancy taken(area);
            for (std::size_t k : panels[p].curves) {
                auto pieces = visible_points(plot.curves[k], strip, [&](double u, double v) {
                    return Point{area.left + x.place(u) * area.width(),
                                 area.bottom - contents[p].y.place(v) * area.height()};
                });
                if (!plot.curves[k].guide)
                    for (const auto& piece : pieces) taken.add(piece);
                drawings[p].emplace_back(k, std::move(pieces));
            }
            if (contents[p].legend.empty() || outside[p]) continue;
            places[p] = legend_place(area, contents[p], taken);
            if (!places[p]) {
                outside[p] = true;
                needed = std::max(needed, contents[p].legend_width);
            }
        }
        if (needed == 0) break;
        right = std::max(left + 60, std::min(right, width - 10 - needed));
    }

    if (!plot.title.empty())
        canvas.text({(left + right) / 2, 23}, fitted(canvas, plot.title, title_size, width - 20),
                    {title_size, Anchor::Middle, false, ink});
    for (std::size_t p = 0; p < count; ++p) {
        const Rectangle area{left, tops[p], right, bottoms[p]};
        const PanelContent& content = contents[p];
        const auto x_at = [&](double v) { return area.left + x.place(v) * area.width(); };
        const auto y_at = [&](double v) { return area.bottom - content.y.place(v) * area.height(); };
        const Pen grid{grid_grey, 0.7}, line{frame_grey, 0.9};
        const auto draw_line = [&](Point a, Point b, const Pen& pen) {
            const Point both[] = {a, b};
            canvas.polyline(both, pen);
        };
        for (double t : x.minor) draw_line({x_at(t), area.top}, {x_at(t), area.bottom}, {minor_grey, 0.6});
        for (double t : x.ticks) draw_line({x_at(t), area.top}, {x_at(t), area.bottom}, grid);
        for (double t : content.y.minor)
            draw_line({area.left, y_at(t)}, {area.right, y_at(t)}, {minor_grey, 0.6});
        for (double t : content.y.ticks) draw_line({area.left, y_at(t)}, {area.right, y_at(t)}, grid);

        canvas.clip({area.left - 1, area.top - 1, area.right + 1, area.bottom + 1});
        for (const auto& [k, pieces] : drawings[p]) {
            const Pen pen = curve_pen(plot, k);
            for (const auto& piece : pieces) {
                if (piece.size() == 1)
                    canvas.polyline(piece, {pen.colour, dot_size});
                else
                    canvas.polyline(piece, pen);
            }
        }
        for (const Mark& m : plot.marks) {
            if (count > 1 && m.unit != panels[p].unit) continue;
            const Point at{x_at(m.x), y_at(m.y)};
            if (!(at.x >= area.left - 1 && at.x <= area.right + 1 && at.y >= area.top - 1 &&
                  at.y <= area.bottom + 1))
                continue;
            if (m.kind == MarkKind::Text) {
                const double half = canvas.text_width(m.label, text_size - 2) / 2;
                canvas.fill({at.x - half - 1, at.y - 5, at.x + half + 1, at.y + 5}, {255, 255, 255});
                canvas.text({at.x, at.y + 3.2}, m.label, {text_size - 2, Anchor::Middle, false, frame_grey});
                continue;
            }
            draw_mark(canvas, m, at);
            if (m.label.empty()) continue;
            // Right of the mark, left of it near the right end.
            const bool left_of = at.x + 8 + canvas.text_width(m.label, text_size) > area.right;
            const double lift = at.y - area.top < 16 ? 14 : -6;
            canvas.text({left_of ? at.x - 7 : at.x + 7, at.y + lift}, m.label,
                        {text_size, left_of ? Anchor::End : Anchor::Start, false, ink});
        }
        canvas.unclip();

        const Point frame[] = {{area.left, area.top},
                               {area.right, area.top},
                               {area.right, area.bottom},
                               {area.left, area.bottom},
                               {area.left, area.top}};
        canvas.polyline(frame, line);
        const bool last = p + 1 == count;
        for (std::size_t i = 0; i < x.ticks.size(); ++i) {
            const double at = x_at(x.ticks[i]);
            draw_line({at, area.bottom}, {at, area.bottom + 4}, line);
            if (last)
                canvas.text({at, area.bottom + 17}, x.labels[i], {text_size, Anchor::Middle, false, ink});
        }
        for (std::size_t i = 0; i < content.y.ticks.size(); ++i) {
            const double at = y_at(content.y.ticks[i]);
            draw_line({area.left - 4, at}, {area.left, at}, line);
            canvas.text({area.left - 7, at + 0.36 * text_size}, content.y.labels[i],
                        {text_size, Anchor::End, false, ink});
        }
        if (!content.y.note().empty())
            canvas.text({area.left, area.top - 6}, content.y.note(), {text_size, Anchor::Start, false, ink});
        if (!content.y_label.empty())
            canvas.text({16, (area.top + area.bottom) / 2},
                        fitted(canvas, content.y_label, text_size + 1, area.height() + (count > 1 ? 8 : 30)),
                        {text_size + 1, Anchor::Middle, true, ink});
        if (last) {
            canvas.text(
                {(area.left + area.right) / 2, area.bottom + 36},
                fitted(canvas, with_unit(plot.x_label, plot.x_unit), text_size + 1, area.width() * 0.75),
                {text_size + 1, Anchor::Middle, false, ink});
            if (!x.note().empty())
                canvas.text({area.right, area.bottom + 34}, x.note(), {text_size, Anchor::End, false, ink});
        }
        if (!content.legend.empty()) {
            const Rectangle beside{area.right + 4, area.top, area.right + 4 + content.legend_width,
                                   area.top + content.legend_height};
            draw_legend(canvas, plot, content, places[p].value_or(beside));
        }
    }
}

}  // namespace cutset

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

namespace {

class PlotDrawing {
  public:
    PlotDrawing(const Plot& plot, Canvas& canvas)
        : plot_(plot),
          canvas_(canvas),
          width_(std::max(plot.width, 160.0)),
          height_(std::max(plot_height(plot), 120.0)),
          panels_(panels_of(plot)),
          top_(plot.title.empty() ? 12 : 36),
          bottom_(height_ - 46),
          right_(width_ - 18),
          y_range_(plot.y_range),
          contents_(panels_.size()) {}

    void draw() {
        canvas_.fill({0, 0, width_, height_}, {255, 255, 255});
        choose_ranges();
        fill_panels();
        place_panels();
        place_legends();
        if (!plot_.title.empty())
            canvas_.text({(left_ + right_) / 2, 23}, fitted(canvas_, plot_.title, title_size, width_ - 20),
                         {title_size, Anchor::Middle, false, ink});
        for (std::size_t p = 0; p < panels_.size(); ++p) draw_panel(p);
    }

  private:
    using Pieces = std::vector<std::vector<Point>>;

    bool is_only() const { return panels_.size() == 1; }
    static auto axis_of(const std::string& unit) { return unit == "°" ? make_degree_axis : make_axis; }
    Rectangle area_of(std::size_t p) const { return {left_, tops_[p], right_, bottoms_[p]}; }
    double x_at(const Rectangle& area, double v) const { return area.left + x_.place(v) * area.width(); }
    double y_at(const Rectangle& area, const Axis& y, double v) const {
        return area.bottom - y.place(v) * area.height();
    }

    void choose_ranges() {
        for (const Curve& c : plot_.curves)
            for (std::size_t i = 0; i < c.x.size() && i < c.y.size(); ++i)
                if (std::isfinite(c.y[i]) && (!plot_.logarithmic_x || c.x[i] > 0)) xs_.add(c.x[i]);
        for (const Mark& m : plot_.marks) xs_.add(m.x);
        over_time_ = !plot_.equal_units;
        for (const Curve& c : plot_.curves) over_time_ = over_time_ && std::is_sorted(c.x.begin(), c.x.end());
        if (plot_.x_range) {
            xs_ = {plot_.x_range->low, plot_.x_range->high};
            over_time_ = true;
        }
        if (plot_.equal_units && is_only()) equalize_units();
    }

    // The direction that has more room gets a longer range.
    void equalize_units() {
        Range ys;
        for (const Curve& c : plot_.curves)
            for (double v : c.y) ys.add(v);
        for (const Mark& m : plot_.marks) ys.add(m.y);
        if (y_range_) ys = {y_range_->low, y_range_->high};
        const double margin = plot_.x_range ? 0 : 0.06;
        const double wide = width_ - 18 - 70, high = bottom_ - top_;
        double x_size = (xs_.high - xs_.low) * (1 + 2 * margin),
               y_size = (ys.high - ys.low) * (1 + 2 * margin);
        if (!(x_size > 0)) x_size = 0;
        if (!(y_size > 0)) y_size = 0;
        double unit = std::max(x_size / wide, y_size / high);
        if (unit == 0) unit = 2 / high;
        const double x_middle = xs_.low / 2 + xs_.high / 2, y_middle = ys.low / 2 + ys.high / 2;
        xs_ = {x_middle - unit * wide / 2, x_middle + unit * wide / 2};
        y_range_ = PlotRange{y_middle - unit * high / 2, y_middle + unit * high / 2};
        over_time_ = true;
    }

    // What each panel has beside its curves: axis, labels, legend.
    void fill_panels() {
        const double count = static_cast<double>(panels_.size());
        const double first_guess = (bottom_ - top_ - gap_ * (count - 1)) / count;
        for (std::size_t p = 0; p < panels_.size(); ++p) {
            PanelContent& content = contents_[p];
            content.y = vertical_axis(panels_[p], first_guess);
            for (const std::string& label : content.y.labels)
                content.tick_width = std::max(content.tick_width, canvas_.text_width(label, text_size));
            name_curves(panels_[p], content);
        }
    }

    Axis vertical_axis(const PlotPanel& panel, double height) const {
        Range ys;
        if (const auto shown = vertical_range(plot_, panel)) ys = {shown->low, shown->high};
        for (const Mark& m : plot_.marks)
            if (is_only() || m.unit == panel.unit) ys.add(m.y);
        const bool fixed_range = is_only() && y_range_;
        if (fixed_range) ys = {y_range_->low, y_range_->high};
        const int wanted = static_cast<int>(std::clamp(height / 34, 2.0, 10.0));
        return plot_.logarithmic_y ? make_log_axis(ys.low, ys.high, wanted)
                                   : axis_of(panel.unit)(ys.low, ys.high, wanted, fixed_range ? 0 : 0.05);
    }

    void name_curves(const PlotPanel& panel, PanelContent& content) const {
        std::vector<std::size_t> shown;
        for (std::size_t k : panel.curves)
            if (!plot_.curves[k].guide) shown.push_back(k);
        const std::string quantity = shown.empty() ? "" : plot_.curves[shown.front()].quantity;
        if (shown.size() == 1) {
            const Curve& only = plot_.curves[shown.front()];
            content.y_label = with_unit(quantity.empty() ? only.label : quantity, only.unit);
            return;
        }
        const bool unnamed = panel.mixed || (quantity.empty() && panel.unit.empty());
        content.y_label = unnamed ? "" : with_unit(quantity, panel.unit);
        for (std::size_t k : shown) {
            const Curve& c = plot_.curves[k];
            if (c.label.empty()) continue;
            const std::string label =
                fitted(canvas_, panel.mixed ? with_unit(c.label, c.unit) : c.label, text_size, width_ * 0.4);
            content.legend.push_back({k, label, c.x.size() == 1});
            content.legend_width = std::max(content.legend_width, canvas_.text_width(label, text_size) +
                                                                      legend_line + 6 + 2 * legend_padding);
        }
        if (content.legend.size() < 2 && !quantity.empty()) content.legend.clear();
        content.legend_height = legend_row * static_cast<double>(content.legend.size()) + 2 * legend_padding;
    }

    void place_panels() {
        bool any_note = false;
        double tick_width = 0;
        for (const PanelContent& content : contents_) {
            tick_width = std::max(tick_width, content.tick_width);
            any_note = any_note || !content.y.note().empty();
        }
        // The exponent stands above its axis.
        const double note_room = any_note ? 14 : 0;
        gap_ += note_room;
        left_ = 34 + tick_width;
        const double count = static_cast<double>(panels_.size());
        const double height = (bottom_ - top_ - note_room - gap_ * (count - 1)) / count;
        for (std::size_t p = 0; p < panels_.size(); ++p) {
            tops_.push_back(top_ + note_room + static_cast<double>(p) * (height + gap_));
            bottoms_.push_back(tops_.back() + height);
        }
    }

    Axis horizontal_axis() const {
        Axis x;
        // Fewer ticks where their labels would touch.
        for (int wanted = static_cast<int>(std::clamp((right_ - left_) / 64, 2.0, 12.0)); wanted >= 2;
             --wanted) {
            x = plot_.logarithmic_x
                    ? make_log_axis(xs_.low, xs_.high, wanted)
                    : axis_of(plot_.x_unit)(xs_.low, xs_.high, wanted, over_time_ ? 0.0 : 0.05);
            double widest = 0;
            for (const std::string& label : x.labels)
                widest = std::max(widest, canvas_.text_width(label, text_size));
            if ((widest + 10) * static_cast<double>(x.ticks.size()) < right_ - left_) break;
        }
        return x;
    }

    // A legend that would hide a curve goes to the right of all panels, which get narrower.
    void place_legends() {
        places_.resize(panels_.size());
        std::vector<bool> outside(panels_.size(), false);
        for (int attempt = 0; attempt < 2; ++attempt) {
            x_ = horizontal_axis();
            drawings_.assign(panels_.size(), {});
            double needed = 0;
            for (std::size_t p = 0; p < panels_.size(); ++p) {
                const Rectangle area = area_of(p);
                const Occupancy taken = draw_curves(p, area);
                if (contents_[p].legend.empty() || outside[p]) continue;
                places_[p] = legend_place(area, contents_[p], taken);
                if (places_[p]) continue;
                outside[p] = true;
                needed = std::max(needed, contents_[p].legend_width);
            }
            if (needed == 0) break;
            right_ = std::max(left_ + 60, std::min(right_, width_ - 10 - needed));
        }
    }

    Occupancy draw_curves(std::size_t p, const Rectangle& area) {
        Occupancy taken(area);
        for (std::size_t k : panels_[p].curves) {
            Pieces pieces = visible_points(plot_.curves[k], strip, [&](double u, double v) {
                return Point{x_at(area, u), y_at(area, contents_[p].y, v)};
            });
            if (!plot_.curves[k].guide)
                for (const auto& piece : pieces) taken.add(piece);
            drawings_[p].emplace_back(k, std::move(pieces));
        }
        return taken;
    }

    void line(Point a, Point b, const Pen& pen) {
        const Point both[] = {a, b};
        canvas_.polyline(both, pen);
    }

    void draw_panel(std::size_t p) {
        const Rectangle area = area_of(p);
        const PanelContent& content = contents_[p];
        draw_grid(area, content.y);
        canvas_.clip({area.left - 1, area.top - 1, area.right + 1, area.bottom + 1});
        for (const auto& [k, pieces] : drawings_[p]) {
            const Pen pen = curve_pen(plot_, k);
            for (const auto& piece : pieces)
                canvas_.polyline(piece, piece.size() == 1 ? Pen{pen.colour, dot_size} : pen);
        }
        for (const Mark& m : plot_.marks)
            if (is_only() || m.unit == panels_[p].unit) draw_labelled(m, area, content.y);
        canvas_.unclip();
        draw_frame(area, content, p + 1 == panels_.size());
        if (content.legend.empty()) return;
        const Rectangle beside{area.right + 4, area.top, area.right + 4 + content.legend_width,
                               area.top + content.legend_height};
        draw_legend(canvas_, plot_, content, places_[p].value_or(beside));
    }

    void draw_grid(const Rectangle& area, const Axis& y) {
        const Pen grid{grid_grey, 0.7}, minor{minor_grey, 0.6};
        const auto upright = [&](double t, const Pen& pen) {
            line({x_at(area, t), area.top}, {x_at(area, t), area.bottom}, pen);
        };
        const auto across = [&](double t, const Pen& pen) {
            line({area.left, y_at(area, y, t)}, {area.right, y_at(area, y, t)}, pen);
        };
        for (double t : x_.minor) upright(t, minor);
        for (double t : x_.ticks) upright(t, grid);
        for (double t : y.minor) across(t, minor);
        for (double t : y.ticks) across(t, grid);
    }

    void draw_labelled(const Mark& m, const Rectangle& area, const Axis& y) {
        const Point at{x_at(area, m.x), y_at(area, y, m.y)};
        if (!(at.x >= area.left - 1 && at.x <= area.right + 1 && at.y >= area.top - 1 &&
              at.y <= area.bottom + 1))
            return;
        if (m.kind == MarkKind::Text) {
            const double half = canvas_.text_width(m.label, text_size - 2) / 2;
            canvas_.fill({at.x - half - 1, at.y - 5, at.x + half + 1, at.y + 5}, {255, 255, 255});
            canvas_.text({at.x, at.y + 3.2}, m.label, {text_size - 2, Anchor::Middle, false, frame_grey});
            return;
        }
        draw_mark(canvas_, m, at);
        if (m.label.empty()) return;
        // Right of the mark, left of it near the right end.
        const bool left_of = at.x + 8 + canvas_.text_width(m.label, text_size) > area.right;
        const double lift = at.y - area.top < 16 ? 14 : -6;
        canvas_.text({left_of ? at.x - 7 : at.x + 7, at.y + lift}, m.label,
                     {text_size, left_of ? Anchor::End : Anchor::Start, false, ink});
    }

    void draw_frame(const Rectangle& area, const PanelContent& content, bool last) {
        const Pen pen{frame_grey, 0.9};
        const Point frame[] = {{area.left, area.top},
                               {area.right, area.top},
                               {area.right, area.bottom},
                               {area.left, area.bottom},
                               {area.left, area.top}};
        canvas_.polyline(frame, pen);
        for (std::size_t i = 0; i < x_.ticks.size(); ++i) {
            const double at = x_at(area, x_.ticks[i]);
            line({at, area.bottom}, {at, area.bottom + 4}, pen);
            if (last)
                canvas_.text({at, area.bottom + 17}, x_.labels[i], {text_size, Anchor::Middle, false, ink});
        }
        for (std::size_t i = 0; i < content.y.ticks.size(); ++i) {
            const double at = y_at(area, content.y, content.y.ticks[i]);
            line({area.left - 4, at}, {area.left, at}, pen);
            canvas_.text({area.left - 7, at + 0.36 * text_size}, content.y.labels[i],
                         {text_size, Anchor::End, false, ink});
        }
        if (!content.y.note().empty())
            canvas_.text({area.left, area.top - 6}, content.y.note(), {text_size, Anchor::Start, false, ink});
        if (!content.y_label.empty())
            canvas_.text(
                {16, (area.top + area.bottom) / 2},
                fitted(canvas_, content.y_label, text_size + 1, area.height() + (is_only() ? 30 : 8)),
                {text_size + 1, Anchor::Middle, true, ink});
        if (last) name_horizontal_axis(area);
    }

    void name_horizontal_axis(const Rectangle& area) {
        canvas_.text(
            {(area.left + area.right) / 2, area.bottom + 36},
            fitted(canvas_, with_unit(plot_.x_label, plot_.x_unit), text_size + 1, area.width() * 0.75),
            {text_size + 1, Anchor::Middle, false, ink});
        if (!x_.note().empty())
            canvas_.text({area.right, area.bottom + 34}, x_.note(), {text_size, Anchor::End, false, ink});
    }

    const Plot& plot_;
    Canvas& canvas_;
    double width_, height_;
    std::vector<PlotPanel> panels_;
    double top_, bottom_, left_ = 0, right_, gap_ = 14;  // of all panels
    std::vector<double> tops_, bottoms_;                 // of each
    Range xs_;
    bool over_time_ = false;  // the curves go from the left edge to the right one
    std::optional<PlotRange> y_range_;
    std::vector<PanelContent> contents_;
    Axis x_;
    std::vector<std::vector<std::pair<std::size_t, Pieces>>> drawings_;  // by panel
    std::vector<std::optional<Rectangle>> places_;                       // of legends within their panel
};

}  // namespace

void draw_plot(const Plot& plot, Canvas& canvas) {
    PlotDrawing(plot, canvas).draw();
}

}  // namespace cutset

// Plots as text: braille dots (two by four in a character) or ASCII.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/utf8.h"
#include "results/axis.h"
#include "results/canvas.h"

namespace cutset {

namespace {

constexpr int colours[] = {34, 31, 32, 35, 36, 33};
constexpr std::string_view markers = "*+ox#@%&";

std::string painted(const std::string& text, std::size_t curve, bool colour) {
    if (!colour) return text;
    return fmt::format("\033[{}m{}\033[0m", colours[curve % std::size(colours)], text);
}

std::size_t letters(std::string_view text) {
    return decode_utf8(text).size();
}

std::string padded_left(const std::string& text, std::size_t width) {
    const std::size_t n = letters(text);
    return n < width ? std::string(width - n, ' ') + text : text;
}

// Characters that every terminal has.
std::string plain(std::string_view text) {
    std::string out;
    for (const TextRun& run : text_runs(text)) {
        if (run.raised) out += '^';
        for (char32_t c : run.text)
            out += c == U'−'   ? "-"
                   : c == U'×' ? "x"
                   : c == U'…' ? "..."
                   : c < 127   ? std::string(1, static_cast<char>(c))
                               : encode_utf8(c);
    }
    return out;
}

// The dots of one panel: each belongs to the curve that drew it last.
class Dots {
  public:
    // A character has `per_column` by `per_row` dots.
    Dots(int columns, int rows, int per_column, int per_row)
        : columns_(columns), rows_(rows), per_column_(per_column), per_row_(per_row) {
        bits_.resize(static_cast<std::size_t>(columns * rows));
        owner_.resize(bits_.size());
    }
    int wide() const { return columns_ * per_column_; }
    int high() const { return rows_ * per_row_; }

    void line(Point a, Point b, std::size_t curve) {
        const int steps = static_cast<int>(std::ceil(std::max(std::fabs(b.x - a.x), std::fabs(b.y - a.y))));
        for (int k = 0; k <= steps; ++k) {
            const double part = steps ? static_cast<double>(k) / steps : 0.0;
            mark(static_cast<int>(std::lround(a.x + (b.x - a.x) * part)),
                 static_cast<int>(std::lround(a.y + (b.y - a.y) * part)), curve);
        }
    }

    unsigned bits(int column, int row) const { return bits_[index(column, row)]; }
    std::size_t owner(int column, int row) const { return owner_[index(column, row)]; }

  private:
    std::size_t index(int column, int row) const { return static_cast<std::size_t>(row * columns_ + column); }

    void mark(int x, int y, std::size_t curve) {
        if (x < 0 || y < 0 || x >= wide() || y >= high()) return;
        // Braille: dots 1-3 down on the left, 4-6 on the right, 7 and 8 below.
        static constexpr unsigned braille[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
        const std::size_t i = index(x / per_column_, y / per_row_);
        bits_[i] |= per_column_ == 2 ? braille[y % 4][x % 2] : 1u;
        owner_[i] = curve;
    }

    int columns_, rows_, per_column_, per_row_;
    std::vector<unsigned> bits_;
    std::vector<std::size_t> owner_;
};

// Names come from files of unknown origin: on a terminal they must not be commands to it.
Plot with_printable_names(Plot plot) {
    for (std::string* text : {&plot.title, &plot.x_label, &plot.x_unit}) *text = printable(*text);
    for (Curve& c : plot.curves)
        for (std::string* text : {&c.label, &c.unit, &c.quantity}) *text = printable(*text);
    for (Mark& m : plot.marks)
        for (std::string* text : {&m.label, &m.unit}) *text = printable(*text);
    return plot;
}

struct Extent {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    void add(double v) {
        low = std::min(low, v);
        high = std::max(high, v);
    }
};

class TerminalPlot {
  public:
    TerminalPlot(const Plot& given, const TerminalStyle& style)
        : plot_(with_printable_names(given)),
          style_(style),
          width_(std::clamp(style.width, 30, 1000)),
          panels_(panels_of(plot_)) {
        const int height = std::clamp(style.height, 8, 500), count = static_cast<int>(panels_.size());
        // Each panel: a line of legend, the dots, the axis; below the last the tick labels and the x label.
        const int frame = (plot_.title.empty() ? 0 : 1) + 2 + 2 * count;
        rows_ = std::max(3, (height - frame) / count);
        for (const PlotPanel& panel : panels_) {
            ys_.push_back(vertical_axis(panel));
            for (const std::string& label : ys_.back().labels)
                label_width_ = std::max(label_width_, letters(label));
        }
        columns_ = std::max(10, width_ - static_cast<int>(label_width_) - 3);
        x_ = horizontal_axis();
    }

    std::string text() {
        if (!plot_.title.empty()) add_title();
        for (std::size_t p = 0; p < panels_.size(); ++p) {
            add_panel(panels_[p], ys_[p]);
            add_frame_below();
        }
        add_labels_below();
        return std::move(out_);
    }

  private:
    std::string shown(const std::string& text) const { return style_.unicode ? text : plain(text); }
    static std::string with_unit(const std::string& label, const std::string& unit) {
        return unit.empty() ? label : label + " [" + unit + "]";
    }
    static auto axis_of(const std::string& unit) { return unit == "°" ? make_degree_axis : make_axis; }
    bool is_on(const Mark& m, const PlotPanel& panel) const {
        return panels_.size() == 1 || m.unit == panel.unit;
    }

    Axis horizontal_axis() const {
        Extent x;
        for (const Curve& c : plot_.curves)
            for (std::size_t i = 0; i < c.x.size() && i < c.y.size(); ++i)
                if (std::isfinite(c.x[i]) && std::isfinite(c.y[i]) && (!plot_.logarithmic_x || c.x[i] > 0))
                    x.add(c.x[i]);
        for (const Mark& m : plot_.marks)
            if (std::isfinite(m.x)) x.add(m.x);
        if (plot_.x_range) x = {plot_.x_range->low, plot_.x_range->high};
        return plot_.logarithmic_x
                   ? make_log_axis(x.low, x.high, std::clamp(columns_ / 8, 2, 12))
                   : axis_of(plot_.x_unit)(x.low, x.high, std::clamp(columns_ / 12, 2, 12), 0);
    }

    Axis vertical_axis(const PlotPanel& panel) const {
        Extent y;
        if (const auto shown = vertical_range(plot_, panel)) y = {shown->low, shown->high};
        for (const Mark& m : plot_.marks)
            if (is_on(m, panel) && std::isfinite(m.y)) y.add(m.y);
        const bool fixed_range = panels_.size() == 1 && plot_.y_range;
        if (fixed_range) y = {plot_.y_range->low, plot_.y_range->high};
        const int wanted = std::clamp(rows_ / 2, 2, 8);
        return plot_.logarithmic_y ? make_log_axis(y.low, y.high, wanted)
                                   : axis_of(panel.unit)(y.low, y.high, wanted, fixed_range ? 0 : 0.02);
    }

    void add_title() {
        const std::string title = shown(plot_.title);
        const std::size_t n = letters(title), columns = static_cast<std::size_t>(columns_);
        out_ += std::string(label_width_ + 1 + (n < columns ? (columns - n) / 2 : 0), ' ') + title + "\n";
    }

    void add_panel(const PlotPanel& panel, const Axis& y) {
        std::vector<std::size_t> drawn;
        for (std::size_t k : panel.curves)
            if (!plot_.curves[k].guide) drawn.push_back(k);
        // Without colour, braille dots of several curves cannot be told apart.
        bool one_colour = true;
        for (std::size_t k : drawn)
            one_colour = one_colour && plot_.curves[k].colour &&
                         plot_.curves[k].colour == plot_.curves[drawn[0]].colour;
        by_marker_ = !style_.unicode || (!style_.colour && drawn.size() > 1 && !one_colour);
        Dots dots(columns_, rows_, by_marker_ ? 1 : 2, by_marker_ ? 1 : 4);
        for (const std::size_t k : drawn) {
            const auto pieces = visible_points(plot_.curves[k], 1, [&](double u, double v) {
                return Point{x_.place(u) * (dots.wide() - 1), (1 - y.place(v)) * (dots.high() - 1)};
            });
            for (const auto& piece : pieces)
                for (std::size_t i = 0; i < piece.size(); ++i)
                    dots.line(piece[i ? i - 1 : 0], piece[i], plot_.curves[k].colour.value_or(k));
        }
        add_legend(drawn, y);
        add_dots(dots, y, marks_on(panel, y));
    }

    // Letters over the dots, by row and column.
    using Letters = std::map<std::pair<int, int>, std::string>;
    Letters marks_on(const PlotPanel& panel, const Axis& y) const {
        Letters at;
        for (const Mark& m : plot_.marks) {
            // Of labels only single letters find room, such as the numbers of curves.
            const bool text = m.kind == MarkKind::Text;
            if (!is_on(m, panel) || (text && letters(m.label) != 1)) continue;
            const double u = x_.place(m.x), v = y.place(m.y);
            if (!(u >= 0 && u <= 1 && v >= 0 && v <= 1)) continue;
            static const char* const signs[] = {"×", "○", "•", "+", "▲"};
            static const char* const plain_signs[] = {"x", "o", "*", "+", "^"};
            const auto kind = static_cast<std::size_t>(m.kind);
            at[{static_cast<int>(std::lround((1 - v) * (rows_ - 1))),
                static_cast<int>(std::lround(u * (columns_ - 1)))}] = text             ? m.label
                                                                      : style_.unicode ? signs[kind]
                                                                                       : plain_signs[kind];
        }
        return at;
    }

    // Over as many lines as it needs; the exponent of the axis before it.
    void add_legend(const std::vector<std::size_t>& drawn, const Axis& y) {
        std::string line(label_width_ + 2, ' ');
        std::size_t used = line.size();
        const auto say = [&](const std::string& text) {
            line += text + "  ";
            used += letters(text) + 2;
        };
        if (const std::string note = shown(y.note()); !note.empty()) say(note);
        bool said = false;  // a quantity that names the whole panel
        for (std::size_t k : drawn) {
            const Curve& c = plot_.curves[k];
            if (!c.quantity.empty() && !said && (c.label.empty() || drawn.size() == 1)) {
                say(shown(with_unit(c.quantity, c.unit)));
                said = true;
            }
            if (c.label.empty() || (drawn.size() == 1 && said)) continue;
            const std::size_t tint = c.colour.value_or(k);
            const std::string label = shown(with_unit(c.label, c.quantity.empty() ? c.unit : ""));
            const std::string sample = by_marker_ ? std::string(1, markers[tint % markers.size()]) : "━━";
            const std::size_t n = letters(label) + letters(sample) + 3;
            if (used + n > static_cast<std::size_t>(width_) && used > label_width_ + 2) {
                out_ += line + "\n";
                line.assign(label_width_ + 2, ' ');
                used = line.size();
            }
            line += painted(sample, tint, style_.colour) + " " + label + "  ";
            used += n;
        }
        while (!line.empty() && line.back() == ' ') line.pop_back();
        out_ += line + "\n";
    }

    void add_dots(const Dots& dots, const Axis& y, const Letters& letters_at) {
        std::vector<std::string> labels(static_cast<std::size_t>(rows_));
        for (std::size_t i = 0; i < y.ticks.size(); ++i) {
            const int row = static_cast<int>(std::lround((1 - y.place(y.ticks[i])) * (dots.high() - 1))) /
                            (dots.high() / rows_);
            if (row >= 0 && row < rows_) labels[static_cast<std::size_t>(row)] = shown(y.labels[i]);
        }
        for (int row = 0; row < rows_; ++row) {
            const std::string& label = labels[static_cast<std::size_t>(row)];
            out_ += padded_left(label, label_width_);
            out_ += style_.unicode ? (label.empty() ? " │" : " ┤") : (label.empty() ? " |" : " +");
            add_row(dots, row, letters_at);
        }
    }

    void add_row(const Dots& dots, int row, const Letters& letters_at) {
        std::string body;
        std::optional<std::size_t> current;  // whose colour is on
        std::size_t end = 0;
        for (int c = 0; c < columns_; ++c) {
            if (const auto letter = letters_at.find({row, c}); letter != letters_at.end()) {
                if (current) body += "\033[0m";
                current.reset();
                body += letter->second;
                end = body.size();
                continue;
            }
            const unsigned bits = dots.bits(c, row);
            if (!bits) {
                body += ' ';
                continue;
            }
            const std::size_t owner = dots.owner(c, row);
            if (style_.colour && current != owner) {
                body += fmt::format("\033[{}m", colours[owner % std::size(colours)]);
                current = owner;
            }
            body += by_marker_ ? std::string(1, markers[owner % markers.size()]) : encode_utf8(0x2800 + bits);
            end = body.size();
        }
        body.resize(end);
        out_ += body;
        if (current) out_ += "\033[0m";
        out_ += "\n";
    }

    int tick_at(double v) const {
        return std::clamp(static_cast<int>(std::lround(x_.place(v) * (columns_ - 1))), 0, columns_ - 1);
    }

    void add_frame_below() {
        std::vector<bool> tick(static_cast<std::size_t>(columns_), false);
        for (double v : x_.ticks) tick[static_cast<std::size_t>(tick_at(v))] = true;
        out_ += std::string(label_width_, ' ') + (style_.unicode ? " └" : " +");
        for (const bool is_tick : tick)
            out_ += style_.unicode ? (is_tick ? "┬" : "─") : (is_tick ? "+" : "-");
        out_ += "\n";
    }

    // Tick labels centred below their ticks, left out where they would touch; the name of the axis.
    void add_labels_below() {
        const std::size_t room = label_width_ + 2 + static_cast<std::size_t>(columns_);
        std::u32string below(room + 1, U' ');
        std::size_t free_from = 0;
        for (std::size_t i = 0; i < x_.ticks.size(); ++i) {
            const std::u32string text = decode_utf8(shown(x_.labels[i]));
            const std::size_t middle = label_width_ + 2 + static_cast<std::size_t>(tick_at(x_.ticks[i]));
            std::size_t from = middle - std::min(middle, text.size() / 2);
            if (from + text.size() > below.size()) from = below.size() - std::min(below.size(), text.size());
            if (i > 0 && from < free_from) continue;
            for (std::size_t k = 0; k < text.size() && from + k < below.size(); ++k)
                below[from + k] = text[k];
            free_from = from + text.size() + 1;
        }
        while (!below.empty() && below.back() == U' ') below.pop_back();
        for (char32_t c : below) out_ += encode_utf8(c);
        out_ += "\n";
        std::string name = shown(with_unit(plot_.x_label, plot_.x_unit));
        if (!x_.note().empty()) name += "  " + shown(x_.note());
        const std::size_t n = letters(name);
        out_ += std::string(n < room ? (room + label_width_ + 2 - n) / 2 : 0, ' ') + name + "\n";
    }

    const Plot plot_;
    const TerminalStyle& style_;
    int width_, rows_ = 0, columns_ = 0;
    std::vector<PlotPanel> panels_;
    std::vector<Axis> ys_;
    Axis x_;
    std::size_t label_width_ = 1;
    bool by_marker_ = false;  // one sign for each curve, not dots
    std::string out_;
};

}  // namespace

std::string to_terminal(const Plot& given, const TerminalStyle& style) {
    return TerminalPlot(given, style).text();
}

}  // namespace cutset

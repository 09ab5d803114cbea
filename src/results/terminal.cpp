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

}  // namespace

namespace {

// Names come from files of unknown origin: on a terminal they must not be commands to it.
Plot with_printable_names(Plot plot) {
    for (std::string* text : {&plot.title, &plot.x_label, &plot.x_unit}) *text = printable(*text);
    for (Curve& c : plot.curves)
        for (std::string* text : {&c.label, &c.unit, &c.quantity}) *text = printable(*text);
    for (Mark& m : plot.marks)
        for (std::string* text : {&m.label, &m.unit}) *text = printable(*text);
    return plot;
}

}  // namespace

std::string to_terminal(const Plot& given, const TerminalStyle& style) {
    const Plot plot = with_printable_names(given);
    const int width = std::clamp(style.width, 30, 1000), height = std::clamp(style.height, 8, 500);
    const std::vector<PlotPanel> panels = panels_of(plot);
    const auto shown = [&](const std::string& text) { return style.unicode ? text : plain(text); };
    const auto with_unit = [](const std::string& label, const std::string& unit) {
        return unit.empty() ? label : label + " [" + unit + "]";
    };

    double x_low = std::numeric_limits<double>::infinity(), x_high = -x_low;
    for (const Curve& c : plot.curves)
        for (std::size_t i = 0; i < c.x.size() && i < c.y.size(); ++i)
            if (std::isfinite(c.x[i]) && std::isfinite(c.y[i]) && (!plot.logarithmic_x || c.x[i] > 0)) {
                x_low = std::min(x_low, c.x[i]);
                x_high = std::max(x_high, c.x[i]);
            }
    for (const Mark& m : plot.marks)
        if (std::isfinite(m.x)) {
            x_low = std::min(x_low, m.x);
            x_high = std::max(x_high, m.x);
        }
    if (plot.x_range) x_low = plot.x_range->low, x_high = plot.x_range->high;
    const int count = static_cast<int>(panels.size());
    // Each panel: a line of legend, the dots, the axis; below the last the tick labels and the x label.
    const int frame = (plot.title.empty() ? 0 : 1) + 2 + 2 * count;
    const int rows = std::max(3, (height - frame) / count);

    std::vector<Axis> ys;
    std::size_t label_width = 1;
    for (const PlotPanel& panel : panels) {
        double low = std::numeric_limits<double>::infinity(), high = -low;
        for (std::size_t k : panel.curves)
            for (double v : plot.curves[k].y)
                if (std::isfinite(v) && (!plot.logarithmic_y || v > 0)) {
                    low = std::min(low, v);
                    high = std::max(high, v);
                }
        for (const Mark& m : plot.marks)
            if ((count == 1 || m.unit == panel.unit) && std::isfinite(m.y)) {
                low = std::min(low, m.y);
                high = std::max(high, m.y);
            }
        const bool fixed_range = count == 1 && plot.y_range;
        if (fixed_range) low = plot.y_range->low, high = plot.y_range->high;
        const int wanted = std::clamp(rows / 2, 2, 8);
        ys.push_back(plot.logarithmic_y ? make_log_axis(low, high, wanted)
                                        : (panel.unit == "°" ? make_degree_axis : make_axis)(
                                              low, high, wanted, fixed_range ? 0 : 0.02));
        for (const std::string& label : ys.back().labels) label_width = std::max(label_width, letters(label));
    }
    const int columns = std::max(10, width - static_cast<int>(label_width) - 3);
    const Axis x = plot.logarithmic_x ? make_log_axis(x_low, x_high, std::clamp(columns / 8, 2, 12))
                                      : (plot.x_unit == "°" ? make_degree_axis : make_axis)(
                                            x_low, x_high, std::clamp(columns / 12, 2, 12), 0);

    std::string out;
    if (!plot.title.empty()) {
        const std::string title = shown(plot.title);
        const std::size_t n = letters(title);
        out +=
            std::string(
                label_width + 1 +
                    (n < static_cast<std::size_t>(columns) ? (static_cast<std::size_t>(columns) - n) / 2 : 0),
                ' ') +
            title + "\n";
    }
    for (std::size_t p = 0; p < panels.size(); ++p) {
        const PlotPanel& panel = panels[p];
        const Axis& y = ys[p];
        // Without colour, braille dots of several curves cannot be told apart.
        std::vector<std::size_t> drawn;
        for (std::size_t k : panel.curves)
            if (!plot.curves[k].guide) drawn.push_back(k);
        bool one_colour = true;
        for (std::size_t k : drawn)
            one_colour =
                one_colour && plot.curves[k].colour && plot.curves[k].colour == plot.curves[drawn[0]].colour;
        const bool by_marker = !style.unicode || (!style.colour && drawn.size() > 1 && !one_colour);
        Dots dots(columns, rows, by_marker ? 1 : 2, by_marker ? 1 : 4);
        for (const std::size_t k : drawn) {
            const auto pieces = visible_points(plot.curves[k], 1, [&](double u, double v) {
                return Point{x.place(u) * (dots.wide() - 1), (1 - y.place(v)) * (dots.high() - 1)};
            });
            for (const auto& piece : pieces)
                for (std::size_t i = 0; i < piece.size(); ++i)
                    dots.line(piece[i ? i - 1 : 0], piece[i], plot.curves[k].colour.value_or(k));
        }
        // Marks are letters over the dots.
        std::map<std::pair<int, int>, std::string> letters_at;
        for (const Mark& m : plot.marks) {
            // Of labels only single letters find room, such as the numbers of curves.
            const bool text = m.kind == MarkKind::Text;
            if ((count > 1 && m.unit != panel.unit) || (text && letters(m.label) != 1)) continue;
            const double u = x.place(m.x), v = y.place(m.y);
            if (!(u >= 0 && u <= 1 && v >= 0 && v <= 1)) continue;
            static const char* const signs[] = {"×", "○", "•", "+", "▲"};
            static const char* const plain_signs[] = {"x", "o", "*", "+", "^"};
            const auto kind = static_cast<std::size_t>(m.kind);
            letters_at[{static_cast<int>(std::lround((1 - v) * (rows - 1))),
                        static_cast<int>(std::lround(u * (columns - 1)))}] = text ? m.label
                                                                             : style.unicode
                                                                                 ? signs[kind]
                                                                                 : plain_signs[kind];
        }
        // The legend, over as many lines as it needs; the exponent of the axis before it.
        std::string line(label_width + 2, ' ');
        std::size_t used = line.size();
        const std::string note = shown(y.note());
        if (!note.empty()) {
            line += note + "  ";
            used += letters(note) + 2;
        }
        std::string said;  // a quantity that names the whole panel
        for (std::size_t k : drawn) {
            const Curve& c = plot.curves[k];
            if (!c.quantity.empty() && said.empty() && (c.label.empty() || drawn.size() == 1)) {
                said = shown(with_unit(c.quantity, c.unit)) + "  ";
                line += said;
                used += letters(said);
            }
            if (c.label.empty() || (drawn.size() == 1 && !said.empty())) continue;
            const std::size_t tint = c.colour.value_or(k);
            const std::string label = shown(with_unit(c.label, c.quantity.empty() ? c.unit : ""));
            const std::string sample = by_marker ? std::string(1, markers[tint % markers.size()]) : "━━";
            const std::size_t n = letters(label) + letters(sample) + 3;
            if (used + n > static_cast<std::size_t>(width) && used > label_width + 2) {
                out += line + "\n";
                line.assign(label_width + 2, ' ');
                used = line.size();
            }
            line += painted(sample, tint, style.colour) + " " + label + "  ";
            used += n;
        }
        while (!line.empty() && line.back() == ' ') line.pop_back();
        out += line + "\n";

        std::vector<std::string> labels(static_cast<std::size_t>(rows));
        for (std::size_t i = 0; i < y.ticks.size(); ++i) {
            const int row = static_cast<int>(std::lround((1 - y.place(y.ticks[i])) * (dots.high() - 1))) /
                            (dots.high() / rows);
            if (row >= 0 && row < rows) labels[static_cast<std::size_t>(row)] = shown(y.labels[i]);
        }
        for (int row = 0; row < rows; ++row) {
            const std::string& label = labels[static_cast<std::size_t>(row)];
            out += padded_left(label, label_width);
            out += style.unicode ? (label.empty() ? " │" : " ┤") : (label.empty() ? " |" : " +");
            std::string body;
            std::optional<std::size_t> current;  // whose colour is on
            std::size_t end = 0;
            for (int c = 0; c < columns; ++c) {
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
                if (style.colour && current != owner) {
                    body += fmt::format("\033[{}m", colours[owner % std::size(colours)]);
                    current = owner;
                }
                body +=
                    by_marker ? std::string(1, markers[owner % markers.size()]) : encode_utf8(0x2800 + bits);
                end = body.size();
            }
            body.resize(end);
            out += body;
            if (current) out += "\033[0m";
            out += "\n";
        }
        std::vector<bool> tick(static_cast<std::size_t>(columns), false);
        const auto tick_at = [&](double v) {
            return std::clamp(static_cast<int>(std::lround(x.place(v) * (columns - 1))), 0, columns - 1);
        };
        for (double v : x.ticks) tick[static_cast<std::size_t>(tick_at(v))] = true;
        out += std::string(label_width, ' ') + (style.unicode ? " └" : " +");
        for (int c = 0; c < columns; ++c)
            out += style.unicode ? (tick[static_cast<std::size_t>(c)] ? "┬" : "─")
                                 : (tick[static_cast<std::size_t>(c)] ? "+" : "-");
        out += "\n";
        if (p + 1 < panels.size()) continue;

        // Tick labels centred below their ticks, left out where they would touch.
        std::u32string below(label_width + 2 + static_cast<std::size_t>(columns) + 1, U' ');
        std::size_t free_from = 0;
        for (std::size_t i = 0; i < x.ticks.size(); ++i) {
            const std::u32string text = decode_utf8(shown(x.labels[i]));
            const std::size_t middle = label_width + 2 + static_cast<std::size_t>(tick_at(x.ticks[i]));
            std::size_t from = middle - std::min(middle, text.size() / 2);
            if (from + text.size() > below.size()) from = below.size() - std::min(below.size(), text.size());
            if (i > 0 && from < free_from) continue;
            for (std::size_t k = 0; k < text.size() && from + k < below.size(); ++k)
                below[from + k] = text[k];
            free_from = from + text.size() + 1;
        }
        while (!below.empty() && below.back() == U' ') below.pop_back();
        for (char32_t c : below) out += encode_utf8(c);
        out += "\n";
        std::string name = shown(with_unit(plot.x_label, plot.x_unit));
        if (!x.note().empty()) name += "  " + shown(x.note());
        const std::size_t n = letters(name);
        const std::size_t room = label_width + 2 + static_cast<std::size_t>(columns);
        out +=
            std::string(n < room ? (room + label_width + 2 - std::min(n, room)) / 2 : 0, ' ') + name + "\n";
    }
    return out;
}

}  // namespace cutset

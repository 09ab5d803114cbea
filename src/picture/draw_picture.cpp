#include "picture/draw_picture.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "picture/text_of.h"

namespace cutset::picture {

namespace {

constexpr Colour paper{255, 255, 255}, ink{34, 40, 49}, soft{110, 120, 132}, faint{222, 227, 233};
constexpr Colour block_fill{244, 247, 251}, block_line{72, 93, 117}, inner_fill{255, 255, 255};
constexpr Colour symbol_fill{252, 250, 242}, symbol_line{122, 104, 54}, missing_line{190, 60, 40};
constexpr Colour joint_colour{52, 76, 110}, signal_colour{64, 128, 84}, text_fill{250, 250, 248};
constexpr double smallest_text = 3.2, smallest_bar = 1.0;  // pixels
constexpr double opens_at = 40;                            // pixels: a block narrower than this stays closed
constexpr double most_width = 16000;

// Flows have the colours that engineers give them; other connections one colour.
Colour line_colour(const Line& line) {
    if (line.kind == LineKind::Signal) return signal_colour;
    constexpr Colour of_media[] = {joint_colour,   {196, 64, 48}, {40, 112, 190}, {150, 120, 60},
                                   {222, 132, 20}, {130, 90, 40}, {110, 70, 150}, {90, 90, 100},
                                   {90, 160, 170}, {140, 110, 30}};
    return of_media[static_cast<std::size_t>(medium_of(line.name))];
}

// "#rrggbb"
std::optional<Colour> written_colour(const std::string& name) {
    if (name.size() != 7 || name[0] != '#') return std::nullopt;
    unsigned value = 0;
    const auto [end, error] = std::from_chars(name.data() + 1, name.data() + 7, value, 16);
    if (error != std::errc() || end != name.data() + 7) return std::nullopt;
    return Colour{static_cast<std::uint8_t>(value >> 16), static_cast<std::uint8_t>(value >> 8),
                  static_cast<std::uint8_t>(value)};
}

Colour fill_of(const std::string& name) {
    if (const auto colour = written_colour(name)) return *colour;
    constexpr std::pair<std::string_view, Colour> known[] = {{"paper", paper},
                                                             {"ink", ink},
                                                             {"grey", {205, 211, 219}},
                                                             {"blue", {150, 195, 235}},
                                                             {"orange", {248, 190, 110}},
                                                             {"red", {232, 130, 115}},
                                                             {"green", {160, 205, 150}},
                                                             {"yellow", {248, 225, 130}}};
    for (const auto& [word, colour] : known)
        if (name == word) return colour;
    return {205, 211, 219};
}

// From the coordinates of a class to pixels.
struct Frame {
    double scale = 1, x = 0, y = 0;
    Point at(Spot p) const { return {x + scale * p.x, y - scale * p.y}; }
    Rectangle at(const Box& b) const {
        const Point low = at(Spot{b.left, b.bottom}), high = at(Spot{b.right, b.top});
        return {low.x, high.y, high.x, low.y};
    }
};

// The class into a rectangle: as large as it can be, in the middle.
Frame fitted(const Box& from, const Rectangle& to) {
    Frame f;
    f.scale = std::min(to.width() / from.width(), to.height() / from.height());
    f.x = (to.left + to.right) / 2 - f.scale * (from.left + from.right) / 2;
    f.y = (to.top + to.bottom) / 2 + f.scale * (from.bottom + from.top) / 2;
    return f;
}

Rectangle smaller(const Rectangle& r, double x, double y) {
    return {r.left + x, r.top + y, r.right - x, r.bottom - y};
}

std::string shown_name(const TextPart& t) {
    return t.name + t.dimensions;
}

// The lines that tell what a class without blocks is: parameters, then equations.
std::vector<std::string> text_lines(const ClassPicture& p, bool beside_blocks) {
    std::vector<std::string> out;
    const auto add = [&](const std::string& text) {
        for (std::size_t begin = 0; begin <= text.size();) {
            const std::size_t end = std::min(text.find('\n', begin), text.size());
            std::string line = text.substr(begin, end - begin);
            while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.pop_back();
            for (std::string& part : wrapped(line, 64)) out.push_back(std::move(part));
            begin = end + 1;
        }
    };
    if (!beside_blocks) {
        for (const TextPart& t : p.texts) {
            if (t.kind != TextKind::Parameter && t.kind != TextKind::Constant) continue;
            std::string line = shown_name(t);
            if (!t.value.empty()) line += " = " + t.value;
            if (!t.unit.empty()) line += " [" + t.unit + "]";
            if (!t.description.empty()) line += "   " + t.description;
            add(line);
        }
        if (!out.empty()) out.push_back("");
    }
    for (const TextPart& t : p.texts) {
        if (t.drawn) continue;
        const bool initial = !beside_blocks && t.kind == TextKind::Initial;
        if (t.kind == TextKind::Equation || t.kind == TextKind::Event || initial) add(t.text);
    }
    while (!out.empty() && out.back().empty()) out.pop_back();
    return out;
}

class PictureDrawing {
  public:
    PictureDrawing(ClassPictures& pictures, Canvas& canvas) : pictures_(pictures), canvas_(canvas) {}

    // The inside of a class in the rectangle. In a block the names of its ports stand in the border.
    void inside(const ClassPicture& p, const Rectangle& area, int depth, bool in_block) {
        const Frame f = fitted(p.frame, area);
        if (p.blocks.empty()) {
            leaf(p, in_block ? area : f.at(p.frame), in_block);
            return;
        }
        lines(p, f);
        for (const Block& b : p.blocks) block(b, f, depth);
        displays(p, f);
        frame_ports(p, f, !in_block);
        if (p.text_box) {
            const Rectangle box = f.at(*p.text_box);
            const std::vector<std::string> text = text_lines(p, true);
            if (!text.empty()) {
                canvas_.fill(box, text_fill);
                frame(box, faint, 0.8);
                text_in(text, smaller(box, 4, 3), 3.4 * f.scale);
            }
        }
    }

    // A block from outside, in its rectangle.
    void closed(const Block& b, const Rectangle& r, double unit) {
        if (!b.dimensions.empty())
            for (const int k : {2, 1}) {
                const double d = k * 1.1 * unit;
                const Rectangle behind{r.left + d, r.top - d, r.right + d, r.bottom - d};
                canvas_.fill(behind, block_fill);
                frame(behind, block_line, 0.8);
            }
        canvas_.fill(r, block_fill);
        const bool missing = b.key.empty();
        frame(r, missing ? missing_line : block_line, std::clamp(0.35 * unit, 0.4, 1.6),
              b.conditional || missing);
        std::string name = b.name + b.dimensions;
        if (missing) name += " ?";
        const bool picture = !b.icon.primitives.empty();
        const double most = r.width() * 0.92;
        const double size = fitting_size(name, std::min(4.4 * unit, r.height() * 0.26), most);
        if (picture) {
            const double room = r.height() - size * 1.9;
            const double half = std::min(room, r.width() * 0.8) * 0.4;
            icon(b.icon, {(r.left + r.right) / 2, r.top + room / 2 + 0.06 * r.height()}, half);
            label({(r.left + r.right) / 2, r.bottom - size * 0.55}, name, size, Anchor::Middle, ink);
        } else {
            label({(r.left + r.right) / 2, (r.top + r.bottom) / 2 + size * 0.35}, name, size, Anchor::Middle,
                  ink);
            if (!b.type.empty() && b.type != b.name)
                label({(r.left + r.right) / 2, (r.top + r.bottom) / 2 + size * 1.35}, b.type,
                      fitting_size(b.type, size * 0.72, most), Anchor::Middle, soft);
        }
    }

    void icon(const Icon& icon, Point middle, double half) {
        const double width = std::clamp(half * 0.07, 0.4, 1.8);
        const auto at = [&](Spot p) { return Point{middle.x + half * p.x, middle.y - half * p.y}; };
        for (const Primitive& p : icon.primitives) {
            if (p.points.empty()) continue;
            const Colour stroke = written_colour(p.stroke).value_or(block_line);
            if (p.shape == Shape::Text) {
                const double wanted = p.size > 0 ? half * p.size * 0.6 : half * 0.8;
                const double size = std::min(wanted, fitting_size(p.text, wanted, half * 1.6));
                const Point where = at(p.points[0]);
                label({where.x, where.y + size * 0.36}, p.text, size, Anchor::Middle,
                      p.stroke.empty() ? ink : stroke);
                continue;
            }
            std::vector<Point> points;
            if (p.shape == Shape::Rectangle && p.points.size() > 1) {
                const Point a = at(p.points[0]), b = at(p.points[1]);
                points = {a, {b.x, a.y}, b, {a.x, b.y}};
            } else if (p.shape == Shape::Ellipse && p.points.size() > 1) {
                const Point a = at(p.points[0]), b = at(p.points[1]);
                points = ellipse({(a.x + b.x) / 2, (a.y + b.y) / 2}, std::fabs(b.x - a.x) / 2,
                                 std::fabs(b.y - a.y) / 2);
            } else {
                for (const Spot& s : p.points) points.push_back(at(s));
            }
            const bool closed = p.shape != Shape::Line;
            if (closed && p.fill != "none") canvas_.fill(points, fill_of(p.fill));
            if (closed) points.push_back(points.front());
            if (p.stroke != "none") canvas_.polyline(points, {stroke, width});
        }
    }

    // Texts that say what a class is that has no blocks; a curve, if it has one.
    void leaf(const ClassPicture& p, const Rectangle& r, bool in_block) {
        const double unit = r.width() / p.frame.width();
        std::vector<std::string> lines = text_lines(p, false);
        Rectangle area = in_block ? smaller(r, 3 * unit, 3 * unit) : smaller(r, 14 * unit, 10 * unit);
        std::vector<const TablePicture::Curve*> curves;
        for (const TablePicture& t : p.tables)
            for (const TablePicture::Curve& c : t.curves)
                if (c.points.size() > 1) curves.push_back(&c);
        if (!curves.empty()) {
            Rectangle plot = area;
            if (!lines.empty()) {
                plot.left = area.right - area.width() * 0.45;
                area.right = plot.left - 6 * unit;
            }
            characteristic(curves, plot, unit);
        }
        if (lines.empty() && curves.empty() && !p.icon.primitives.empty()) {
            icon(p.icon, {(r.left + r.right) / 2, (r.top + r.bottom) / 2}, r.height() * 0.3);
        } else {
            text_in(lines, area, 8 * unit);
        }
        if (!in_block) frame_ports(p, fitted(p.frame, r), true);
    }

    void frame(const Rectangle& r, Colour colour, double width, bool dashed = false) {
        const Point corners[] = {
            {r.left, r.top}, {r.right, r.top}, {r.right, r.bottom}, {r.left, r.bottom}, {r.left, r.top}};
        Pen pen{colour, width};
        if (dashed) pen.dash = {3 * width + 2, 2 * width + 2};
        canvas_.polyline(corners, pen);
    }

    // A text, a grey bar where it would be too small, or nothing.
    void label(Point at, const std::string& text, double size, Anchor anchor, Colour colour) {
        if (text.empty() || size < smallest_bar) return;
        if (size >= smallest_text) {
            canvas_.text(at, text, {size, anchor, false, colour});
            return;
        }
        const double width = canvas_.text_width(text, size);
        const double left = anchor == Anchor::Middle ? at.x - width / 2
                            : anchor == Anchor::End  ? at.x - width
                                                     : at.x;
        canvas_.fill({left, at.y - size * 0.6, left + width, at.y - size * 0.15}, faint);
    }

  private:
    static std::vector<Point> ellipse(Point middle, double a, double b) {
        std::vector<Point> out;
        constexpr int corners = 36;
        for (int k = 0; k < corners; ++k) {
            const double angle = 2 * std::numbers::pi * k / corners;
            out.push_back({middle.x + a * std::cos(angle), middle.y + b * std::sin(angle)});
        }
        return out;
    }

    double fitting_size(const std::string& text, double size, double width) const {
        const double needs = canvas_.text_width(text, size);
        return needs > width ? size * width / needs : size;
    }

    // Lines of text as large as they fit, from the top.
    void text_in(const std::vector<std::string>& lines, const Rectangle& r, double largest) {
        if (lines.empty() || r.width() <= 0 || r.height() <= 0) return;
        constexpr double leading = 1.3;
        double widest = 1;
        for (const std::string& l : lines) widest = std::max(widest, canvas_.text_width(l, 10));
        const double size = std::min(
            {largest, 10 * r.width() / widest, r.height() / (leading * static_cast<double>(lines.size()))});
        double y = r.top + size;
        for (const std::string& l : lines) {
            label({r.left, y}, l, size, Anchor::Start, ink);
            y += leading * size;
        }
    }

    // ---- lines

    void lines(const ClassPicture& p, const Frame& f) {
        const double width = std::clamp(0.32 * f.scale, 0.35, 1.8);
        for (const Line& l : p.lines) {
            std::vector<Point> points;
            for (const Spot& s : l.points) points.push_back(f.at(s));
            if (points.size() < 2) continue;
            Pen pen{line_colour(l), l.kind == LineKind::Signal ? width * 0.8 : width};
            if (l.conditional) pen.dash = {4 * width, 3 * width};
            if (l.kind == LineKind::Signal) {
                arrow(points, pen.colour, 1.9 * f.scale);
            }
            canvas_.polyline(points, pen);
        }
        for (const auto& [spot, colour] : branchings(p)) {
            const Point dot[] = {f.at(spot)};
            canvas_.polyline(dot, {colour, 1.5 * f.scale});
        }
    }

    void arrow(std::vector<Point>& points, Colour colour, double size) {
        const Point tip = points.back(), before = points[points.size() - 2];
        const double length = std::hypot(tip.x - before.x, tip.y - before.y);
        if (length < 1e-9) return;
        const double dx = (tip.x - before.x) / length, dy = (tip.y - before.y) / length;
        const Point back{tip.x - size * dx, tip.y - size * dy};
        const Point head[] = {tip,
                              {back.x - 0.45 * size * dy, back.y + 0.45 * size * dx},
                              {back.x + 0.45 * size * dy, back.y - 0.45 * size * dx}};
        canvas_.fill(head, colour);
        if (length > size) points.back() = back;
    }

    // Where lines from one terminal part: the last point that two of them share.
    static std::vector<std::pair<Spot, Colour>> branchings(const ClassPicture& p) {
        std::map<std::pair<double, double>, std::vector<std::pair<std::size_t, bool>>> ends;
        for (std::size_t i = 0; i < p.lines.size(); ++i) {
            if (p.lines[i].points.size() < 2) continue;
            const Spot a = p.lines[i].points.front(), b = p.lines[i].points.back();
            ends[{a.x, a.y}].emplace_back(i, true);
            ends[{b.x, b.y}].emplace_back(i, false);
        }
        std::vector<std::pair<Spot, Colour>> out;
        for (const auto& [at, here] : ends)
            for (std::size_t k = 1; k < here.size() && k < 40; ++k) {
                std::optional<Spot> farthest;
                double most = 1.0;
                for (std::size_t m = 0; m < k; ++m) {
                    const auto [spot, length] = shared(points_from(p, here[m]), points_from(p, here[k]));
                    if (length > most) {
                        most = length;
                        farthest = spot;
                    }
                }
                if (farthest) out.emplace_back(*farthest, line_colour(p.lines[here[k].first]));
            }
        return out;
    }

    static std::vector<Spot> points_from(const ClassPicture& p, std::pair<std::size_t, bool> end) {
        std::vector<Spot> points = p.lines[end.first].points;
        if (!end.second) std::reverse(points.begin(), points.end());
        return points;
    }

    // How far two ways from one point run together.
    static std::pair<Spot, double> shared(const std::vector<Spot>& a, const std::vector<Spot>& b) {
        double length = 0;
        Spot at = a.front();
        for (std::size_t k = 1; k < a.size() && k < b.size(); ++k) {
            const double ax = a[k].x - at.x, ay = a[k].y - at.y, bx = b[k].x - at.x, by = b[k].y - at.y;
            const double la = std::hypot(ax, ay), lb = std::hypot(bx, by);
            if (la < 1e-9 || lb < 1e-9 || std::fabs(ax * by - ay * bx) > 1e-6 * la * lb ||
                ax * bx + ay * by < 0)
                return {at, length};
            if (std::fabs(la - lb) > 1e-6) {
                const double less = std::min(la, lb);
                return {{at.x + ax / la * less, at.y + ay / la * less}, length + less};
            }
            at = a[k];
            length += la;
        }
        return {at, length};
    }

    // ---- blocks

    void block(const Block& b, const Frame& f, int depth) {
        const Rectangle r = f.at(
            Box{b.at.x - b.width / 2, b.at.y - b.height / 2, b.at.x + b.width / 2, b.at.y + b.height / 2});
        if (b.kind != BlockKind::Submodel) return symbol(b, r, f.scale);
        const ClassPicture* inner = b.key.empty() ? nullptr : pictures_.picture(b.key);
        const bool opened =
            depth > 1 && inner && shown(*inner, Level::Inside, r.width()).value_or(r.width() >= opens_at);
        if (opened)
            open(b, *inner, r, f.scale, depth);
        else
            closed(b, r, f.scale);
        if (inner && !opened && shown(*inner, Level::Text, r.width()).value_or(false)) purpose(*inner, r);
        for (const Block::Terminal& t : b.terminals) terminal(b, t, f, opened);
    }

    // What `--@ show` says of a level at this width; nothing where it does not speak of it.
    static std::optional<bool> shown(const ClassPicture& p, Level level, double width) {
        for (const Breakpoint& b : p.breakpoints)
            if (b.level == level) return (!b.below || width < *b.below) && (!b.above || width >= *b.above);
        return std::nullopt;
    }

    // The text that the modeller gave to a level, over the closed block.
    void purpose(const ClassPicture& p, const Rectangle& r) {
        std::string text = p.title;
        for (const Breakpoint& b : p.breakpoints)
            if (b.level == Level::Text && !b.text.empty()) text = b.text;
        if (text.empty()) return;
        const Rectangle area = smaller(r, r.width() * 0.06, r.height() * 0.06);
        const Rectangle room{area.left, area.top, area.right, area.top + area.height() * 0.5};
        canvas_.fill(room, block_fill);
        text_in(wrapped(text, 22), room, room.height() * 0.4);
    }

    // `--@ plot`: the curves are those of a run; on paper there are the axes and the names.
    void displays(const ClassPicture& p, const Frame& f) {
        for (const Display& d : p.displays) {
            const Rectangle r = f.at(Box{d.at.x - d.width / 2, d.at.y - d.height / 2, d.at.x + d.width / 2,
                                         d.at.y + d.height / 2});
            canvas_.fill(r, paper);
            frame(r, faint, 0.8);
            std::string names;
            for (const std::string& v : d.variables) names += (names.empty() ? "" : ", ") + v;
            const double size =
                fitting_size(names, std::min(3.4 * f.scale, r.height() * 0.2), r.width() * 0.9);
            label({r.left + r.width() * 0.05, r.top + size * 1.3}, names, size, Anchor::Start, soft);
            const Point axes[] = {{r.left + r.width() * 0.06, r.top + size * 2},
                                  {r.left + r.width() * 0.06, r.bottom - r.height() * 0.1},
                                  {r.right - r.width() * 0.05, r.bottom - r.height() * 0.1}};
            canvas_.polyline(axes, {soft, 0.8});
        }
    }

    // Two rectangles, one in the other; between them the name and the interface.
    void open(const Block& b, const ClassPicture& inner, const Rectangle& r, double unit, int depth) {
        canvas_.fill(r, block_fill);
        frame(r, block_line, std::clamp(0.3 * unit, 0.4, 1.6), b.conditional);
        const Rectangle in = smaller(r, r.width() * 0.1, r.height() * 0.1);
        canvas_.fill(in, inner_fill);
        frame(in, faint, std::clamp(0.15 * unit, 0.3, 1.0));
        const double size = fitting_size(b.name + b.dimensions, r.height() * 0.065, r.width() * 0.6);
        label({in.left, in.top - size * 0.35}, b.name + b.dimensions, size, Anchor::Start, ink);
        if (b.type != b.name) {
            const double after = in.left + canvas_.text_width(b.name + b.dimensions, size) + size * 0.8;
            label({after, in.top - size * 0.35}, b.type, size * 0.8, Anchor::Start, soft);
        }
        inside(inner, smaller(in, in.width() * 0.01, in.height() * 0.01), depth - 1, true);
    }

    void terminal(const Block& b, const Block::Terminal& t, const Frame& f, bool opened) {
        const Point at = f.at(t.at);
        const double half = std::min(0.75 * f.scale, 4.0);
        if (half < 0.5) return;
        const Rectangle box{at.x - half, at.y - half, at.x + half, at.y + half};
        canvas_.fill(box, paper);
        frame(box, block_line, std::clamp(0.2 * f.scale, 0.3, 1.0));
        if (!opened) return;
        const bool upright = t.side == Side::Left || t.side == Side::Right;
        const double room = upright ? 0.1 * b.width * f.scale - 2.2 * half : b.width * f.scale;
        const double size = fitting_size(t.port, std::min(f.scale * b.height * 0.045, 9.0), room);
        if (size < smallest_text) return;
        switch (t.side) {
            case Side::Left:
                return label({at.x + half * 1.6, at.y + size * 0.35}, t.port, size, Anchor::Start, soft);
            case Side::Right:
                return label({at.x - half * 1.6, at.y + size * 0.35}, t.port, size, Anchor::End, soft);
            case Side::Top:
                return label({at.x, at.y + half * 1.4 + size}, t.port, size, Anchor::Middle, soft);
            case Side::Bottom:
                return label({at.x, at.y - half * 1.8}, t.port, size, Anchor::Middle, soft);
        }
    }

    void symbol(const Block& b, const Rectangle& r, double unit) {
        const Point middle{(r.left + r.right) / 2, (r.top + r.bottom) / 2};
        const Pen pen{symbol_line, std::clamp(0.3 * unit, 0.4, 1.4)};
        if (b.kind == BlockKind::Node) {
            const Point dot[] = {middle};
            canvas_.polyline(dot, {joint_colour, std::max(1.6 * unit, 1.0)});
            return;
        }
        const bool round =
            b.kind == BlockKind::Sum || b.kind == BlockKind::Product || b.kind == BlockKind::Negate;
        if (round) {
            std::vector<Point> circle = ellipse(middle, r.width() / 2, r.height() / 2);
            canvas_.fill(circle, symbol_fill);
            circle.push_back(circle.front());
            canvas_.polyline(circle, pen);
            const std::string sign = b.kind == BlockKind::Sum       ? "Σ"
                                     : b.kind == BlockKind::Product ? "Π"
                                                                    : "−1";
            const double size = r.height() * 0.48;
            label({middle.x, middle.y + size * 0.36}, sign, size, Anchor::Middle, ink);
            if (b.kind == BlockKind::Sum) signs(b, r, unit);
            return;
        }
        canvas_.fill(r, symbol_fill);
        frame(r, symbol_line, pen.width);
        const std::vector<std::string> lines = wrapped(b.text, expression_line);
        if (lines.empty()) return;
        double size = std::min(4.2 * unit, r.height() / (1.1 * static_cast<double>(lines.size())));
        for (const std::string& l : lines) size = fitting_size(l, size, r.width() * 0.92);
        double y = middle.y + size * 0.36 - 0.55 * size * static_cast<double>(lines.size() - 1);
        for (const std::string& l : lines) {
            label({middle.x, y}, l, size, Anchor::Middle, ink);
            y += 1.1 * size;
        }
    }

    // The sign of each operand, beside where it comes in.
    void signs(const Block& b, const Rectangle& r, double unit) {
        const double size = 3.2 * unit;
        for (std::size_t k = 0; k < b.text.size() && k < b.terminals.size(); ++k) {
            if (b.text[k] != '-') continue;
            const Side side = b.terminals[k].side;
            const Point at =
                side == Side::Left     ? Point{r.left - 1.6 * unit, (r.top + r.bottom) / 2 - 1.2 * unit}
                : side == Side::Bottom ? Point{(r.left + r.right) / 2 - 2.2 * unit, r.bottom + 3 * unit}
                                       : Point{(r.left + r.right) / 2 - 2.2 * unit, r.top - 1 * unit};
            label(at, "−", size, Anchor::Middle, ink);
        }
    }

    // ---- the frame

    void frame_ports(const ClassPicture& p, const Frame& f, bool named) {
        const double size = std::min(3.6 * f.scale, 11.0);
        for (const Port& port : p.ports) {
            const Point at = f.at(port.inside);
            const double half = std::min(1.1 * f.scale, 5.0);
            if (half < 0.4) continue;
            const bool grouped = std::any_of(port.parts.begin(), port.parts.end(), [&](const Port& part) {
                return !part.name.empty() && find_port(p.ports, part.name) != nullptr;
            });
            if (grouped) continue;  // its parts are there
            const Rectangle box{at.x - half, at.y - half, at.x + half, at.y + half};
            canvas_.fill(box, port.kind == PortKind::Cut ? block_fill : symbol_fill);
            frame(box, block_line, std::clamp(0.2 * f.scale, 0.3, 1.2));
            if (!named) continue;
            const double gap = half + size * 0.35;
            switch (port.side) {
                case Side::Left:
                    label({at.x + gap, at.y - gap * 0.8}, port.name, size, Anchor::Start, soft);
                    break;
                case Side::Right:
                    label({at.x - gap, at.y - gap * 0.8}, port.name, size, Anchor::End, soft);
                    break;
                case Side::Top:
                    label({at.x + gap, at.y + gap + size * 0.6}, port.name, size, Anchor::Start, soft);
                    break;
                case Side::Bottom:
                    label({at.x + gap, at.y - gap * 0.6}, port.name, size, Anchor::Start, soft);
                    break;
            }
        }
    }

    // Characteristic curves with the ends of their axes.
    void characteristic(const std::vector<const TablePicture::Curve*>& curves, const Rectangle& r,
                        double unit) {
        double x0 = 1e300, x1 = -1e300, y0 = 1e300, y1 = -1e300;
        for (const TablePicture::Curve* c : curves)
            for (const Spot& s : c->points) {
                x0 = std::min(x0, s.x);
                x1 = std::max(x1, s.x);
                y0 = std::min(y0, s.y);
                y1 = std::max(y1, s.y);
            }
        if (x1 <= x0) x1 = x0 + 1;
        if (y1 <= y0) y1 = y0 + 1;
        const double size = std::min(5 * unit, 10.0);
        const Rectangle in{r.left + size * 2.2, r.top + size * 0.5, r.right - size, r.bottom - size * 1.6};
        const Point axes[] = {{in.left, in.top}, {in.left, in.bottom}, {in.right, in.bottom}};
        canvas_.polyline(axes, {soft, std::clamp(0.3 * unit, 0.3, 1.0)});
        for (const TablePicture::Curve* c : curves) {
            std::vector<Point> points;
            for (const Spot& s : c->points)
                points.push_back({in.left + (s.x - x0) / (x1 - x0) * in.width(),
                                  in.bottom - (s.y - y0) / (y1 - y0) * in.height()});
            canvas_.polyline(points, {joint_colour, std::clamp(0.5 * unit, 0.5, 1.6)});
        }
        const auto number = [](double v) {
            std::string text = length_text(v);
            return std::fabs(v) >= 1e6 || (v != 0 && std::fabs(v) < 0.01) ? std::string("…") : text;
        };
        label({in.left, in.bottom + size * 1.3}, number(x0), size, Anchor::Start, soft);
        label({in.right, in.bottom + size * 1.3}, number(x1), size, Anchor::End, soft);
        label({in.left - size * 0.3, in.top + size * 0.8}, number(y1), size, Anchor::End, soft);
        label({in.left - size * 0.3, in.bottom}, number(y0), size, Anchor::End, soft);
    }

    ClassPictures& pictures_;
    Canvas& canvas_;
};

double suitable_width(const ClassPicture& p, int depth) {
    if (p.blocks.empty()) return 640;
    double unit = 4;  // pixels of a length
    for (int d = 1; d < depth; ++d) unit *= 2.6;
    return std::clamp(p.frame.width() * unit, 360.0, depth > 1 ? 6000.0 : 1800.0);
}

}  // namespace

Drawing draw_picture(ClassPictures& pictures, const ClassPicture& picture, const DrawOptions& options) {
    constexpr double border = 14;
    const ClassPicture& p = picture;
    Drawing out;
    if (options.depth <= 0) {
        out.width = options.width > 0 ? std::min(options.width, most_width) : 240;
        out.height = std::round(out.width / 1.5);
        const double width = out.width, height = out.height;
        out.draw = [&pictures, &p, width, height](Canvas& canvas) {
            canvas.fill(Rectangle{0, 0, width, height}, paper);
            Block b;
            b.name = p.name;
            b.key = p.key;
            b.icon = p.icon;
            const Rectangle r{border, border, width - border, height - border};
            PictureDrawing(pictures, canvas).closed(b, r, r.width() / 30);
        };
        return out;
    }
    out.width =
        options.width > 0 ? std::clamp(options.width, 60.0, most_width) : suitable_width(p, options.depth);
    const double heading = options.heading ? 34 : 0;
    const double inner = out.width - 2 * border;
    const double height = inner * p.frame.height() / p.frame.width();
    out.height = std::round(height + 2 * border + heading);
    const double width = out.width, whole = out.height;
    const int depth = options.depth;
    out.draw = [&pictures, &p, width, whole, heading, depth](Canvas& canvas) {
        canvas.fill(Rectangle{0, 0, width, whole}, paper);
        PictureDrawing drawing(pictures, canvas);
        if (heading > 0) {
            drawing.label({border, border + 12}, p.name, 15, Anchor::Start, ink);
            const double at = border + canvas.text_width(p.name, 15) + 14;
            std::string title = p.title;
            const double room = width - border - at;
            if (canvas.text_width(title, 11) > room) {
                std::u32string letters = decode_utf8(title);
                const auto text = [&] {
                    std::string s;
                    for (char32_t c : letters) s += encode_utf8(c);
                    return s + "…";
                };
                while (!letters.empty() && canvas.text_width(text(), 11) > room) letters.pop_back();
                title = letters.empty() ? "" : text();
            }
            drawing.label({at, border + 12}, title, 11, Anchor::Start, soft);
        }
        const Rectangle area{border, border + heading, width - border, whole - border};
        drawing.frame(area, faint, 1);
        drawing.inside(p, area, depth, false);
    };
    return out;
}

}  // namespace cutset::picture

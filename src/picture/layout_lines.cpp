#include "picture/layout_lines.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "picture/messages.h"

namespace cutset::picture {

namespace {

constexpr double longest = 100000;

// The words of a layout line; what stands in quotes is one word.
class LayoutWords {
  public:
    LayoutWords(const LayoutLine& line, Diagnostics& diagnostics) : line_(line), diagnostics_(diagnostics) {
        const std::string_view text = line.text;
        for (std::size_t i = 0; i < text.size();) {
            if (text[i] == ' ' || text[i] == '\t') {
                ++i;
                continue;
            }
            std::size_t end = i;
            if (text[i] == '"') {
                end = std::min(text.find('"', i + 1), text.size());
                words_.push_back({std::string(text.substr(i + 1, end - i - 1)), true});
                i = end + 1;
                continue;
            }
            while (end < text.size() && text[end] != ' ' && text[end] != '\t') ++end;
            words_.push_back({std::string(text.substr(i, end - i)), false});
            i = end;
        }
    }

    bool more() const { return at_ < words_.size(); }
    std::string next() { return more() ? words_[at_++].text : ""; }
    bool take(std::string_view word) {
        if (!more() || words_[at_].quoted || words_[at_].text != word) return false;
        ++at_;
        return true;
    }
    std::optional<std::string> quoted() {
        if (!more() || !words_[at_].quoted) return std::nullopt;
        return words_[at_++].text;
    }
    std::optional<double> number() {
        if (!more()) return std::nullopt;
        const auto value = as_number(words_[at_].text);
        if (value) ++at_;
        return value;
    }
    std::optional<Spot> spot() {
        const auto x = number();
        const auto y = x ? number() : std::nullopt;
        if (!y) return std::nullopt;
        return Spot{*x, *y};
    }
    std::optional<Spot> pair() {  // x,y
        if (!more()) return std::nullopt;
        const std::string& word = words_[at_].text;
        const std::size_t comma = word.find(',');
        if (comma == std::string::npos) return std::nullopt;
        const auto x = as_number(word.substr(0, comma)), y = as_number(word.substr(comma + 1));
        if (!x || !y) return std::nullopt;
        ++at_;
        return Spot{*x, *y};
    }

  private:
    std::optional<double> as_number(std::string_view text) {
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
            return std::nullopt;
        if (std::fabs(value) > longest) {
            diagnostics_.report(picture_messages::too_much_layout(line_.where, std::size_t(longest)));
            return std::nullopt;
        }
        return value;
    }

    struct Word {
        std::string text;
        bool quoted = false;
    };
    const LayoutLine& line_;
    Diagnostics& diagnostics_;
    std::vector<Word> words_;
    std::size_t at_ = 0;
};

bool read_placement(std::string name, LayoutWords& words, Span where, Layout& layout) {
    Layout::Placement p;
    p.name = std::move(name);
    p.where = where;
    const auto at = words.spot();
    if (!at) return false;
    p.at = *at;
    while (words.more()) {
        if (words.take("size")) {
            p.size = words.spot();
            if (!p.size || p.size->x <= 0 || p.size->y <= 0) return false;
        } else if (words.take("turn")) {
            const auto turn = words.number();
            if (!turn || std::fmod(*turn, 90) != 0) return false;
            p.turn = ((static_cast<int>(*turn) % 360) + 360) % 360;
        } else if (words.take("flip")) {
            p.flip = true;
        } else {
            return false;
        }
    }
    if (p.name == "text" && p.size)
        layout.text_box = Box{p.at.x - p.size->x / 2, p.at.y - p.size->y / 2, p.at.x + p.size->x / 2,
                              p.at.y + p.size->y / 2};
    else
        layout.placements.push_back(std::move(p));
    return true;
}

bool read_port(LayoutWords& words, Span where, Layout& layout) {
    Layout::PortPlace p;
    p.name = words.next();
    p.where = where;
    const std::string side = words.next();
    const std::pair<const char*, Side> sides[] = {
        {"left", Side::Left}, {"right", Side::Right}, {"bottom", Side::Bottom}, {"top", Side::Top}};
    const auto found =
        std::find_if(std::begin(sides), std::end(sides), [&](const auto& s) { return side == s.first; });
    const auto along = words.number();
    if (found == std::end(sides) || !along || words.more()) return false;
    p.side = found->second;
    p.along = *along;
    layout.ports.push_back(std::move(p));
    return true;
}

bool read_route(LayoutWords& words, Span where, Layout& layout) {
    Layout::Route r;
    r.from = words.next();
    r.to = words.next();
    r.where = where;
    if (!words.take("via")) return false;
    while (const auto p = words.pair()) r.via.push_back(*p);
    if (r.via.empty() || words.more()) return false;
    layout.routes.push_back(std::move(r));
    return true;
}

bool read_breakpoint(LayoutWords& words, Span where, Layout& layout) {
    Breakpoint b;
    b.where = where;
    if (words.take("name"))
        b.level = Level::Name;
    else if (words.take("text"))
        b.level = Level::Text;
    else if (words.take("inside"))
        b.level = Level::Inside;
    else
        return false;
    while (words.more()) {
        if (words.take("below"))
            b.below = words.number();
        else if (words.take("above"))
            b.above = words.number();
        else if (const auto text = words.quoted())
            b.text = *text;
        else
            return false;
    }
    if (!b.below && !b.above) return false;
    layout.breakpoints.push_back(std::move(b));
    return true;
}

// Icons are drawn in 40 by 30; kept in -1 … 1.
Spot of_icon(Spot p) {
    return {p.x / 20 - 1, p.y / 15 - 1};
}

bool read_primitive(LayoutWords& words, Layout& layout) {
    Primitive p;
    const std::pair<const char*, Shape> shapes[] = {{"line", Shape::Line},
                                                    {"polygon", Shape::Polygon},
                                                    {"rectangle", Shape::Rectangle},
                                                    {"ellipse", Shape::Ellipse},
                                                    {"text", Shape::Text}};
    const std::string word = words.next();
    const auto found =
        std::find_if(std::begin(shapes), std::end(shapes), [&](const auto& s) { return word == s.first; });
    if (found == std::end(shapes)) return false;
    p.shape = found->second;
    while (const auto spot = words.spot()) p.points.push_back(of_icon(*spot));
    if (p.shape == Shape::Text) {
        const auto text = words.quoted();
        if (!text) return false;
        p.text = *text;
    }
    p.fill = "none";
    while (words.more()) {
        if (words.take("fill"))
            p.fill = words.next();
        else if (words.take("smooth"))
            p.smooth = true;
        else
            return false;
    }
    const std::size_t least = p.shape == Shape::Text ? 1 : p.shape == Shape::Polygon ? 3 : 2;
    if (p.points.size() < least) return false;
    layout.icon.push_back(std::move(p));
    return true;
}

bool read_display(LayoutWords& words, Span where, Layout& layout) {
    Display d;
    d.where = where;
    while (words.more() && !words.take("at")) d.variables.push_back(words.next());
    const auto at = words.spot();
    if (!at || d.variables.empty()) return false;
    d.at = *at;
    if (words.take("size")) {
        const auto size = words.spot();
        if (!size || size->x <= 0 || size->y <= 0) return false;
        d.width = size->x;
        d.height = size->y;
    }
    if (words.more()) return false;
    layout.displays.push_back(std::move(d));
    return true;
}

// Whether a comment in braces is open after the line.
bool in_block_comment(std::string_view line, bool before) {
    bool open = before, quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (open)
            open = c != '}';
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && c == '{')
            open = true;
        else if (!quoted && c == '-' && i + 1 < line.size() && line[i + 1] == '-')
            break;
    }
    return open;
}

}  // namespace

std::vector<LayoutLine> find_layout_lines(const std::string& text, SourceId source, std::string_view mark) {
    std::vector<LayoutLine> lines;
    const bool braces = mark.substr(0, 2) == "--";
    bool in_comment = false;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::size_t first = begin;
        while (first < end && (text[first] == ' ' || text[first] == '\t')) ++first;
        if (!in_comment && text.compare(first, mark.size(), mark) == 0) {
            std::size_t last = end;
            while (last > first && (text[last - 1] == '\r' || text[last - 1] == ' ')) --last;
            const std::size_t word = first + mark.size();
            lines.push_back({text.substr(word, last - word),
                             {source, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last)}});
        }
        if (braces)
            in_comment = in_block_comment(std::string_view(text).substr(begin, end - begin), in_comment);
        begin = end + 1;
    }
    return lines;
}

Layout read_layout(const std::vector<LayoutLine>& lines, Diagnostics& diagnostics) {
    using namespace picture_messages;
    Layout layout;
    for (const LayoutLine& line : lines) {
        LayoutWords words(line, diagnostics);
        const auto bad = [&](std::string_view what, std::string_view form) {
            diagnostics.report(bad_layout(line.where, what, form));
        };
        const std::string first = words.next();
        if (first.empty()) continue;
        if (words.take("at")) {
            if (!read_placement(first, words, line.where, layout))
                bad("a submodel", "NAME at X Y [size W H] [turn 90] [flip]");
        } else if (first == "frame") {
            const auto size = words.spot();
            if (size && size->x >= 10 && size->y >= 10)
                layout.frame = *size;
            else
                bad("the frame", "frame WIDTH HEIGHT");
        } else if (first == "port") {
            if (!read_port(words, line.where, layout)) bad("a port", "port NAME left|right|top|bottom PLACE");
        } else if (first == "line") {
            if (!read_route(words, line.where, layout)) bad("a line", "line A:a B:b via X,Y X,Y");
        } else if (first == "show") {
            if (!read_breakpoint(words, line.where, layout))
                bad("a breakpoint", "show name|text|inside below|above PIXELS [\"TEXT\"]");
        } else if (first == "icon") {
            if (!read_primitive(words, layout))
                bad("the icon", "icon line|polygon|rectangle|ellipse|text X Y … [fill COLOUR]");
        } else if (first == "transfer") {
            TransferFunction t;
            for (std::string* name : {&t.input, &t.output, &t.numerator, &t.denominator})
                *name = words.next();
            t.ascending = words.take("ascending");
            if (t.denominator.empty())
                bad("a transfer function", "transfer INPUT OUTPUT NUMERATOR DENOMINATOR [ascending]");
            else
                layout.transfer = std::move(t);
        } else if (first == "plot") {
            if (!read_display(words, line.where, layout)) bad("a plot", "plot NAME … at X Y [size W H]");
        } else {
            diagnostics.report(unknown_layout(line.where, first));
        }
    }
    return layout;
}

}  // namespace cutset::picture

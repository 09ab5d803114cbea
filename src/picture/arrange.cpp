#include "picture/arrange.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "base/disjoint_sets.h"
#include "picture/messages.h"
#include "picture/place.h"
#include "picture/route.h"
#include "picture/text_of.h"

namespace cutset::picture {

namespace {

constexpr double margin_x = 24, margin_y = 18;  // between blocks and the frame
constexpr double leaf_width = 180, leaf_height = 120;

double even(double v) {
    return std::ceil(v / 2) * 2;
}

// ---- sizes

void size_submodel(Block& b, const Outside* outside) {
    b.width = 30;
    b.height = 20;
    if (!outside) return;
    std::array<int, 4> count{};
    for (const Port& p : outside->ports) ++count[static_cast<std::size_t>(p.side)];
    const int upright = std::max(count[0], count[1]), level = std::max(count[2], count[3]);
    if (upright > 3) b.height = even(5.0 * (upright + 1));
    if (level > 4) b.width = even(6.0 * (level + 1));
}

void size_expression(Block& b) {
    const std::vector<std::string> lines = wrapped(b.text, expression_line);
    std::size_t longest = 0;
    for (const std::string& l : lines) longest = std::max(longest, l.size());
    b.width = even(std::clamp(2.0 * static_cast<double>(longest) + 6, 14.0, 64.0));
    b.height = even(4.6 * static_cast<double>(std::max<std::size_t>(lines.size(), 1)) + 5);
}

void size_symbol(Block& b) {
    switch (b.kind) {
        case BlockKind::Sum:
        case BlockKind::Product:
        case BlockKind::Negate:
            b.width = b.height = 10;
            return;
        case BlockKind::Node:
            b.width = b.height = 2;
            return;
        case BlockKind::Generator:
        case BlockKind::Expression:
            size_expression(b);
            return;
        case BlockKind::Submodel:
            return;
    }
}

// ---- terminals

// A port on the unit square about the origin.
std::pair<Spot, Side> unit_place(Side side, double along) {
    switch (side) {
        case Side::Left:
            return {{-0.5, along - 0.5}, side};
        case Side::Right:
            return {{0.5, along - 0.5}, side};
        case Side::Bottom:
            return {{along - 0.5, -0.5}, side};
        case Side::Top:
            return {{along - 0.5, 0.5}, side};
    }
    return {};
}

Side side_of(Spot unit) {
    if (std::fabs(unit.x) >= std::fabs(unit.y)) return unit.x < 0 ? Side::Left : Side::Right;
    return unit.y < 0 ? Side::Bottom : Side::Top;
}

// The normal of a side after the block was turned.
Side turned(Side side, const Block& b) {
    Spot n = side == Side::Left     ? Spot{-1, 0}
             : side == Side::Right  ? Spot{1, 0}
             : side == Side::Bottom ? Spot{0, -1}
                                    : Spot{0, 1};
    if (b.flip) n.x = -n.x;
    for (int k = 0; k < b.turn / 90; ++k) n = {-n.y, n.x};
    return side_of(n);
}

Spot turned(Spot unit, const Block& b) {
    if (b.flip) unit.x = -unit.x;
    for (int k = 0; k < b.turn / 90; ++k) unit = {-unit.y, unit.x};
    return unit;
}

// Operands of a symbol come from the left; of a sum or product of several from below and above too.
void symbol_terminals(Block& b, std::size_t inputs) {
    b.terminals.clear();
    if (b.kind == BlockKind::Node) {
        b.terminals.push_back({"", b.at, Side::Left});
        return;
    }
    const auto at = [&](double x, double y) { return Spot{b.at.x + x * b.width, b.at.y + y * b.height}; };
    const bool round = b.kind == BlockKind::Sum || b.kind == BlockKind::Product;
    for (std::size_t k = 0; k < inputs; ++k) {
        const std::string name = std::to_string(k + 1);
        if (round && k == 0)
            b.terminals.push_back({name, at(-0.5, 0), Side::Left});
        else if (round && k == 1)
            b.terminals.push_back({name, at(0, -0.5), Side::Bottom});
        else if (round && k == 2)
            b.terminals.push_back({name, at(0, 0.5), Side::Top});
        else
            b.terminals.push_back(
                {name, at(-0.5, 0.5 - static_cast<double>(k + 1) / static_cast<double>(inputs + 1)),
                 Side::Left});
    }
    b.terminals.push_back({"y", at(0.5, 0), Side::Right});
}

class Arranger {
  public:
    Arranger(ClassPicture& picture, const Layout& layout, const std::vector<const Outside*>& outsides,
             Diagnostics& diagnostics)
        : p_(picture), layout_(layout), outsides_(outsides), diagnostics_(diagnostics) {}

    void run() {
        count_inputs();
        for (std::size_t i = 0; i < p_.blocks.size(); ++i) {
            size_symbol(p_.blocks[i]);
            if (p_.blocks[i].kind == BlockKind::Submodel) size_submodel(p_.blocks[i], outside(i));
        }
        read_placements();
        if (layout_.frame) {
            p_.frame = {0, 0, layout_.frame->x, layout_.frame->y};
            p_.framed = true;
        }
        place_blocks();
        for (std::size_t i = 0; i < p_.blocks.size(); ++i) set_terminals(i);
        make_frame();
        align_ports();
        read_routes();
        route_lines();
        p_.breakpoints = layout_.breakpoints;
        p_.displays = layout_.displays;
    }

  private:
    const Outside* outside(std::size_t i) const { return i < outsides_.size() ? outsides_[i] : nullptr; }

    void count_inputs() {
        inputs_.assign(p_.blocks.size(), 0);
        for (const Line& l : p_.lines)
            if (l.to.block && p_.blocks[*l.to.block].kind != BlockKind::Submodel) ++inputs_[*l.to.block];
    }

    void set_terminals(std::size_t i) {
        Block& b = p_.blocks[i];
        if (b.kind != BlockKind::Submodel) return symbol_terminals(b, inputs_[i]);
        b.terminals.clear();
        if (!outside(i)) return;
        for (const Port& port : outside(i)->ports) b.terminals.push_back(terminal_of(b, port));
    }

    void read_placements() {
        std::map<std::string, Span> placed;
        std::vector<std::string> names;
        for (const Block& b : p_.blocks) names.push_back(b.name);
        for (const Layout::Placement& l : layout_.placements) {
            const auto found = std::find(names.begin(), names.end(), l.name);
            if (found == names.end()) {
                diagnostics_.report(
                    picture_messages::layout_without_block(l.where, l.name, nearest_name(l.name, names)));
                continue;
            }
            if (const auto [first, added] = placed.emplace(l.name, l.where); !added) {
                diagnostics_.report(picture_messages::placed_twice(l.where, l.name, first->second));
                continue;
            }
            Block& b = p_.blocks[static_cast<std::size_t>(found - names.begin())];
            b.at = l.at;
            b.turn = l.turn;
            b.flip = l.flip;
            if (l.size) {
                b.width = l.size->x;
                b.height = l.size->y;
            } else if (l.turn % 180 != 0) {
                std::swap(b.width, b.height);
            }
            b.placed = true;
        }
    }

    // Terminals are needed for places; they stand where they would with the block at the origin.
    Block::Terminal terminal(std::size_t i, const LineEnd& end) const {
        const Block& b = p_.blocks[i];
        const std::string& name = end.port;
        for (const Block::Terminal& t : b.terminals)
            if (t.port == name) return t;
        // A part of a hierarchical cut: where the part is, if it is a cut of its own; else at the whole.
        const std::size_t dot = name.find('.');
        const std::size_t last = name.rfind('.');
        if (dot != std::string::npos) {
            for (const Block::Terminal& t : b.terminals)
                if (t.port == name.substr(last + 1)) return t;
            for (const Block::Terminal& t : b.terminals)
                if (t.port == name.substr(0, dot)) return t;
        }
        const std::string without_index = name.substr(0, name.find('['));
        for (const Block::Terminal& t : b.terminals)
            if (!without_index.empty() && t.port == without_index) return t;
        return {name, {b.at.x, b.at.y - b.height / 2}, Side::Bottom};
    }

    void place_blocks() {
        const bool by_hand = layout_.frame.has_value();
        std::vector<PlaceBlock> blocks;
        for (Block& b : p_.blocks) {
            PlaceBlock& out = blocks.emplace_back();
            out.width = b.width;
            out.height = b.height;
            if (by_hand && b.placed) out.at = b.at;
        }
        std::vector<Spot> given;
        for (std::size_t i = 0; i < p_.blocks.size(); ++i) {
            given.push_back(p_.blocks[i].at);
            p_.blocks[i].at = {0, 0};
            set_terminals(i);
        }
        std::vector<PlaceLine> lines;
        for (const Line& l : p_.lines) {
            if (!l.from.block || !l.to.block) continue;
            const auto a = terminal(*l.from.block, l.from), b = terminal(*l.to.block, l.to);
            lines.push_back(
                {*l.from.block, *l.to.block, a.at, b.at, a.side, b.side, l.kind == LineKind::Signal});
        }
        const std::vector<Spot> spots =
            place(blocks, lines, by_hand ? std::optional(p_.frame) : std::nullopt);
        for (std::size_t i = 0; i < p_.blocks.size(); ++i) {
            Block& b = p_.blocks[i];
            b.at = b.placed ? given[i] : spots[i];
            for (double* v : {&b.at.x, &b.at.y})
                if (!b.placed) *v = std::round(*v * 100) / 100;
        }
    }

    // ---- the frame

    void make_frame() {
        const auto texts = std::count_if(p_.texts.begin(), p_.texts.end(), [](const TextPart& t) {
            return !t.drawn && (t.kind == TextKind::Equation || t.kind == TextKind::Event);
        });
        p_.text_box = layout_.text_box;
        if (p_.framed) return;
        if (p_.blocks.empty()) {
            p_.frame = {0, 0, leaf_width, leaf_height};
            return;
        }
        Box f{1e300, 1e300, -1e300, -1e300};
        for (const Block& b : p_.blocks) {
            f.left = std::min(f.left, b.at.x - b.width / 2);
            f.right = std::max(f.right, b.at.x + b.width / 2);
            f.bottom = std::min(f.bottom, b.at.y - b.height / 2);
            f.top = std::max(f.top, b.at.y + b.height / 2);
        }
        for (const Display& d : layout_.displays) {
            f.left = std::min(f.left, d.at.x - d.width / 2);
            f.right = std::max(f.right, d.at.x + d.width / 2);
            f.bottom = std::min(f.bottom, d.at.y - d.height / 2);
            f.top = std::max(f.top, d.at.y + d.height / 2);
        }
        f = {f.left - margin_x, f.bottom - margin_y, f.right + margin_x, f.top + margin_y};
        if (texts > 0 && !p_.text_box) {
            const double height = 4.6 * static_cast<double>(std::min<std::ptrdiff_t>(texts, 12)) + 5;
            p_.text_box = Box{f.left + 8, f.bottom - height, f.right - 8, f.bottom};
            f.bottom -= height + 8;
        }
        // About the shape of blocks, three by two, so that it fills the block when that opens.
        const double wide = std::max(f.width(), 1.2 * f.height()), high = std::max(f.height(), f.width() / 2);
        const double x = std::floor((wide - f.width()) / 2), y = std::floor((high - f.height()) / 2);
        p_.frame = {f.left - x, f.bottom - y, f.right + x, f.top + y};
    }

    Spot on_frame(Side side, double along) const {
        const Box& f = p_.frame;
        switch (side) {
            case Side::Left:
                return {f.left, f.bottom + along * f.height()};
            case Side::Right:
                return {f.right, f.bottom + along * f.height()};
            case Side::Bottom:
                return {f.left + along * f.width(), f.bottom};
            case Side::Top:
                return {f.left + along * f.width(), f.top};
        }
        return {};
    }

    // Inside, ports stand opposite to what they are joined to, as far as they do not crowd.
    void align_ports() {
        for (Port& port : p_.ports) port.inside = on_frame(port.side, port.along);
        for (const Side side : {Side::Left, Side::Right, Side::Bottom, Side::Top}) {
            const bool upright = side == Side::Left || side == Side::Right;
            std::vector<std::pair<double, std::size_t>> here;
            for (std::size_t i = 0; i < p_.ports.size(); ++i) {
                Port& port = p_.ports[i];
                if (port.side != side || port.placed || p_.framed) continue;
                std::vector<double> wishes;
                for (const Line& l : p_.lines) {
                    const bool from = !l.from.block && base(l.from.port) == port.name;
                    const bool to = !l.to.block && base(l.to.port) == port.name;
                    const LineEnd& other = from ? l.to : l.from;
                    if (from == to || !other.block) continue;
                    const Spot at = terminal(*other.block, other).at;
                    wishes.push_back(upright ? at.y : at.x);
                }
                std::sort(wishes.begin(), wishes.end());
                const double own = upright ? port.inside.y : port.inside.x;
                here.emplace_back(wishes.empty() ? own : wishes[wishes.size() / 2], i);
            }
            std::stable_sort(here.begin(), here.end(),
                             [](const auto& a, const auto& b) { return a.first < b.first; });
            const double low = (upright ? p_.frame.bottom : p_.frame.left) + 6;
            const double high = (upright ? p_.frame.top : p_.frame.right) - 6;
            const double gap =
                std::min(8.0, (high - low) / std::max<double>(1, static_cast<double>(here.size())));
            for (std::size_t k = 0; k < here.size(); ++k)
                here[k].first = std::max(here[k].first, k ? here[k - 1].first + gap : low);
            for (std::size_t k = here.size(); k-- > 0;)
                here[k].first = std::min(here[k].first, k + 1 < here.size() ? here[k + 1].first - gap : high);
            for (const auto& [place, i] : here)
                (upright ? p_.ports[i].inside.y : p_.ports[i].inside.x) = place;
        }
    }

    static std::string base(const std::string& port) { return port.substr(0, port.find_first_of(".[")); }

    // ---- lines

    std::string end_text(const LineEnd& e) const {
        if (!e.block) return e.port;
        const Block& b = p_.blocks[*e.block];
        const std::string port = !e.port.empty() ? e.port : e.variable;
        return port.empty() ? b.name : b.name + ":" + port;
    }

    bool names_end(std::string text, const LineEnd& e) const {
        const std::size_t open = text.find('[');  // Y[MOTOR]
        if (open != std::string::npos && text.back() == ']' && e.block &&
            p_.blocks[*e.block].name == text.substr(open + 1, text.size() - open - 2))
            return text.substr(0, open) == e.port;
        if (text == end_text(e)) return true;
        const std::size_t dot = text.find('.');
        if (dot != std::string::npos && e.block && p_.blocks[*e.block].name == text.substr(0, dot))
            return text.substr(dot + 1) == e.port || text == e.variable;
        return e.block && p_.blocks[*e.block].name == text;
    }

    void read_routes() {
        for (const Layout::Route& r : layout_.routes) {
            bool found = false;
            for (Line& l : p_.lines) {
                const bool forward = names_end(r.from, l.from) && names_end(r.to, l.to);
                const bool backward = names_end(r.from, l.to) && names_end(r.to, l.from);
                if (!forward && !backward) continue;
                l.via = r.via;
                if (!forward) std::reverse(l.via.begin(), l.via.end());
                found = true;
                break;
            }
            if (!found) diagnostics_.report(picture_messages::layout_without_line(r.where, r.from, r.to));
        }
    }

    static Side opposite(Side s) {
        return s == Side::Left     ? Side::Right
               : s == Side::Right  ? Side::Left
               : s == Side::Bottom ? Side::Top
                                   : Side::Bottom;
    }

    RouteEnd route_end(const LineEnd& e) const {
        if (e.block) {
            const Block::Terminal t = terminal(*e.block, e);
            if (p_.blocks[*e.block].kind == BlockKind::Node) return {p_.blocks[*e.block].at, std::nullopt};
            return {t.at, t.side};
        }
        for (const std::string& name : {e.port.substr(e.port.rfind('.') + 1), base(e.port), e.port})
            if (const Port* port = find_port(p_.ports, name)) return {port->inside, opposite(port->side)};
        return {{p_.frame.left, p_.frame.bottom}, Side::Right};
    }

    // Lines that end at one terminal are of one net.
    std::vector<std::uint32_t> nets(const std::vector<RouteLine>& lines) const {
        DisjointSets nets(lines.size());
        std::map<std::tuple<double, double, LineKind>, std::uint32_t> at;
        for (std::uint32_t i = 0; i < lines.size(); ++i)
            for (const Spot& s : {lines[i].from.at, lines[i].to.at}) {
                const auto [known, added] = at.emplace(std::tuple(s.x, s.y, p_.lines[i].kind), i);
                if (!added) nets.join_to_least(i, known->second);
            }
        std::vector<std::uint32_t> out;
        for (std::uint32_t i = 0; i < lines.size(); ++i) out.push_back(nets.root(i));
        return out;
    }

    // The way as the text gives it. Its first and last pieces stay upright or level where they were so,
    // although the ends may stand a little beside those of the text.
    static std::vector<Spot> given_way(const RouteLine& line) {
        std::vector<Spot> way = line.via;
        const auto align = [](Spot end, Spot& next, const Spot& after) {
            if (std::fabs(next.x - after.x) < 0.01)
                next.y = end.y;
            else if (std::fabs(next.y - after.y) < 0.01)
                next.x = end.x;
        };
        if (way.size() > 1) {
            align(line.from.at, way.front(), way[1]);
            align(line.to.at, way.back(), way[way.size() - 2]);
        } else if (way.size() == 1) {  // one corner
            const Spot a = line.from.at, b = line.to.at;
            const bool level = std::fabs(way[0].y - a.y) < std::fabs(way[0].x - a.x);
            way[0] = level ? Spot{b.x, a.y} : Spot{a.x, b.y};
        }
        way.insert(way.begin(), line.from.at);
        way.push_back(line.to.at);
        return way;
    }

    void route_lines() {
        std::vector<Box> boxes;
        for (const Block& b : p_.blocks)
            if (b.kind != BlockKind::Node)
                boxes.push_back({b.at.x - b.width / 2, b.at.y - b.height / 2, b.at.x + b.width / 2,
                                 b.at.y + b.height / 2});
        std::vector<RouteLine> lines;
        for (const Line& l : p_.lines) lines.push_back({route_end(l.from), route_end(l.to), l.via, 0});
        const std::vector<std::uint32_t> net = nets(lines);
        for (std::size_t i = 0; i < lines.size(); ++i) lines[i].net = net[i];
        std::vector<std::vector<Spot>> ways = route(boxes, lines);
        for (std::size_t i = 0; i < lines.size(); ++i)
            p_.lines[i].points = p_.lines[i].whole_way ? given_way(lines[i]) : std::move(ways[i]);
    }

    ClassPicture& p_;
    const Layout& layout_;
    const std::vector<const Outside*>& outsides_;
    Diagnostics& diagnostics_;
    std::vector<std::size_t> inputs_;  // of symbols
};

}  // namespace

Block::Terminal terminal_of(const Block& block, const Port& port) {
    const auto [unit, side] = unit_place(port.side, port.along);
    const Spot at = turned(unit, block);
    return {
        port.name, {block.at.x + at.x * block.width, block.at.y + at.y * block.height}, turned(side, block)};
}

void place_ports(std::vector<Port>& ports, const Layout& layout, Diagnostics& diagnostics) {
    const Spot frame = layout.frame.value_or(Spot{leaf_width, leaf_height});
    for (const Layout::PortPlace& place : layout.ports) {
        const auto found =
            std::find_if(ports.begin(), ports.end(), [&](const Port& p) { return p.name == place.name; });
        if (found == ports.end()) {
            std::vector<std::string> names;
            for (const Port& p : ports) names.push_back(p.name);
            diagnostics.report(picture_messages::layout_without_port(place.where, place.name,
                                                                     nearest_name(place.name, names)));
            continue;
        }
        const bool upright = place.side == Side::Left || place.side == Side::Right;
        found->side = place.side;
        found->along = std::clamp(place.along / (upright ? frame.y : frame.x), 0.0, 1.0);
        found->placed = true;
    }
}

void arrange(ClassPicture& picture, const Layout& layout, const std::vector<const Outside*>& outsides,
             Diagnostics& diagnostics) {
    Arranger(picture, layout, outsides, diagnostics).run();
}

}  // namespace cutset::picture

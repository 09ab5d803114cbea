#include "operations/structure/structure_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <tuple>

#include "graph/layered_layout.h"
#include "operations/structure/picture_text.h"

namespace cutset {

namespace {

constexpr double box_font = 11, line = 15, padding = 8, arrow_room = 11;
constexpr std::size_t most_boxes = 40, most_columns = 12, most_lines = 8, longest_box_name = 34;
constexpr Colour grey{130, 130, 130}, edge_colour{110, 125, 140};
constexpr Colour box_fill{236, 242, 248}, box_line{70, 100, 130}, junction_fill{245, 245, 245};
constexpr Colour unreached_colour{213, 94, 0}, unseen_colour{0, 114, 178}, neither_colour{160, 32, 90};

struct Line {
    std::string text;
    Colour colour = ink;
};
struct Box {
    enum class Kind : std::uint8_t { Input, Output, Subsystem, Junction };
    Kind kind = Kind::Subsystem;
    std::string title;
    std::vector<Line> lines;
};

// Which subsystems share a box: by number, the number of its group; groups are in the order of influence.
std::vector<std::uint32_t> group_subsystems(const Structure& s) {
    const std::size_t n = s.subsystems.size();
    std::vector<std::uint32_t> group(n);
    for (std::uint32_t i = 0; i < n; ++i) group[i] = i;
    if (n <= most_boxes) return group;
    // Those with the same neighbours on both sides.
    std::vector<std::vector<std::uint32_t>> users(n), outputs(n);
    for (std::uint32_t i = 0; i < n; ++i)
        for (std::uint32_t from : s.subsystems[i].needs) users[from].push_back(i);
    for (std::uint32_t y = 0; y < s.output_sources.size(); ++y)
        for (std::uint32_t from : s.output_sources[y].subsystems) outputs[from].push_back(y);
    const auto numbered = [&](const auto& key_of) {
        std::map<decltype(key_of(0u)), std::uint32_t> known;
        for (std::uint32_t i = 0; i < n; ++i)
            group[i] = known.emplace(key_of(i), std::uint32_t(known.size())).first->second;
        return known.size();
    };
    if (numbered([&](std::uint32_t i) {
            const Subsystem& part = s.subsystems[i];
            return std::tuple(part.needs, part.inputs, users[i], outputs[i]);
        }) <= most_boxes)
        return group;
    // Those that stand in the same column.
    std::vector<std::uint32_t> column(n);
    for (std::uint32_t i = 0; i < n; ++i)
        for (std::uint32_t from : s.subsystems[i].needs) column[i] = std::max(column[i], column[from] + 1);
    const std::uint32_t columns = *std::max_element(column.begin(), column.end()) + 1;
    const std::uint32_t merged = (columns + most_columns - 1) / most_columns;  // columns for one box
    numbered([&](std::uint32_t i) { return column[i] / merged; });
    return group;
}

class Diagram {
  public:
    Diagram(const Structure& structure, const FlatModel& model, bool by_state)
        : s_(structure), model_(model) {
        mark_states();
        add_ends(s_.inputs, Box::Kind::Input);
        const std::uint32_t first = std::uint32_t(boxes_.size());
        if (by_state)
            add_states(first);
        else
            add_subsystems(first);
        std::sort(arrows_.begin(), arrows_.end(), [](const Arrow& a, const Arrow& b) {
            return std::pair(a.from, a.to) < std::pair(b.from, b.to);
        });
        arrange();
    }

    double width() const {
        double least = 200;
        for (const Line& l : legend()) least = std::max(least, text_room(l.text, box_font));
        least = std::max(least, text_room(title(), 13));
        return std::max(layout_.width, least) + 2 * picture_margin;
    }
    double height() const {
        return layout_.height + 2 * picture_margin + 26 + line * double(legend().size());
    }

    void draw(Canvas& canvas) const {
        canvas.fill({0, 0, width(), height()}, {255, 255, 255});
        canvas.text({picture_margin, picture_margin + 8}, title(), {13, Anchor::Start, false, ink});
        const Point origin{picture_margin, picture_margin + 26};
        for (std::size_t i = 0; i < arrows_.size(); ++i)
            draw_edge(canvas, layout_.edges[i], arrows_[i], origin);
        for (std::size_t i = 0; i < boxes_.size(); ++i) draw_box(canvas, i, origin);
        double y = origin.y + layout_.height + line + 4;
        for (const Line& l : legend()) {
            canvas.text({picture_margin, y}, l.text, {box_font, Anchor::Start, false, l.colour});
            y += line;
        }
    }

  private:
    struct Arrow {
        std::uint32_t from = 0, to = 0;
        bool forward = true, backward = false;  // heads
    };

    void add_subsystems(std::uint32_t first) {
        const std::vector<std::uint32_t> group = group_subsystems(s_);
        std::uint32_t groups = 0;
        for (std::uint32_t g : group) groups = std::max(groups, g + 1);
        std::vector<std::vector<std::uint32_t>> members(groups);
        for (std::uint32_t i = 0; i < group.size(); ++i) members[group[i]].push_back(i);
        for (std::uint32_t g = 0; g < groups; ++g) boxes_.push_back(box_of(members[g]));
        const std::uint32_t first_output = std::uint32_t(boxes_.size());
        add_ends(s_.outputs, Box::Kind::Output);

        std::set<std::pair<std::uint32_t, std::uint32_t>> known;
        const auto connect = [&](std::uint32_t from, std::uint32_t to) {
            if (from != to && known.emplace(from, to).second) arrows_.push_back({from, to});
        };
        for (std::uint32_t i = 0; i < group.size(); ++i) {
            for (std::uint32_t u : s_.subsystems[i].inputs) connect(u, first + group[i]);
            for (std::uint32_t from : s_.subsystems[i].needs) connect(first + group[from], first + group[i]);
        }
        for (std::uint32_t y = 0; y < s_.outputs.size(); ++y) {
            for (std::uint32_t u : s_.output_sources[y].inputs) connect(u, first_output + y);
            for (std::uint32_t from : s_.output_sources[y].subsystems)
                connect(first + group[from], first_output + y);
        }
    }

    // A box for each state. Arrows lead forward from subsystem to subsystem; within one, from what is nearer
    // to the inputs, and those back are drawn along the same lines.
    void add_states(std::uint32_t first) {
        const std::size_t n = s_.states.size();
        std::vector<std::uint32_t> subsystem(n), depth(n, std::uint32_t(n));
        for (std::uint32_t i = 0; i < s_.subsystems.size(); ++i)
            for (std::uint32_t x : s_.subsystems[i].states) subsystem[x] = i;
        std::vector<std::vector<std::uint32_t>> leads(n);
        std::vector<std::uint32_t> open;
        for (std::uint32_t x = 0; x < n; ++x) {
            for (std::uint32_t from : s_.rate_needs[x].states) leads[from].push_back(x);
            if (s_.rate_needs[x].inputs.empty()) continue;
            depth[x] = 0;
            open.push_back(x);
        }
        for (std::size_t k = 0; k < open.size(); ++k)
            for (std::uint32_t to : leads[open[k]])
                if (depth[to] == n) {
                    depth[to] = depth[open[k]] + 1;
                    open.push_back(to);
                }
        for (std::uint32_t x = 0; x < n; ++x)
            boxes_.push_back(
                {Box::Kind::Subsystem, "", {{shortened(s_.states[x], longest_box_name), colour_of(x)}}});
        const std::uint32_t first_output = std::uint32_t(boxes_.size());
        add_ends(s_.outputs, Box::Kind::Output);

        std::map<std::pair<std::uint32_t, std::uint32_t>, Arrow> known;
        for (std::uint32_t x = 0; x < n; ++x) {
            for (std::uint32_t u : s_.rate_needs[x].inputs) known[{u, first + x}] = {u, first + x};
            for (std::uint32_t from : s_.rate_needs[x].states) {
                if (from == x) continue;
                const bool ahead =
                    std::tuple(subsystem[from], depth[from], from) < std::tuple(subsystem[x], depth[x], x);
                const std::uint32_t a = first + (ahead ? from : x), b = first + (ahead ? x : from);
                const auto [at, fresh] = known.try_emplace({a, b}, Arrow{a, b, false, false});
                (ahead ? at->second.forward : at->second.backward) = true;
            }
        }
        for (std::uint32_t y = 0; y < s_.outputs.size(); ++y) {
            const std::uint32_t to = first_output + y;
            for (std::uint32_t u : s_.output_needs[y].inputs) known[{u, to}] = {u, to};
            for (std::uint32_t x : s_.output_needs[y].states) known[{first + x, to}] = {first + x, to};
        }
        for (const auto& [key, arrow] : known) arrows_.push_back(arrow);
    }

    void arrange() {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
        std::vector<std::uint32_t> leaving(boxes_.size()), arriving(boxes_.size());
        for (const Arrow& a : arrows_) {
            edges.emplace_back(a.from, a.to);
            ++leaving[a.from];
            ++arriving[a.to];
        }
        for (std::size_t i = 0; i < boxes_.size(); ++i) {
            sizes_.push_back(size_of(boxes_[i]));
            const double room = arrow_room * std::max(leaving[i], arriving[i]);
            if (!sizes_[i].first && !sizes_[i].last) sizes_[i].height = std::max(sizes_[i].height, room + 8);
            if (arriving[i] == 0 && !sizes_[i].last) sizes_[i].first = true;
        }
        layout_ = graph::layered_layout(sizes_, edges, {64, 14});
    }

    std::string title() const {
        return fmt::format("{}: {} state{} in {} subsystem{}", model_.name, s_.states.size(),
                           s_.states.size() == 1 ? "" : "s", s_.subsystems.size(),
                           s_.subsystems.size() == 1 ? "" : "s");
    }
    void mark_states() {
        unreached_.assign(s_.states.size(), false);
        unseen_.assign(s_.states.size(), false);
        using Kind = StructuralDefect::Kind;
        for (const StructuralDefect& d : s_.controllability.defects)
            if (d.kind == Kind::Unreached || d.kind == Kind::UnreachedNow)
                for (std::uint32_t i : d.states) unreached_[i] = true;
        for (const StructuralDefect& d : s_.observability.defects)
            if (d.kind == Kind::Unseen || d.kind == Kind::UnseenNow)
                for (std::uint32_t i : d.states) unseen_[i] = true;
    }
    Colour colour_of(std::uint32_t state) const {
        if (unreached_[state]) return unseen_[state] ? neither_colour : unreached_colour;
        return unseen_[state] ? unseen_colour : ink;
    }
    std::vector<Line> legend() const {
        bool a = false, b = false, both = false;
        for (std::size_t i = 0; i < unreached_.size(); ++i) {
            a = a || (unreached_[i] && !unseen_[i]);
            b = b || (unseen_[i] && !unreached_[i]);
            both = both || (unreached_[i] && unseen_[i]);
        }
        std::vector<Line> lines;
        if (a) lines.push_back({"reached by no input", unreached_colour});
        if (b) lines.push_back({"reaches no output", unseen_colour});
        if (both) lines.push_back({"reached by no input, reaches no output", neither_colour});
        return lines;
    }

    void add_ends(const std::vector<std::string>& names, Box::Kind kind) {
        for (const std::string& name : names)
            boxes_.push_back({kind, "", {{shortened(name, longest_box_name)}}});
    }

    Box box_of(const std::vector<std::uint32_t>& members) const {
        Box box;
        std::vector<Line> lines;
        std::size_t junctions = 0;
        for (std::uint32_t i : members) {
            const Subsystem& part = s_.subsystems[i];
            for (std::uint32_t x : part.states)
                lines.push_back({shortened(s_.states[x], longest_box_name), colour_of(x)});
            for (VariableIndex v : part.discretes)
                lines.push_back({shortened(model_.path(v), longest_box_name) + " (discrete)", grey});
            if (!part.junction.empty()) {
                lines.push_back({shortened(part.junction, longest_box_name), grey});
                ++junctions;
            }
        }
        if (members.size() == 1)
            box.title = std::to_string(members[0] + 1);
        else
            box.title = fmt::format("{} subsystems", members.size());
        if (junctions == members.size()) box.kind = Box::Kind::Junction;
        if (lines.size() > most_lines) {
            const std::size_t more = lines.size() - most_lines + 1;
            lines.resize(most_lines - 1);
            lines.push_back({fmt::format("and {} more", more), grey});
        }
        box.lines = std::move(lines);
        return box;
    }

    graph::LayeredBox size_of(const Box& box) const {
        graph::LayeredBox size;
        for (const Line& l : box.lines) size.width = std::max(size.width, text_room(l.text, box_font));
        size.first = box.kind == Box::Kind::Input;
        size.last = box.kind == Box::Kind::Output;
        size.height = line * double(box.lines.size());
        if (size.first || size.last) {
            size.width += 8;
        } else if (box.title.empty()) {
            size.width += 2 * padding;
            size.height += padding;
        } else {
            size.width = std::max(size.width, text_room(box.title, box_font - 2)) + 2 * padding;
            size.height += padding + 16;
        }
        return size;
    }

    void draw_box(Canvas& canvas, std::size_t i, Point origin) const {
        const Box& box = boxes_[i];
        const Rectangle r{origin.x + layout_.boxes[i].left, origin.y + layout_.boxes[i].top,
                          origin.x + layout_.boxes[i].left + sizes_[i].width,
                          origin.y + layout_.boxes[i].top + sizes_[i].height};
        if (box.kind == Box::Kind::Input || box.kind == Box::Kind::Output) {
            const bool input = box.kind == Box::Kind::Input;
            canvas.text({input ? r.right - 4 : r.left + 4, r.top + 11}, box.lines[0].text,
                        {box_font, input ? Anchor::End : Anchor::Start, false, ink});
            return;
        }
        canvas.fill(r, box.kind == Box::Kind::Junction ? junction_fill : box_fill);
        const Point frame[] = {
            {r.left, r.top}, {r.right, r.top}, {r.right, r.bottom}, {r.left, r.bottom}, {r.left, r.top}};
        canvas.polyline(frame, {box_line, 1.2});
        if (!box.title.empty())
            canvas.text({r.left + padding, r.top + 13}, box.title,
                        {box_font - 2, Anchor::Start, false, grey});
        double y = box.title.empty() ? (r.top + r.bottom) / 2 + 4 : r.top + 16 + 12;
        for (const Line& l : box.lines) {
            canvas.text({r.left + padding, y}, l.text, {box_font, Anchor::Start, false, l.colour});
            y += line;
        }
    }

    static void draw_edge(Canvas& canvas, const std::vector<std::pair<double, double>>& way,
                          const Arrow& arrow, Point origin) {
        std::vector<Point> points;
        const auto at = [&](std::size_t i) {
            return Point{origin.x + way[i].first, origin.y + way[i].second};
        };
        points.push_back(at(0));
        for (std::size_t i = 0; i + 1 < way.size(); ++i) {
            const Point a = at(i), b = at(i + 1);
            if (a.y == b.y) {
                points.push_back(b);
                continue;
            }
            // An S from horizontal to horizontal: 3t² - 2t³ in y, Bézier with both handles in the middle.
            constexpr int pieces = 14;
            for (int k = 1; k <= pieces; ++k) {
                const double t = double(k) / pieces, middle = (a.x + b.x) / 2, s = 1 - t;
                points.push_back({s * s * s * a.x + 3 * s * t * middle + t * t * t * b.x,
                                  a.y + (b.y - a.y) * t * t * (3 - 2 * t)});
            }
        }
        canvas.polyline(points, {edge_colour, 1.1});
        const auto head = [&](Point tip, double back) {
            const Point lines[] = {{tip.x - back, tip.y - 3.5}, tip, {tip.x - back, tip.y + 3.5}};
            canvas.polyline(lines, {edge_colour, 1.4});
        };
        if (arrow.forward) head(points.back(), 7);
        if (arrow.backward) head(points.front(), -7);
    }

    const Structure& s_;
    const FlatModel& model_;
    std::vector<bool> unreached_, unseen_;
    std::vector<Box> boxes_;
    std::vector<Arrow> arrows_;
    std::vector<graph::LayeredBox> sizes_;
    graph::LayeredLayout layout_;
};

}  // namespace

Drawing draw_subsystems(const Structure& structure, const FlatModel& model) {
    const auto diagram = std::make_shared<const Diagram>(structure, model, false);
    return {diagram->width(), diagram->height(), [diagram](Canvas& canvas) { diagram->draw(canvas); }};
}

bool can_draw_states(const Structure& structure) {
    if (structure.states.size() > most_drawn_states) return false;
    std::size_t arrows = 0;
    for (const auto* rows : {&structure.rate_needs, &structure.output_needs})
        for (const Structure::Direct& row : *rows) arrows += row.states.size() + row.inputs.size();
    return arrows <= most_drawn_arrows;
}

Drawing draw_states(const Structure& structure, const FlatModel& model) {
    CUTSET_ASSERT(structure.rate_needs.size() == structure.states.size());
    const auto diagram = std::make_shared<const Diagram>(structure, model, true);
    return {diagram->width(), diagram->height(), [diagram](Canvas& canvas) { diagram->draw(canvas); }};
}

}  // namespace cutset

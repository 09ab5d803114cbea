#include "picture/outside.h"

#include <algorithm>
#include <array>
#include <optional>

namespace cutset::picture {

namespace {

bool holds(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

bool begins_with(std::string_view name, std::string_view with) {
    return name.substr(0, with.size()) == with;
}

bool has_variable(const Port& port, std::string_view variable) {
    for (const PortVariable& v : port.variables)
        if (v.name == variable) return true;
    return std::any_of(port.parts.begin(), port.parts.end(),
                       [&](const Port& part) { return has_variable(part, variable); });
}

// By what its name usually means.
std::optional<Side> side_by_name(std::string_view name) {
    for (std::string_view word : {"in", "from", "left"})
        if (begins_with(name, word)) return Side::Left;
    for (std::string_view word : {"out", "to", "right"})
        if (begins_with(name, word)) return Side::Right;
    for (std::string_view word : {"heat", "ground", "bottom", "drain", "base", "frame"})
        if (begins_with(name, word)) return Side::Bottom;
    if (name == "A" || name == "a" || name == "p") return Side::Left;
    if (name == "B" || name == "b" || name == "n") return Side::Right;
    return std::nullopt;
}

}  // namespace

const Port* find_port(const std::vector<Port>& ports, std::string_view name) {
    for (const Port& p : ports)
        if (p.name == name) return &p;
    return nullptr;
}

const Port* port_of_variable(const std::vector<Port>& ports, std::string_view variable) {
    for (const Port& p : ports)
        if (has_variable(p, variable)) return &p;
    return nullptr;
}

void choose_sides(std::vector<Port>& ports, const std::vector<std::string>& first,
                  const std::vector<std::string>& last) {
    const bool physical =
        std::any_of(ports.begin(), ports.end(), [](const Port& p) { return p.kind == PortKind::Cut; });
    std::array<int, 4> count{};
    const auto put = [&](Port& p, Side side) {
        p.side = side;
        ++count[static_cast<std::size_t>(side)];
    };
    std::vector<Port*> open;
    for (Port& p : ports) {
        if (p.placed)
            put(p, p.side);
        else if (p.kind == PortKind::Input)
            put(p, physical ? Side::Top : Side::Left);
        else if (p.kind == PortKind::Output || p.kind == PortKind::Terminal)
            put(p, physical ? Side::Bottom : Side::Right);
        else if (holds(first, p.name))
            put(p, Side::Left);
        else if (holds(last, p.name))
            put(p, Side::Right);
        else if (const auto side = side_by_name(p.name))
            put(p, *side);
        else
            open.push_back(&p);
    }
    for (Port* p : open) {
        const auto used = [&](Side s) { return count[static_cast<std::size_t>(s)]; };
        if (used(Side::Left) == 0)
            put(*p, Side::Left);
        else if (used(Side::Right) == 0)
            put(*p, Side::Right);
        else
            put(*p, used(Side::Bottom) <= used(Side::Top) ? Side::Bottom : Side::Top);
    }
    // Parts that are ports of their own stand together, on the side of the whole.
    for (Port& whole : ports)
        for (const Port& part : whole.parts)
            for (Port& p : ports)
                if (!part.name.empty() && p.name == part.name && &p != &whole && !p.placed)
                    p.side = whole.side;
    const auto grouped = [&](const Port& p) {
        return std::any_of(p.parts.begin(), p.parts.end(), [&](const Port& part) {
            return !part.name.empty() && find_port(ports, part.name) && part.name != p.name;
        });
    };
    for (const Side side : {Side::Left, Side::Right, Side::Bottom, Side::Top}) {
        std::vector<Port*> here;
        for (Port& p : ports)
            if (p.side == side && !p.placed && !grouped(p)) here.push_back(&p);
        const bool upright = side == Side::Left || side == Side::Right;
        for (std::size_t k = 0; k < here.size(); ++k) {
            const double along = static_cast<double>(k + 1) / static_cast<double>(here.size() + 1);
            here[k]->along = upright ? 1 - along : along;
        }
    }
    for (Port& whole : ports) {
        if (whole.placed || !grouped(whole)) continue;
        double sum = 0;
        int parts = 0;
        for (const Port& part : whole.parts)
            if (const Port* p = find_port(ports, part.name); p && p != &whole) {
                sum += p->along;
                ++parts;
            }
        whole.along = sum / parts;
    }
}

}  // namespace cutset::picture

#include "instantiate/ports.h"

#include <fmt/format.h>

#include "instantiate/messages.h"

namespace cutset {

namespace {

std::uint32_t add_part(Context& c, const PortPart& like) {
    const auto number = static_cast<std::uint32_t>(c.parts.size());
    PortPart made = like;
    made.structure = like.kind == ElementKind::Open ? none : number;
    c.parts.push_back(made);
    c.part_sets.add();
    return number;
}

std::optional<std::uint32_t> face(Context& c, std::uint32_t port, bool inside, int depth);

// The cut a reference in the body of a cut names: another cut of this model or a cut of a submodel.
std::optional<std::uint32_t> referenced_face(Context& c, const tree::Reference& r, const Scope& s,
                                             bool inside, int depth) {
    const std::size_t n = r.parts.size();
    InstanceIndex owner = s.instance;
    if (n > 1) {
        const auto found = find_submodel(c, r, n - 1, s);
        if (!found) return std::nullopt;
        owner = *found;
    }
    const tree::ReferencePart& part = r.parts[n - 1];
    const ClassInfo& info = *c.instances[owner].info;
    const ClassNames* names = info.find(part.name);
    if (!names || names->port == none) {
        std::vector<std::string> candidates(info.ports.begin(), info.ports.end()), cuts;
        for (std::string_view port : info.ports)
            if (!port.empty()) cuts.emplace_back(port);
        candidates.insert(candidates.end(), info.variables.begin(), info.variables.end());
        c.report(messages::unknown_cut(part.where, c.submodel(s.instance), part.name, info.tree->name,
                                       nearest_name(part.name, candidates), cuts));
        return std::nullopt;
    }
    const PortSlot slot = c.port(owner, names->port);
    if (slot.presence != Presence::Present) {
        if (slot.presence == Presence::Absent)
            c.report(messages::not_in_this_structure(part.where, c.submodel(s.instance), "cut", part.name));
        return std::nullopt;
    }
    std::size_t element = 0;
    if (slot.shape || !part.indices.empty()) {
        const std::vector<std::uint32_t> dimensions = c.shapes[slot.shape];
        const auto found = find_element(c, part.indices, dimensions, part.name, part.where, s);
        if (!found) return std::nullopt;
        element = *found;
    }
    return face(c, slot.first + static_cast<std::uint32_t>(element), n == 1 && inside, depth + 1);
}

// The parts for the elements of a body, added to `children`.
bool build_elements(Context& c, const Port& p, std::uint32_t number,
                    const std::vector<tree::PortElement>& elements, bool inside, int depth,
                    std::vector<std::uint32_t>& children) {
    const Scope scope{.instance = p.instance, .loops = p.loops};
    const ClassInfo& info = *c.instances[p.instance].info;
    bool good = true;
    for (const tree::PortElement& e : elements) {
        PortPart like;
        like.port = number;
        like.role = e.role;
        like.inside = inside;
        if (std::holds_alternative<tree::PortDot>(e.what)) {
            like.kind = ElementKind::Dot;
            children.push_back(add_part(c, like));
        } else if (const auto* group = std::get_if<tree::PortGroup>(&e.what)) {
            std::vector<std::uint32_t> inner;
            good &= build_elements(c, p, number, group->elements, inside, depth, inner);
            const std::uint32_t made = add_group(c, inner);
            c.parts[made].port = number;
            children.push_back(made);
        } else if (const auto* r = std::get_if<tree::PortReference>(&e.what)) {
            const auto found = referenced_face(c, r->port, scope, inside, depth);
            good &= found.has_value();
            if (found) children.push_back(*found);
        } else {
            const auto& v = std::get<tree::PortVariable>(e.what);
            const std::string& name = v.variable.parts[0].name;
            const ClassNames* names = v.variable.parts.size() == 1 ? info.find(name) : nullptr;
            const bool is_cut = v.variable.parts.size() > 1
                                    ? v.variable.parts.back().before == tree::Separator::Cut
                                    : names && names->variable == none && names->port != none;
            if (is_cut) {
                if (v.negative) c.report(messages::negative_cut(e.where, c.submodel(p.instance), name));
                const auto found = referenced_face(c, v.variable, scope, inside, depth);
                good &= found.has_value();
                if (found) children.push_back(*found);
                continue;
            }
            auto found = find_variable(c, v.variable, scope);
            if (!found) {
                good = false;
                continue;
            }
            // hole[i] of an array of cuts takes element i of a variable with the same dimensions.
            if (p.shape && v.variable.parts[0].indices.empty() && !found->dimensions.empty()) {
                const std::vector<std::uint32_t>& own = c.shapes[p.shape];
                if (found->dimensions.size() >= own.size() &&
                    std::equal(own.begin(), own.end(), found->dimensions.begin())) {
                    const std::size_t each = found->count / c.count(p.shape);
                    found->first += static_cast<std::uint32_t>(p.element * each);
                    found->count = each;
                }
            }
            like.kind = ElementKind::Variable;
            like.negative = v.negative != (inside && e.role == tree::Role::Through);
            for (std::size_t k = 0; k < found->count; ++k) {
                like.first = found->first + static_cast<std::uint32_t>(k);
                children.push_back(add_part(c, like));
            }
        }
    }
    return good;
}

std::optional<std::uint32_t> face(Context& c, std::uint32_t number, bool inside, int depth) {
    Port& p = c.ports[number];
    if (p.node) inside = false;
    const std::uint32_t known = inside ? p.inside : p.outside;
    if (known != none) return known;
    if (!p.body) {
        PortPart open;
        open.port = number;
        p.outside = p.inside = add_part(c, open);
        return p.outside;
    }
    if (p.building || depth > 100) {
        c.report(messages::cut_contains_itself(p.where, c.submodel(p.instance), port_name(c, number)));
        return std::nullopt;
    }
    p.building = true;
    const Port copy = p;
    std::vector<std::uint32_t> children;
    const bool good = build_elements(c, copy, number, *copy.body, inside, depth, children);
    c.ports[number].building = false;
    if (!good) return std::nullopt;
    const std::uint32_t made = add_group(c, children);
    c.parts[made].port = number;
    c.parts[made].inside = inside;
    (inside ? c.ports[number].inside : c.ports[number].outside) = made;
    return made;
}

void append_text(const Context& c, std::uint32_t part, std::string& out, int depth) {
    const PortPart& p = c.parts[part];
    switch (p.kind) {
        case ElementKind::Variable:
            if (p.negative != p.inside || (p.inside && p.role == tree::Role::Across)) {
                if (p.role == tree::Role::Through && p.negative != p.inside) out += "-";
            }
            out += c.model.variables[VariableIndex(p.first)].name;
            return;
        case ElementKind::Value:
            out += to_text(c.values[p.first].value, c.model.printer());
            return;
        case ElementKind::Dot:
            out += ".";
            return;
        case ElementKind::Open:
            out += p.port == none ? "(open)" : port_name(c, p.port);
            return;
        case ElementKind::Group:
            break;
    }
    if (depth > 20) {
        out += "…";
        return;
    }
    out += "(";
    bool through = false;
    for (std::uint32_t k = 0; k < p.count; ++k) {
        const PortPart& child = c.parts[c.children[p.first + k]];
        const bool leaf = child.kind != ElementKind::Group && child.kind != ElementKind::Open;
        if (leaf && child.role == tree::Role::Through && !through) {
            out += k ? " / " : "/ ";
            through = true;
        } else if (k) {
            out += ", ";
        }
        append_text(c, c.children[p.first + k], out, depth + 1);
    }
    out += ")";
}

}  // namespace

std::uint32_t add_group(Context& c, const std::vector<std::uint32_t>& children) {
    PortPart group;
    group.kind = ElementKind::Group;
    group.first = static_cast<std::uint32_t>(c.children.size());
    group.count = static_cast<std::uint32_t>(children.size());
    c.children.insert(c.children.end(), children.begin(), children.end());
    return add_part(c, group);
}

std::uint32_t add_dot(Context& c, tree::Role role) {
    PortPart dot;
    dot.kind = ElementKind::Dot;
    dot.role = role;
    return add_part(c, dot);
}

std::uint32_t add_value(Context& c, tree::Role role, Expr value, Origin origin) {
    PortPart part;
    part.kind = ElementKind::Value;
    part.role = role;
    part.first = static_cast<std::uint32_t>(c.values.size());
    c.values.push_back({value, origin});
    return add_part(c, part);
}

std::uint32_t add_leaf(Context& c, tree::Role role, VariableIndex v, bool negative) {
    PortPart part;
    part.kind = ElementKind::Variable;
    part.role = role;
    part.first = v.value;
    part.negative = negative;
    return add_part(c, part);
}

std::optional<std::uint32_t> port_face(Context& c, std::uint32_t port, bool inside) {
    return face(c, port, inside, 0);
}

void build_ports(Context& c) {
    for (std::uint32_t p = 0; p < c.ports.size(); ++p) port_face(c, p, false);
}

std::string port_name(const Context& c, std::uint32_t port) {
    if (port == none) return "a temporary cut";
    const Port& p = c.ports[port];
    std::string path = c.submodel(p.instance);
    if (!p.declaration || p.declaration->name.empty()) {
        if (path.empty()) path = c.model.name;
        return p.declaration ? path : "an end of a path of " + path;
    }
    const std::string name = p.declaration->name + element_text(c.shapes[p.shape], p.element);
    return path.empty() ? name : path + ":" + name;
}

std::string part_text(const Context& c, std::uint32_t part) {
    const PortPart& p = c.parts[part];
    std::string out;
    append_text(c, part, out, 0);
    if (p.port == none) return out;
    if (p.kind == ElementKind::Open) return port_name(c, p.port);
    return port_name(c, p.port) + " " + out;
}

}  // namespace cutset

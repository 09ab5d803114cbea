// Expandable connectors: a connection to a member that one lacks adds it, with
// the type of the other side, to it and to all that it is connected with. What
// is declared in one and never connected is not there.
#include <algorithm>

#include "objects/connections.h"
#include "objects/instance_messages.h"
#include "objects/instance_scope.h"
#include "objects/lookup.h"

namespace cutset::objects {

std::uint32_t Connections::bus_number(ComponentInstance& bus) {
    const auto [it, fresh] = bus_numbers_.emplace(&bus, static_cast<std::uint32_t>(buses_.size()));
    if (fresh) {
        buses_.emplace_back();
        buses_.back().component = &bus;
        bus_groups_.add();
    }
    return it->second;
}

Connections::End Connections::end_of(const object::Expression& e, Frame& frame) {
    End end;
    if (e.kind != object::ExpressionKind::Name) return end;
    InstanceTree& tree = instances_.tree();
    const auto& parts = e.name.parts;
    const Found f = find_simple(tree, parts[0].name, place_of(frame.scope));
    if (!f.element || !f.element->component) return end;
    ComponentInstance* c = &tree.resolve_outer(tree.child(*f.owner, *f.element));
    for (std::size_t k = 0;; ++k) {
        if (!instances_.is_present(*c)) return end;
        const Dimensions& sizes = instances_.dimensions(*c);
        if (!sizes.empty() && !c->type->is_builtin()) {
            const auto choices = evaluator_.indices(parts[k].indices, sizes, frame);
            if (choices.size() != sizes.size()) break;
            std::size_t element = 0;
            for (std::size_t d = 0; d < sizes.size(); ++d) {
                if (choices[d].keeps || choices[d].positions.size() != 1) return end;
                element = element * sizes[d] + choices[d].positions[0] - 1;
            }
            c = &tree.array_element(*c, element);
        }
        if (k + 1 == parts.size()) break;
        const Element* next = tree.find(*c->type, parts[k + 1].name);
        const bool deeper = next && next->component;
        if (is_expandable(*c->type) && (!deeper || !is_expandable(*tree.child(*c, *next).type))) {
            // The member itself only: what is inside of one comes with it.
            if (k + 2 == parts.size() && parts[k + 1].indices.empty()) {
                end.bus = c;
                end.member = parts[k + 1].name;
            }
            return end;
        }
        if (!deeper) return end;
        c = &tree.child(*c, *next);
    }
    end.component = c;
    return end;
}

void Connections::unite_buses(ComponentInstance& a, ComponentInstance& b) {
    bus_groups_.join_to_least(bus_number(a), bus_number(b));
    InstanceTree& tree = instances_.tree();
    for (std::size_t k = 0; k < a.type->elements.size(); ++k) {
        const Element& e = a.type->elements[k];
        const Element* other = e.component && !e.broken ? tree.find(*b.type, e.name) : nullptr;
        if (!other || !other->component) continue;
        ComponentInstance &inner = tree.child(a, e), &inner_b = tree.child(b, *other);
        if (is_expandable(*inner.type) && is_expandable(*inner_b.type)) unite_buses(inner, inner_b);
    }
}

void Connections::note_members(const object::ConnectEquation& c, Frame& frame) {
    const End a = end_of(c.left, frame), b = end_of(c.right, frame);
    const auto whole = [](const End& e) { return e.component && is_expandable(*e.component->type); };
    if (whole(a) && whole(b)) return unite_buses(*a.component, *b.component);
    const auto note = [&](const End& member, const End& like) {
        ComponentInstance*& of = buses_[bus_number(*member.bus)].members[member.member];
        if (!of) of = like.component;
    };
    if (a.bus && b.bus) {
        const std::uint32_t x = bus_number(*a.bus), y = bus_number(*b.bus);
        member_pairs_.push_back({x, y, a.member, b.member});
    } else if (a.bus && b.component) {
        note(a, b);
    } else if (b.bus && a.component) {
        note(b, a);
    }
}

void Connections::add_members(Walked& walked) {
    InstanceTree& tree = instances_.tree();
    // What each member is like, from any connector of the group that declares it
    // or is connected to one.
    const auto like = [&](std::uint32_t n, const std::string& name) -> ComponentInstance*& {
        return buses_[bus_groups_.root(n)].members[name];
    };
    for (std::uint32_t n = 0; n < buses_.size(); ++n) {
        const auto own = buses_[n].members;
        for (const auto& [name, of] : own)
            if (ComponentInstance*& known = like(n, name); !known) known = of;
    }
    for (const MemberPair& p : member_pairs_) {
        like(p.a, p.a_name);
        like(p.b, p.b_name);
    }
    for (std::uint32_t n = 0; n < buses_.size(); ++n)
        for (auto& [name, of] : buses_[bus_groups_.root(n)].members) {
            const Element* e = tree.find(*buses_[n].component->type, name);
            if (e && e->component) of = &tree.child(*buses_[n].component, *e);
        }
    for (bool changed = true; changed;) {
        changed = false;
        for (const MemberPair& p : member_pairs_) {
            ComponentInstance *&x = like(p.a, p.a_name), *&y = like(p.b, p.b_name);
            if (!x == !y) continue;
            (x ? y : x) = x ? x : y;
            changed = true;
        }
    }
    for (std::uint32_t n = 0; n < buses_.size(); ++n) {
        ComponentInstance& bus = *buses_[n].component;
        for (const auto& [name, of] : buses_[bus_groups_.root(n)].members) {
            if (!of) continue;  // its connection says so
            const Element* e = tree.find(*bus.type, name);
            const bool declared = e && e->component;
            instances_.dimensions(*of);
            ComponentInstance& member = declared ? tree.child(bus, *e) : instances_.add_to(bus, name, *of);
            buses_[n].used[name] = &member;
            if (!is_expandable(*member.type)) walk_member(instances_, member, walked);
        }
    }
}

void Connections::join_buses(ComponentInstance& a, bool a_outside, ComponentInstance& b, bool b_outside,
                             Origin origin) {
    const auto &x = buses_[bus_number(a)].used, &y = buses_[bus_number(b)].used;
    for (const auto& [name, member] : x)
        if (const auto other = y.find(name); other != y.end())
            join_whole(*member, a_outside, *other->second, b_outside, origin);
    InstanceTree& tree = instances_.tree();
    for (std::size_t k = 0; k < a.type->elements.size(); ++k) {
        const Element& e = a.type->elements[k];
        const Element* other = e.component && !e.broken ? tree.find(*b.type, e.name) : nullptr;
        if (!other || !other->component) continue;
        ComponentInstance &inner = tree.child(a, e), &inner_b = tree.child(b, *other);
        if (is_expandable(*inner.type) && is_expandable(*inner_b.type))
            join_buses(inner, a_outside, inner_b, b_outside, origin);
    }
}

}  // namespace cutset::objects

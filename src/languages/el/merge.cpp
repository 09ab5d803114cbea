#include <algorithm>

#include "languages/el/messages.h"
#include "languages/el/model.h"

namespace cutset::el {

const PortVariable* PortType::variable(const std::string& name) const {
    for (const PortVariable& v : variables)
        if (v.declared->name == name) return &v;
    return nullptr;
}

namespace {

struct Merger {
    const Library& library;
    Diagnostics& diagnostics;
    Merged out;
    std::vector<const Component*> open = {};

    void name(const std::string& name, Span where) {
        const auto [at, is_new] = out.names.emplace(name, where);
        if (!is_new) diagnostics.report(declared_twice(where, name, at->second));
    }

    void declarations(const std::vector<Declaration>& from, std::vector<const Declaration*>& to) {
        for (const Declaration& d : from) {
            name(d.name, d.where);
            to.push_back(&d);
        }
    }

    void continuous(const Statement& s) {
        if (s.label.empty()) return void(out.continuous.push_back(&s));
        const auto same = std::find_if(out.continuous.begin(), out.continuous.end(),
                                       [&](const Statement* other) { return other->label == s.label; });
        if (s.replaces) {
            if (same == out.continuous.end())
                diagnostics.report(label_replaces_nothing(s.where, s.label));
            else
                *same = &s;
            return;
        }
        if (same != out.continuous.end()) diagnostics.report(label_twice(s.where, s.label, (*same)->where));
        out.continuous.push_back(&s);
    }

    void component(const Component& c) {
        if (!out.parents.insert(&c).second) return;
        open.push_back(&c);
        for (const Parent& p : c.parents) {
            const Component* parent = library.component(p.name);
            if (!parent || parent->is_port != c.is_port) {
                diagnostics.report(unknown_parent(p.where, p.name,
                                                  nearest_name(p.name, library.component_names(c.is_port))));
                continue;
            }
            if (std::find(open.begin(), open.end(), parent) != open.end()) {
                diagnostics.report(own_parent(p.where, p.name));
                continue;
            }
            component(*parent);
        }
        open.pop_back();
        declarations(c.parameters, out.parameters);
        declarations(c.data, out.data);
        declarations(c.variables, out.variables);
        for (const PortUse& p : c.ports) {
            name(p.name, p.where);
            out.ports.push_back(&p);
        }
        for (const Close& k : c.closes) out.closes.push_back(&k);
        for (const Statement& s : c.topology) out.topology.push_back(&s);
        for (const InitBlock& i : c.inits) out.inits.push_back({i.priority, &i.body});
        for (const Statement& s : c.discrete) out.discrete.push_back(&s);
        for (const Statement& s : c.continuous) continuous(s);
    }
};

}  // namespace

Merged merge(const Component& c, const Library& library, Diagnostics& diagnostics) {
    Merger m{library, diagnostics, {}};
    m.component(c);
    std::stable_sort(m.out.inits.begin(), m.out.inits.end(),
                     [](const InitPart& a, const InitPart& b) { return a.priority > b.priority; });
    return std::move(m.out);
}

}  // namespace cutset::el

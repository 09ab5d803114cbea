#include "languages/modelica_text/restore_inheritance.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "ir/object_text.h"

namespace cutset::modelica {

using namespace object;

namespace {

using ByName = std::map<std::string, Class*>;

const LongDefinition* body_of(const Class* c) {
    return c ? std::get_if<LongDefinition>(&c->definition) : nullptr;
}

std::string last_part(const Name& n) {
    return n.parts.back().name;
}

// Everything about a component but its modification and its class.
std::string frame_of(Component c) {
    c.modification = {};
    c.type = {};
    c.type.parts.push_back({"T", {}, {}});
    const ElementPrefixes& p = c.element;
    std::string out = std::string(p.is_protected ? "protected " : "") + (p.inner ? "inner " : "") +
                      (p.outer ? "outer " : "");
    Class around;
    around.name = "C";
    LongDefinition d;
    d.elements.emplace_back(std::move(c));
    around.definition = std::move(d);
    return out + object_text(around);
}

std::string equation_text(const Equation& e) {
    Class around;
    around.name = "C";
    LongDefinition d;
    EquationSection section;
    section.equations.push_back(e);
    d.elements.emplace_back(std::move(section));
    around.definition = std::move(d);
    return object_text(around);
}

// What must be added to `before` to get `after`; none where something would have to be taken away.
std::optional<Modification> difference(const Modification* before, const Modification* after) {
    Modification out;
    if (!after) return before ? std::nullopt : std::optional(out);
    const auto find = [](const Modification* m, const std::string& name) -> const Argument* {
        if (m)
            for (const Argument& a : m->arguments)
                if (object_text(a.name) == name) return &a;
        return nullptr;
    };
    if (before)
        for (const Argument& a : before->arguments)
            if (!find(after, object_text(a.name))) return std::nullopt;
    for (const Argument& a : after->arguments) {
        const Argument* old = find(before, object_text(a.name));
        if (!old || old->each != a.each) {
            if (old) return std::nullopt;
            out.arguments.push_back(a);
            continue;
        }
        auto inner = difference(old->value ? &*old->value : nullptr, a.value ? &*a.value : nullptr);
        if (!inner) return std::nullopt;
        if (inner->arguments.empty() && !inner->value) continue;
        Argument changed = a;
        changed.value = std::move(*inner);
        out.arguments.push_back(std::move(changed));
    }
    if (before && before->value && !after->value) return std::nullopt;
    if (after->value &&
        (!before || !before->value || object_text(*before->value) != object_text(*after->value)))
        out.value = after->value;
    return out;
}

class Restorer {
  public:
    explicit Restorer(std::vector<std::shared_ptr<Class>>& classes) : classes_(classes) {
        for (const auto& c : classes_) {
            by_name_[c->name] = c.get();
            full_[c->name] = *c;
        }
    }

    void run() {
        for (const auto& c : classes_)
            for (const std::string& parent : c->inherits)
                if (const auto at = full_.find(parent); at != full_.end()) inherit(*c, at->second);
        for (const auto& [place, constraint] : replaceable_) declare_replaceable(place, constraint);
    }

  private:
    struct Place {
        std::string of_class, component;
        auto operator<=>(const Place&) const = default;
    };

    // The class and those that it was made from, nearest first.
    std::vector<std::string> ancestors(const std::string& name) const {
        std::vector<std::string> out = {name};
        for (std::size_t i = 0; i < out.size() && out.size() < 1000; ++i)
            if (const auto at = full_.find(out[i]); at != full_.end())
                for (const std::string& p : at->second.inherits)
                    if (std::find(out.begin(), out.end(), p) == out.end()) out.push_back(p);
        return out;
    }
    std::optional<std::string> common_ancestor(const std::string& a, const std::string& b) const {
        const std::vector<std::string> of_b = ancestors(b);
        for (const std::string& name : ancestors(a))
            if (full_.contains(name) && std::find(of_b.begin(), of_b.end(), name) != of_b.end()) return name;
        return std::nullopt;
    }

    static Component* find(LongDefinition& d, const std::string& name) {
        for (Element& e : d.elements)
            if (auto* c = std::get_if<Component>(&e); c && c->name == name) return c;
        return nullptr;
    }

    // The modification of `extends` that makes component `c` of what the parent has as `p`.
    std::optional<Argument> changed(const Component& p, const Component& c, const std::string& parent,
                                    std::map<Place, std::string>& redeclared) const {
        Argument a;
        a.where = c.where;
        a.name.where = c.where;
        a.name.parts.push_back({c.name, {}, c.where});
        if (object_text(p.type) != object_text(c.type)) {
            const auto common = common_ancestor(last_part(p.type), last_part(c.type));
            if (!common) return std::nullopt;
            redeclared[{parent, c.name}] = *common;
            a.redeclare = true;
            a.redeclaration = Redeclaration{std::make_shared<const Component>(c), nullptr};
            return a;
        }
        auto more = difference(p.modification ? &*p.modification : nullptr,
                               c.modification ? &*c.modification : nullptr);
        if (!more) return std::nullopt;
        a.value = std::move(*more);
        return a;
    }

    // Equations of the parent's sections that stand in the class, too; none where one does not.
    static std::optional<std::set<const Equation*>> equations_of(const LongDefinition& parent,
                                                                 const LongDefinition& own) {
        std::map<std::string, std::vector<const Equation*>> there;
        const auto key = [](const EquationSection& s, const Equation& e) {
            return (s.initial ? "initial " : "") + equation_text(e);
        };
        for (const Element& e : own.elements)
            if (const auto* s = std::get_if<EquationSection>(&e))
                for (const Equation& q : s->equations) there[key(*s, q)].push_back(&q);
        std::set<const Equation*> out;
        for (const Element& e : parent.elements) {
            if (std::holds_alternative<AlgorithmSection>(e)) return std::nullopt;
            const auto* s = std::get_if<EquationSection>(&e);
            if (!s) continue;
            for (const Equation& q : s->equations) {
                auto& same = there[key(*s, q)];
                if (same.empty()) return std::nullopt;
                out.insert(same.back());
                same.pop_back();
            }
        }
        return out;
    }

    void inherit(Class& c, const Class& parent) {
        const LongDefinition* from = body_of(&parent);
        auto* own = std::get_if<LongDefinition>(&c.definition);
        if (!from || !own || parent.kind != c.kind) return;
        Extends extends;
        extends.where = c.where;
        extends.base.where = c.where;
        extends.base.parts.push_back({parent.name, {}, c.where});
        Modification m;
        m.where = c.where;
        std::set<std::string> inherited;
        std::map<Place, std::string> redeclared;
        for (const Element& e : from->elements) {
            const auto* p = std::get_if<Component>(&e);
            if (!p) continue;
            const Component* k = find(*own, p->name);
            if (!k || frame_of(*p) != frame_of(*k)) return;
            auto a = changed(*p, *k, parent.name, redeclared);
            if (!a) return;
            inherited.insert(p->name);
            const bool says_something =
                a->redeclaration || (a->value && (a->value->value || !a->value->arguments.empty()));
            if (says_something) m.arguments.push_back(std::move(*a));
        }
        const auto equations = equations_of(*from, *own);
        if (!equations) return;
        remove(*own, inherited, *equations);
        if (!m.arguments.empty()) extends.modification = std::move(m);
        own->elements.insert(own->elements.begin(), std::move(extends));
        for (auto& [place, constraint] : redeclared) note_replaceable(place, constraint);
    }

    static void remove(LongDefinition& d, const std::set<std::string>& components,
                       const std::set<const Equation*>& equations) {
        std::vector<Element> left;
        for (Element& e : d.elements) {
            if (const auto* c = std::get_if<Component>(&e); c && components.contains(c->name)) continue;
            if (auto* s = std::get_if<EquationSection>(&e)) {
                std::vector<Equation> rest;
                for (Equation& q : s->equations)
                    if (!equations.contains(&q)) rest.push_back(std::move(q));
                if (rest.empty()) continue;
                s->equations = std::move(rest);
            }
            left.push_back(std::move(e));
        }
        d.elements = std::move(left);
    }

    void note_replaceable(const Place& place, const std::string& constraint) {
        const auto [at, is_new] = replaceable_.emplace(place, constraint);
        if (is_new) return;
        if (const auto common = common_ancestor(at->second, constraint)) at->second = *common;
    }

    // The component is declared in the class, or in one that it extends.
    void declare_replaceable(const Place& place, const std::string& constraint) {
        for (const std::string& name : ancestors(place.of_class)) {
            const auto at = by_name_.find(name);
            auto* body =
                at == by_name_.end() ? nullptr : std::get_if<LongDefinition>(&at->second->definition);
            Component* c = body ? find(*body, place.component) : nullptr;
            if (!c) continue;
            c->element.replaceable = true;
            if (last_part(c->type) == constraint) return;
            Constraint limit;
            limit.type = c->type;
            limit.type.parts.back().name = constraint;
            c->constraint = std::move(limit);
            return;
        }
    }

    std::vector<std::shared_ptr<Class>>& classes_;
    ByName by_name_;
    std::map<std::string, Class> full_;  // as they were, with all that they have
    std::map<Place, std::string> replaceable_;
};

}  // namespace

void restore_inheritance(std::vector<std::shared_ptr<Class>>& classes) {
    Restorer(classes).run();
}

}  // namespace cutset::modelica

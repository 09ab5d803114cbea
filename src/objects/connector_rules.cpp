#include "objects/connector_rules.h"

#include <set>
#include <string>

#include "objects/rule_messages.h"

namespace cutset::objects {

namespace {

using object::ClassKind;

// With what its short class says: `connector InputC = input C`.
object::TypePrefixes own_prefixes(const ComponentInstance& c) {
    object::TypePrefixes p = c.declared->prefixes;
    if (p.flow == object::Flow::None) p.flow = c.type->prefixes.flow;
    if (p.causality == object::Causality::None) p.causality = c.type->prefixes.causality;
    return p;
}

class ConnectorRules {
  public:
    ConnectorRules(Instances& instances)
        : instances_(instances), diagnostics_(instances.tree().diagnostics()) {}

    void check(ComponentInstance& c) {
        if (!c.element || !c.declared || !is_modelica(c) || c.type->is_builtin()) return;
        if (!prefixes(c)) return;
        const ClassKind kind = c.type->text->kind;
        if (kind != ClassKind::Connector) return;
        if (c.parent->type->text && c.parent->type->text->kind == ClassKind::Block) direction(c);
        if (seen_.insert(c.type).second) balance(c);
    }

  private:
    bool prefixes(const ComponentInstance& c) {
        const object::TypePrefixes given = own_prefixes(c);
        if (given.flow == object::Flow::None && given.causality == object::Causality::None) return true;
        bool flow = false, causality = false;
        look_for(c, flow, causality);
        const auto report = [&](const char* word) {
            diagnostics_.report(messages::prefix_given_twice(c.declared->where, word, c.type->path));
        };
        flow = flow && given.flow != object::Flow::None;
        causality = causality && given.causality != object::Causality::None;
        if (flow) report(given.flow == object::Flow::Stream ? "stream" : "flow");
        if (causality) report(given.causality == object::Causality::Input ? "input" : "output");
        return !flow && !causality;
    }

    // Whether something in it has a prefix of its own.
    static void look_for(const ComponentInstance& c, bool& flow, bool& causality) {
        for (const auto& part : c.children) {
            if (!part || !part->declared) continue;
            const object::TypePrefixes own = own_prefixes(*part);
            flow = flow || own.flow != object::Flow::None;
            causality = causality || own.causality != object::Causality::None;
            look_for(*part, flow, causality);
        }
    }

    // In a block all variables of public connectors are inputs or outputs.
    void direction(const ComponentInstance& c) {
        if (c.element->prefixes.is_protected) return;
        for (const auto& part : c.children)
            if (part && part->type->is_builtin() && part->prefixes.causality == object::Causality::None &&
                part->prefixes.variability < object::Variability::Parameter) {
                diagnostics_.report(messages::not_in_this_class(
                    c.declared->where, "a connector that is neither input nor output", "block",
                    "connectors that are one of both"));
                return;
            }
    }

    struct Count {
        std::size_t potentials = 0, flows = 0, streams = 0;
    };

    // As many flows as variables without a prefix. A type with an equalityConstraint counts with the
    // length of its residue.
    void balance(ComponentInstance& c) {
        if (c.type->text->partial) return;
        Count n;
        try {
            count_variables(c, 1, n);
        } catch (const Refused&) {
            return;  // is told where the sizes are needed
        }
        if (n.potentials != n.flows)
            diagnostics_.report(messages::connector_unbalanced(c.type->text->where, c.type->path,
                                                               n.potentials, n.flows, c.declared->where));
        else if (n.streams > 0 && n.flows != 1)
            diagnostics_.report(messages::stream_needs_flow(c.type->text->where, c.type->path, n.flows));
    }

    void count_variables(ComponentInstance& c, std::size_t times, Count& n) {
        for (const Element& e : c.type->elements) {
            if (!e.component || e.broken) continue;
            ComponentInstance& part = instances_.tree().child(c, e);
            if (!instances_.is_present(part)) continue;
            const std::size_t all = times * count(instances_.dimensions(part));
            const object::TypePrefixes& p = part.prefixes;
            if (p.variability >= object::Variability::Parameter) continue;
            if (const auto residue = residue_size(*part.type)) {
                if (p.causality == object::Causality::None) n.potentials += times * *residue;
            } else if (!part.type->is_builtin()) {
                const Dimensions& sizes = instances_.dimensions(part);
                if (all > 0)
                    count_variables(sizes.empty() ? part : instances_.tree().array_element(part, 0), all, n);
            } else if (p.flow == object::Flow::Flow) {
                n.flows += all;
            } else if (p.flow == object::Flow::Stream) {
                n.streams += all;
            } else if (p.causality == object::Causality::None && part.type->builtin != Builtin::Clock) {
                n.potentials += all;
            }
        }
    }

    std::optional<std::size_t> residue_size(ClassInstance& type) {
        const Element* e = instances_.tree().find(type, "equalityConstraint");
        if (!e || !e->declared) return std::nullopt;
        InstanceTree& tree = instances_.tree();
        ClassInstance& function = tree.class_of(tree.self(type), *e);
        tree.complete(function);
        for (const Element& output : function.elements)
            if (output.component && output.component->prefixes.causality == object::Causality::Output)
                return count(instances_.dimensions(tree.child(tree.self(function), output)));
        return std::nullopt;
    }

    Instances& instances_;
    Diagnostics& diagnostics_;
    std::set<const ClassInstance*> seen_;
};

}  // namespace

void check_connectors(Instances& instances, const Walked& walked) {
    ConnectorRules rules(instances);
    for (ComponentInstance* c : walked.instances) rules.check(*c);
}

}  // namespace cutset::objects

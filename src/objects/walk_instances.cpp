#include "objects/walk_instances.h"

#include "objects/functions.h"
#include "objects/instance_messages.h"

namespace cutset::objects {

namespace {

constexpr std::size_t scalar_limit = 5'000'000;  // scalar variables of one model
constexpr std::size_t instance_limit = 1'000'000;
constexpr std::size_t nesting_limit = 200;  // components within components

std::string element_text(const Dimensions& sizes, std::size_t number) {
    if (sizes.empty()) return "";
    std::vector<std::size_t> indices(sizes.size());
    for (std::size_t k = sizes.size(); k-- > 0; number /= sizes[k]) indices[k] = number % sizes[k] + 1;
    std::string out = "[";
    for (std::size_t k = 0; k < indices.size(); ++k) out += (k ? "," : "") + std::to_string(indices[k]);
    return out + "]";
}

bool is_part(object::ClassKind kind) {
    using Kind = object::ClassKind;
    return kind == Kind::Connector || kind == Kind::ExpandableConnector || kind == Kind::Record ||
           kind == Kind::OperatorRecord;
}

class Walk {
  public:
    Walk(Instances& instances, Walked& walked)
        : instances_(instances),
          tree_(instances.tree()),
          model_(instances.evaluator().model()),
          walked_(walked) {}

    void run() {
        ComponentInstance& root = *instances_.root;
        add_instance(root, InstanceIndex(0));
        // Inner components that no class declares turn up on the way, and may ask for others.
        for (std::size_t k = 0; k < tree_.made_inner().size(); ++k) enter(*tree_.made_inner()[k]);
        // Values that were asked for before their variables were there, for sizes.
        instances_.evaluator().functions().modifiers.clear();
    }

    void member(ComponentInstance& c) {
        try {
            enter(c);
        } catch (Refused& refused) {
            report(std::move(refused.diagnostic), c);
        }
    }

  private:
    void report(Diagnostic d, const ComponentInstance& c) {
        if (d.submodel.empty()) d.submodel = instances_.path(c);
        tree_.diagnostics().report(std::move(d));
    }

    void add_instance(ComponentInstance& c, InstanceIndex parent) {
        Instance i;
        i.name = c.element ? c.name : std::string();
        i.parent = parent;
        i.type = c.type->path;
        i.where = c.declared ? c.declared->where : c.type->text->where;
        i.part = c.element && is_part(c.type->text->kind);
        if (model_.instances.size() >= instance_limit) {
            walked_.too_large = true;
            throw Refused{messages::too_many_components(i.where, instances_.path(c), instance_limit)};
        }
        c.flat = model_.instances.add(std::move(i));
        walked_.instances.push_back(&c);
        add_sections(c);
        if (++nesting_ > nesting_limit) {
            --nesting_;
            throw Refused{messages::nested_too_deeply(model_.instances[c.flat].where)};
        }
        for (std::size_t k = 0; k < c.type->elements.size(); ++k) {
            const Element& e = c.type->elements[k];
            if (!e.component || e.broken) continue;
            try {
                ComponentInstance& part = tree_.child(c, e);
                if (is_expandable(*c.type) && is_potential(part)) continue;
                const bool elsewhere = &tree_.resolve_outer(part) != &part;
                if (!elsewhere || e.prefixes.inner) enter(part);
            } catch (Refused& refused) {
                report(std::move(refused.diagnostic), c);
            }
        }
        --nesting_;
    }

    void add_sections(ComponentInstance& c) {
        if (c.type->equations.empty() && c.type->algorithms.empty()) return;
        DeclaredSections s;
        s.instance = c.flat;
        s.path = instances_.path(c);
        for (const auto& e : c.type->equations)
            s.equations.emplace_back(e.section, instances_.scope(Place{&c, e.origin}));
        for (const auto& a : c.type->algorithms)
            s.algorithms.emplace_back(a.section, instances_.scope(Place{&c, a.origin}));
        walked_.declarations.sections.push_back(std::move(s));
    }

    void enter(ComponentInstance& c) {
        if (walked_.too_large) return;
        if (!instances_.is_present(c)) return;
        const Dimensions& sizes = instances_.dimensions(c);
        if (c.type->is_builtin()) return declare(c);
        if (c.type->text->kind == object::ClassKind::Function) return;
        if (c.type->text->partial)
            throw Refused{
                messages::partial_component(c.declared->where, c.name, c.type->path, c.type->text->where)};
        if (sizes.empty()) return add_instance(c, c.parent->flat);
        const std::size_t n = count(sizes);
        if (n > scalar_limit)
            throw Refused{messages::too_many_variables(c.declared->where, instances_.path(c), scalar_limit)};
        for (std::size_t k = 0; k < n && !walked_.too_large; ++k) {
            ComponentInstance& element = tree_.array_element(c, k);
            element.presence = Presence::Present;
            add_instance(element, c.parent->flat);
        }
    }

    void declare(ComponentInstance& c) {
        const object::Variability variability = c.prefixes.variability;
        const Type type = instances_.type_of(*c.type);
        // A constant that nobody uses is wrong all the same.
        if (variability == object::Variability::Constant && is_modelica(c))
            if (const auto given = instances_.binding(c); given && given->fields.empty())
                instances_.value(c, Reading::Constant, c.declared->where);
        if (variability == object::Variability::Constant || type.basic == Basic::String ||
            type.basic == Basic::Object)
            return;
        DeclaredVariable d;
        d.type = type;
        d.dimensions = *c.dimensions;
        d.variability = variability;
        d.causality = c.prefixes.causality;
        d.flow = c.prefixes.flow;
        d.top_level = c.parent == instances_.root;
        const object::Class* text = c.place.in ? c.place.in->text : nullptr;
        d.start_counts = text && text->language != object::Language::Modelica;
        d.instance = c.parent->flat;
        d.path = instances_.path(c);
        d.where = c.declared->where;
        const std::size_t n = count(d.dimensions);
        if (n + model_.variables.size() > scalar_limit) {
            walked_.too_large = true;
            throw Refused{messages::too_many_variables(c.declared->where, d.path, scalar_limit)};
        }
        d.first = model_.variables.end_index();
        c.variable = d.first;
        Variable v = variable(c, d);
        for (std::size_t k = 0; k < n; ++k) {
            v.name = c.name + element_text(d.dimensions, k);
            model_.variables.add(v);
        }
        d.binding = instances_.binding(c);
        d.attributes = instances_.attributes(c);
        if (c.prefixes.flow == object::Flow::Flow) walked_.flows.push_back(&c);
        walked_.declarations.variables.push_back(std::move(d));
    }

    Variable variable(const ComponentInstance& c, const DeclaredVariable& d) {
        Variable v;
        v.origin = {d.instance, d.where};
        v.typed = true;
        v.structural = c.shaping;
        v.description = c.declared->description;
        switch (d.type.basic) {
            case Basic::Clock:  // stands for its ticks
                v.internal = true;
                v.type = ValueType::Integer;
                break;
            case Basic::Integer:
                v.type = ValueType::Integer;
                break;
            case Basic::Boolean:
                v.type = ValueType::Boolean;
                break;
            case Basic::Enumeration:
                v.type = ValueType::Enumeration;
                v.enumeration = instances_.evaluator().enumeration(*d.type.enumeration);
                break;
            default:
                v.type = ValueType::Real;
        }
        if (d.variability == object::Variability::Parameter) {
            v.variability = Variability::Parameter;
            v.declared = VariableKind::Parameter;
        } else if (d.variability == object::Variability::Discrete) {
            v.variability = Variability::Discrete;
            v.declared = VariableKind::Discrete;
        }
        // Inside a model the prefixes say what connections may join, not which
        // equation determines what: an `input` of a component may be given by an
        // equation beside it in a class that extends its class.
        if (d.causality != object::Causality::None && d.top_level && !is_parameter(v)) {
            v.top_input = d.causality == object::Causality::Input;
            v.top_output = !v.top_input;
            v.declared = v.top_input ? VariableKind::Input : VariableKind::Output;
        }
        return v;
    }
    static bool is_potential(const ComponentInstance& c) {
        return c.prefixes.variability < object::Variability::Parameter && !is_expandable(*c.type);
    }
    static bool is_parameter(const Variable& v) { return v.variability == Variability::Parameter; }

    Instances& instances_;
    InstanceTree& tree_;
    FlatModel& model_;
    Walked& walked_;
    std::size_t nesting_ = 0;
};

}  // namespace

Walked walk_instances(Instances& instances) {
    Walked walked;
    Walk(instances, walked).run();
    return walked;
}

void walk_member(Instances& instances, ComponentInstance& member, Walked& walked) {
    Walk(instances, walked).member(member);
}

bool is_expandable(const ClassInstance& type) {
    return type.text && type.text->kind == object::ClassKind::ExpandableConnector;
}

}  // namespace cutset::objects

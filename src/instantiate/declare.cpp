#include "instantiate/declare.h"

#include <algorithm>

#include "instantiate/expressions.h"
#include "instantiate/messages.h"
#include "instantiate/parameters.h"
#include "instantiate/value_types.h"

namespace cutset {

namespace {

using Kind = VariableKind;

bool is_parameter(Kind k) {
    return k == Kind::Parameter || k == Kind::StructureParameter || k == Kind::Constant;
}

Variability variability(Kind k) {
    switch (k) {
        case Kind::Constant:
            return Variability::Constant;
        case Kind::Parameter:
        case Kind::StructureParameter:
            return Variability::Parameter;
        case Kind::Discrete:
            return Variability::Discrete;
        default:
            return Variability::Continuous;
    }
}

// `external v`: the `internal v` of the nearest enclosing model.
void declare_external(Context& c, InstanceIndex i, VariableSlot& slot, const tree::VariableDeclaration& d) {
    std::vector<std::string> candidates;
    std::string hidden;  // an enclosing model that has it, but not as internal
    for (InstanceIndex p = i; p.value != 0;) {
        p = c.model.instances[p].parent;
        const ClassInfo& info = *c.instances[p].info;
        for (std::size_t k = 0; k < info.variables.size(); ++k) {
            const VariableSlot& outer = c.variable(p, static_cast<std::uint32_t>(k));
            if (!outer.internal) continue;
            if (info.variables[k] == d.name) {
                slot = outer;
                slot.external = true;
                slot.internal = false;
                return;
            }
            candidates.emplace_back(info.variables[k]);
        }
        const ClassNames* n = info.find(d.name);
        if (n && n->variable != none && hidden.empty()) hidden = info.tree->name;
    }
    slot.presence = Presence::Broken;
    c.report(messages::external_not_found(d.where, c.submodel(i), d.name, nearest_name(d.name, candidates),
                                          hidden));
}

// Two declarations of one name that are one variable. False when they are not.
bool merge(Context& c, VariableSlot& slot, const tree::VariableDeclaration& d) {
    if (slot.presence == Presence::Broken) return true;
    if (slot.external) return false;
    if (c.count(slot.shape) == 0) return false;
    Variable& first = c.model.variables[slot.first];
    const Kind known = first.declared;
    const auto become = [&](Kind k) {
        for (std::size_t e = 0; e < c.count(slot.shape); ++e) {
            Variable& v = c.model.variables[VariableIndex(slot.first.value + e)];
            v.declared = k;
            v.variability = variability(k);
            if (v.unit.empty()) v.unit = d.unit;
            if (v.description.empty()) v.description = d.description;
        }
    };
    if (d.kind == Kind::Internal && known != Kind::Internal) {
        slot.internal = true;
        return true;
    }
    if (known == Kind::Internal && d.kind != Kind::Internal && d.kind != Kind::External &&
        !is_parameter(d.kind)) {
        become(d.kind);
        return true;
    }
    if (known == Kind::Terminal && (d.kind == Kind::Input || d.kind == Kind::Output)) {
        become(d.kind);
        return true;
    }
    return d.kind == Kind::Terminal && (known == Kind::Input || known == Kind::Output);
}

// The setting for a variable of this submodel, if the experiment has one.
const Experiment::Setting* find_setting(const SettingNode* node, const std::string& key) {
    if (!node) return nullptr;
    const auto found = node->variables.find(key);
    if (found == node->variables.end()) return nullptr;
    found->second->used = true;
    return found->second->setting;
}

void bind_parameter(Context& c, InstanceIndex i, const VariableSlot& slot, const tree::VariableDeclaration& d,
                    std::uint32_t loops, const tree::Argument* argument) {
    const InstanceState& state = c.instances[i];
    ParameterBinding b;
    b.first = slot.first;
    b.shape = slot.shape;
    if (d.value) {
        b.value = &*d.value;
        b.scope = i;
        b.loops = loops;
        b.source = Source::Default;
    }
    if (argument) {
        b.value = &argument->value;
        b.scope = c.model.instances[i].parent;
        b.loops = state.loops;
        b.source = Source::Argument;
    }
    if (d.kind != Kind::Constant && state.settings) {
        if (const Experiment::Setting* setting = find_setting(state.settings, d.name)) {
            b.value = &setting->value;
            b.scope = InstanceIndex(0);
            b.loops = 0;
            b.source = Source::Setting;
        }
        if (slot.shape)
            for (std::size_t e = 0; e < c.count(slot.shape); ++e)
                if (const auto* setting =
                        find_setting(state.settings, d.name + element_text(c.shapes[slot.shape], e)))
                    c.element_settings[VariableIndex(slot.first.value + e)] = setting;
    }
    if (b.value && b.value->kind == tree::ExpressionKind::Text) c.has_texts = true;
    const auto number = static_cast<std::uint32_t>(c.bindings.size());
    c.bindings.push_back(b);
    for (std::size_t e = 0; e < c.count(slot.shape); ++e) c.binding_of[slot.first.value + e] = number;
}

void declare(Context& c, InstanceIndex i, const tree::VariableDeclaration& d, std::uint32_t loops,
             const ArgumentsBySlot& arguments) {
    if (c.refused) return;
    const ClassInfo& info = *c.instances[i].info;
    const std::uint32_t number = info.find(d.name)->variable;
    const Scope scope{.instance = i, .loops = loops};
    if (VariableSlot& slot = c.variable(i, number); slot.presence != Presence::Absent) {
        if (!merge(c, slot, d))
            c.report(messages::defined_twice(d.where, c.submodel(i), "variable", d.name,
                                             c.model.variables.size() > slot.first.value
                                                 ? c.model.variables[slot.first].origin.where
                                                 : Span{}));
        return;
    }
    if (d.kind == Kind::External) {
        declare_external(c, i, c.variable(i, number), d);
        return;
    }
    VariableSlot slot;
    slot.presence = Presence::Present;
    slot.internal = d.kind == Kind::Internal;
    if (!d.dimensions.empty()) {
        auto dimensions = structural_dimensions(c, d.dimensions, scope, d.name);
        if (!dimensions) {
            c.variable(i, number).presence = Presence::Broken;
            return;
        }
        double total = 1;
        for (std::uint32_t n : *dimensions) total *= n;
        if (total + static_cast<double>(c.model.variables.size()) > static_cast<double>(scalar_limit)) {
            c.refused = true;
            c.report(messages::too_many_scalars(d.where, c.submodel(i), d.name, total));
            return;
        }
        slot.shape = c.shape(std::move(*dimensions));
    } else if (c.model.variables.size() >= scalar_limit) {
        c.refused = true;
        c.report(messages::too_many_scalars(d.where, c.submodel(i), d.name, 1));
        return;
    }
    Variable like;
    like.origin = {i, d.where};
    like.variability = variability(d.kind);
    like.type = d.type ? *d.type : info.truth[number] ? ValueType::Boolean : ValueType::Real;
    like.typed = d.type.has_value();
    if (d.type == ValueType::Enumeration) like.enumeration = enumeration_of(c, d.literals);
    like.declared = d.kind;
    like.structural = d.kind == Kind::StructureParameter;
    like.unit = d.unit;
    like.quantity = d.quantity;
    like.description = d.description;
    if (i.value == 0) {
        like.top_input = d.kind == Kind::Input;
        like.top_output = d.kind == Kind::Output;
    }
    slot.first = add_variables(c, i, d.name, slot.shape, like);
    c.variable(i, number) = slot;
    if (is_parameter(d.kind)) {
        bind_parameter(c, i, slot, d, loops, number < arguments.size() ? arguments[number] : nullptr);
        if (d.kind == Kind::Constant && !d.value)
            c.report(messages::constant_without_value(d.where, c.submodel(i), d.name));
    } else if (d.value) {
        const DefaultSource source{slot.first, slot.shape, &*d.value, i, loops, d.where};
        if (d.kind == Kind::Discrete)
            c.discrete_values.push_back(source);
        else if (d.kind == Kind::Input || d.kind == Kind::Terminal)
            c.defaults.push_back(source);
        else
            c.report(messages::variable_with_value(d.where, c.submodel(i), d.name));
    }
    const auto attribute = [&](const Box<tree::Expression>& e, const char* what,
                               std::optional<double> Variable::*member) {
        if (!e) return;
        const auto v = structural_value(c, *e, scope, std::string("the ") + what + " of " + d.name);
        if (!v) return;
        for (std::size_t k = 0; k < c.count(slot.shape); ++k)
            c.model.variables[VariableIndex(slot.first.value + k)].*member = *v;
    };
    attribute(d.nominal, "nominal value", &Variable::nominal);
    attribute(d.minimum, "minimum", &Variable::minimum);
    attribute(d.maximum, "maximum", &Variable::maximum);
}

}  // namespace

VariableIndex add_variables(Context& c, InstanceIndex i, std::string_view name, std::uint32_t shape,
                            const Variable& like) {
    const std::size_t n = c.count(shape);
    const VariableIndex first = c.model.variables.end_index();
    for (std::size_t e = 0; e < n; ++e) {
        Variable v = like;
        v.name = std::string(name);
        if (shape) v.name += element_text(c.shapes[shape], e);
        v.origin.instance = i;
        c.model.variables.add(std::move(v));
    }
    c.binding_of.resize(c.model.variables.size(), none);
    c.progress.resize(c.model.variables.size(), Progress::New);
    c.marks.resize(c.model.variables.size(), 0);
    return first;
}

namespace {

bool is_argument(const ClassInfo& info, std::uint32_t slot) {
    const tree::VariableDeclaration* d = info.first_declaration[slot];
    return d && (d->kind == Kind::Parameter || d->kind == Kind::StructureParameter);
}

}  // namespace

ArgumentsBySlot match_arguments(Context& c, InstanceIndex i, const ClassInfo& info) {
    const tree::Component* component = c.instances[i].component;
    ArgumentsBySlot result;
    if (!component || component->arguments.empty()) return result;
    result.resize(info.variables.size(), nullptr);
    const std::string submodel = c.submodel(c.model.instances[i].parent);
    std::vector<std::string> candidates;
    for (std::uint32_t p : info.parameters) candidates.emplace_back(info.variables[p]);
    std::size_t position = 0;
    bool named = false;
    const std::size_t errors = c.diagnostics.error_count();
    for (const tree::Argument& a : component->arguments) {
        std::uint32_t slot = none;
        if (a.name) {
            named = true;
            const ClassNames* n = info.find(*a.name);
            slot = n ? n->variable : none;
            if (slot == none || !is_argument(info, slot)) {
                const tree::VariableDeclaration* d = slot == none ? nullptr : info.first_declaration[slot];
                if (slot == none)
                    c.report(messages::unknown_argument(a.where, submodel, *a.name, info.tree->name,
                                                        nearest_name(*a.name, candidates), candidates));
                else
                    c.report(messages::argument_not_parameter(a.where, submodel, *a.name, component->name,
                                                              d ? d->kind : Kind::Terminal));
                continue;
            }
        } else {
            if (named) c.report(messages::positional_after_named(a.where, submodel, component->name));
            if (position >= info.parameters.size()) {
                c.report(messages::too_many_arguments(a.where, submodel, component->name, info.tree->name,
                                                      candidates));
                break;
            }
            slot = info.parameters[position++];
        }
        if (result[slot]) {
            c.report(messages::argument_given_twice(a.where, submodel, std::string(info.variables[slot]),
                                                    result[slot]->where));
            continue;
        }
        result[slot] = &a;
    }
    c.instances[i].bad_arguments = c.diagnostics.error_count() > errors;
    return result;
}

void declare_variables(Context& c, InstanceIndex i, const std::vector<tree::Item>& items, std::uint32_t loops,
                       const ArgumentsBySlot& arguments) {
    // Sizes may use parameters and elements of parameter arrays, wherever they stand in the text.
    for (int pass = 0; pass < 3; ++pass)
        for (const tree::Item& item : items)
            if (const auto* d = std::get_if<tree::VariableDeclaration>(&item.what)) {
                const int own = !is_parameter(d->kind) ? 2 : d->dimensions.empty() ? 0 : 1;
                if (own == pass) declare(c, i, *d, loops, arguments);
            }
}

void declare_cut_variables(Context& c, InstanceIndex i, const std::vector<tree::PortElement>& body,
                           const std::vector<std::uint32_t>& dimensions) {
    const ClassInfo& info = *c.instances[i].info;
    for (const tree::PortElement& e : body) {
        if (const auto* group = std::get_if<tree::PortGroup>(&e.what)) {
            declare_cut_variables(c, i, group->elements, dimensions);
            continue;
        }
        const auto* v = std::get_if<tree::PortVariable>(&e.what);
        if (!v || v->variable.parts.size() != 1) continue;
        const tree::ReferencePart& part = v->variable.parts[0];
        const ClassNames* n = info.find(part.name);
        if (!n || n->variable == none) continue;  // a cut
        VariableSlot& slot = c.variable(i, n->variable);
        if (slot.presence == Presence::Broken) continue;
        if (slot.presence == Presence::Present) {
            for (std::size_t k = 0; k < c.count(slot.shape); ++k) {
                Variable& known = c.model.variables[VariableIndex(slot.first.value + k)];
                if (known.declared == Kind::Local && !slot.external) known.declared = Kind::Terminal;
                if (known.unit.empty()) known.unit = v->unit;
            }
            continue;
        }
        if (!part.indices.empty() && dimensions.empty()) {
            c.report(messages::vector_not_declared(part.where, c.submodel(i), part.name));
            slot.presence = Presence::Broken;
            continue;
        }
        if (c.model.variables.size() >= scalar_limit) {
            c.refused = true;
            return;
        }
        Variable like;
        like.origin = {i, part.where};
        like.declared = Kind::Terminal;
        like.unit = v->unit;
        if (info.truth[n->variable]) like.type = ValueType::Boolean;
        VariableSlot made;
        made.presence = Presence::Present;
        made.implicit = true;
        made.shape = c.shape(dimensions);
        made.first = add_variables(c, i, part.name, made.shape, like);
        c.variable(i, n->variable) = made;
    }
}

}  // namespace cutset

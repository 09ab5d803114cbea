#include "instantiate/equations.h"

#include "instantiate/expressions.h"
#include "instantiate/functions.h"
#include "instantiate/lookup.h"
#include "instantiate/messages.h"
#include "instantiate/when_clauses.h"

namespace cutset {

namespace {

// Both sides are plain variables with units: they should measure the same.
void check_units(Context& c, const tree::Equation& e, Expr left, Expr right, InstanceIndex i) {
    if (left->op != Op::Variable || right->op != Op::Variable || left->order != right->order) return;
    const Variable& a = c.model.variables[left->variable()];
    const Variable& b = c.model.variables[right->variable()];
    if (a.unit.empty() || b.unit.empty() || a.unit == b.unit) return;
    const auto ua = parse_unit(a.unit), ub = parse_unit(b.unit);
    if (!ua || !ub) return;
    const bool same = same_quantity(*ua, *ub);
    if (same && !conversion(*ua, *ub).needed()) return;
    c.report(messages::equation_units(e.where, c.submodel(i), c.model.path(left->variable()), a.unit,
                                      c.model.path(right->variable()), b.unit, same));
}

void add_equation(Context& c, const tree::Equation& e, const Scope& s,
                  IndexedVector<EquationIndex, Equation>& to, bool units) {
    const Value left = translate(c, e.left, s);
    const Value right = translate(c, e.right, s);
    if (left.failed() || right.failed()) return;
    if (left.is_condition() != right.is_condition()) {
        const bool left_is = left.is_condition();
        c.report(messages::equation_types(e.where, c.submodel(s.instance), left_is));
        return;
    }
    const Origin origin{s.instance, e.where};
    if (left.is_scalar() && right.is_scalar()) {
        if (left.is_condition()) {
            to.add({number_of(c.pool, left.scalar), number_of(c.pool, right.scalar), origin,
                    EquationKind::Written});
            return;
        }
        if (units) check_units(c, e, left.scalar, right.scalar, s.instance);
        to.add({left.scalar, right.scalar, origin, EquationKind::Written});
        return;
    }
    const bool spread_right = right.is_scalar() && right.scalar->is_number();  // x = 0 for a vector x
    const bool spread_left = left.is_scalar() && left.scalar->is_number();
    if (left.dimensions != right.dimensions && !spread_left && !spread_right) {
        c.report(messages::equation_sizes(e.where, c.submodel(s.instance), shape_text(left.dimensions),
                                          shape_text(right.dimensions)));
        return;
    }
    const std::size_t n = left.is_scalar() ? right.size() : left.size();
    for (std::size_t k = 0; k < n; ++k)
        to.add({number_of(c.pool, left[left.is_scalar() ? 0 : k]),
                number_of(c.pool, right[right.is_scalar() ? 0 : k]), origin, EquationKind::Written});
}

void add_procedure_call(Context& c, const tree::ProcedureCall& p, const Scope& s) {
    ClassInfo* info = c.instances[s.instance].info;
    const FoundCallee found = find_callee(c, info, info->file, p.procedure);
    const std::string submodel = c.submodel(s.instance);
    if (!found.function) {
        c.report(messages::unknown_function(p.where, submodel, p.procedure,
                                            nearest_name(p.procedure, visible_callees(c, info, info->file)),
                                            false));
        return;
    }
    const tree::Function& f = *found.function;
    std::vector<Value> arguments;
    std::vector<Span> places;
    bool failed = false;
    for (const tree::Expression& a : p.arguments) {
        arguments.push_back(translate(c, a, s));
        places.push_back(a.where);
        failed |= arguments.back().failed();
        if (arguments.back().is_condition()) {
            c.report(messages::condition_as_number(a.where, submodel));
            failed = true;
        }
    }
    const auto callee = function_callee(c, f, found.in, found.in ? found.in->file : info->file);
    if (!callee) return;
    if (p.outputs.size() != f.outputs.size()) {
        c.report(messages::wrong_result_count(p.where, submodel, f.name, f.outputs.size(), p.outputs.size()));
        return;
    }
    if (failed) return;
    const auto results = call_function(c, *callee, f, arguments, p.where, places, submodel);
    if (!results) return;
    for (std::size_t k = 0; k < p.outputs.size(); ++k) {
        const auto target = find_variable(c, p.outputs[k], s);
        if (!target) continue;
        const Value& value = (*results)[k];
        if (target->dimensions != value.dimensions) {
            c.report(messages::equation_sizes(p.outputs[k].where, submodel, shape_text(target->dimensions),
                                              shape_text(value.dimensions)));
            continue;
        }
        for (std::size_t e = 0; e < target->count; ++e)
            c.model.equations.add({c.pool.variable(VariableIndex(target->first + e)),
                                   value[e],
                                   {s.instance, p.where},
                                   EquationKind::Written});
    }
}

void add_initial_value(Context& c, const tree::InitialValue& x, const Scope& s) {
    const auto target = find_variable(c, x.variable, s);
    const Value value = translate(c, x.value, s);
    if (!target || value.failed()) return;
    if (!value.is_scalar() && value.dimensions != target->dimensions) {
        c.report(messages::sizes_differ(x.where, c.submodel(s.instance), "initial value",
                                        shape_text(target->dimensions), shape_text(value.dimensions)));
        return;
    }
    for (std::size_t k = 0; k < target->count; ++k) {
        const VariableIndex v(target->first + k);
        Variable& variable = c.model.variables[v];
        const Expr e = value[value.is_scalar() ? 0 : k];
        if (variable.variability <= Variability::Parameter) {
            c.report(messages::start_of_parameter(x.where, c.submodel(s.instance), variable.name,
                                                  kind_word(variable)));
            return;
        }
        if (e->boolean != variable.boolean) {
            c.report(messages::equation_types(x.where, c.submodel(s.instance), variable.boolean));
            return;
        }
        give_start(c, v, 0, number_of(c.pool, e), s, x.where);
    }
}

void prefer_states(Context& c, const tree::PreferredStates& states, const Scope& s) {
    for (const tree::Reference& r : states.variables) {
        const auto target = find_variable(c, r, s);
        if (!target) continue;
        for (std::size_t k = 0; k < target->count; ++k) {
            Variable& v = c.model.variables[VariableIndex(target->first + k)];
            if (v.variability != Variability::Continuous) {
                c.report(messages::state_of_other(r.where, c.submodel(s.instance), v.name, kind_word(v)));
                break;
            }
            v.preferred_state = true;
        }
    }
}

void add_default(Context& c, const tree::DefaultValue& d, const Scope& s) {
    const auto target = find_variable(c, d.variable, s);
    if (!target) return;
    const std::string submodel = c.submodel(s.instance);
    for (std::size_t k = 0; k < target->count; ++k) {
        const Variable& v = c.model.variables[VariableIndex(target->first + k)];
        using Kind = VariableKind;
        if (v.declared != Kind::Terminal && v.declared != Kind::Input && v.declared != Kind::Output) {
            c.report(messages::default_of_local(d.where, submodel, v.name, kind_word(v)));
            return;
        }
    }
    c.defaults.push_back(
        {VariableIndex(target->first), c.shape(target->dimensions), &d.value, s.instance, s.loops, d.where});
}

}  // namespace

void add_equations(Context& c) {
    for (std::size_t n = 0; n < c.instances.size(); ++n) {
        const InstanceIndex i(n);
        if (!c.instances[i].info) continue;
        for_each_statement(c, i, [&](const tree::Item& item, std::uint32_t loops) {
            Scope s{.instance = i, .loops = loops};
            if (const auto* e = std::get_if<tree::Equation>(&item.what)) {
                s.counts = s.starts = true;
                add_equation(c, *e, s, c.model.equations, true);
            } else if (const auto* e = std::get_if<tree::InitialEquation>(&item.what)) {
                add_equation(c, e->equation, s, c.model.initial_equations, false);
            } else if (const auto* x = std::get_if<tree::InitialValue>(&item.what)) {
                add_initial_value(c, *x, s);
            } else if (const auto* p = std::get_if<tree::ProcedureCall>(&item.what)) {
                s.counts = s.starts = true;
                add_procedure_call(c, *p, s);
            } else if (const auto* v = std::get_if<tree::Valid>(&item.what)) {
                if (const Expr condition = translate_condition(c, v->condition, s))
                    c.model.validities.push_back({condition, {i, v->where}});
            } else if (const auto* w = std::get_if<tree::When>(&item.what)) {
                s.counts = true;
                add_when(c, *w, s);
            } else if (const auto* p = std::get_if<tree::PreferredStates>(&item.what)) {
                prefer_states(c, *p, s);
            } else if (const auto* d = std::get_if<tree::DefaultValue>(&item.what)) {
                add_default(c, *d, s);
            }
        });
    }
    refuse_certain_conflicts(c);
    // Values of discrete variables before the first event.
    for (const DefaultSource& d : c.discrete_values) {
        const Value v = translate(c, *d.value, Scope{.instance = d.scope, .loops = d.loops});
        if (v.failed()) continue;
        if (!v.is_scalar() && v.dimensions != c.shapes[d.shape]) {
            c.report(messages::sizes_differ(d.value->where, c.submodel(d.scope), "initial value",
                                            shape_text(c.shapes[d.shape]), shape_text(v.dimensions)));
            continue;
        }
        for (std::size_t k = 0; k < c.count(d.shape); ++k)
            c.model.variables[VariableIndex(d.first.value + k)].binding =
                number_of(c.pool, v[v.is_scalar() ? 0 : k]);
    }
}

}  // namespace cutset

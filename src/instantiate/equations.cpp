#include "instantiate/equations.h"

#include <algorithm>

#include "flat/messages.h"
#include "flat/shape_text.h"
#include "instantiate/declare.h"
#include "instantiate/expression_parts.h"
#include "instantiate/expressions.h"
#include "instantiate/functions.h"
#include "instantiate/lookup.h"
#include "instantiate/messages.h"
#include "instantiate/parameters.h"
#include "instantiate/tables.h"
#include "instantiate/value_types.h"
#include "instantiate/when_clauses.h"

namespace cutset {

namespace {

void add_equation(Context& c, const tree::Equation& e, const Scope& s,
                  IndexedVector<EquationIndex, Equation>& to, bool units) {
    const auto [left, right] = translate_sides(c, e.left, e.right, s);
    if (left.failed() || right.failed() || !fits_types(c, left, right, e.where, s)) return;
    const Origin origin{s.instance, e.where};
    if (left.is_scalar() && right.is_scalar()) {
        if (left.is_condition()) {
            to.add({number_of(c, left.scalar), number_of(c, right.scalar), origin, EquationKind::Written});
            return;
        }
        if (units && !c.units.empty()) c.unit_check.check(left.scalar, right.scalar, origin);
        to.add({left.scalar, right.scalar, origin, EquationKind::Written});
        return;
    }
    const bool spread_right = right.is_scalar() && right.scalar->is_number();  // x = 0 for a vector x
    const bool spread_left = left.is_scalar() && left.scalar->is_number();
    if (!fits(left.dimensions, right.dimensions) && !spread_left && !spread_right) {
        c.report(messages::equation_sizes(e.where, c.submodel(s.instance), shape_text(left.dimensions),
                                          shape_text(right.dimensions)));
        return;
    }
    const std::size_t n = left.is_scalar() ? right.size() : left.size();
    if (units && n > 0 && !c.units.empty()) c.unit_check.check(left[0], right[0], origin);
    for (std::size_t k = 0; k < n; ++k)
        to.add({number_of(c, left[left.is_scalar() ? 0 : k]), number_of(c, right[right.is_scalar() ? 0 : k]),
                origin, EquationKind::Written});
}

// ---- a choice of equations that is decided during the run

using Sides = std::vector<std::pair<Expr, Expr>>;

std::optional<Sides> choice_sides(Context& c, const tree::StructureIf& choice, const Scope& s);

// The equations of one branch, arrays and loops written out. Nothing after reporting.
std::optional<Sides> branch_sides(Context& c, const std::vector<tree::Item>& items, const Scope& s,
                                  Span choice_where) {
    Sides sides;
    const auto take = [&](std::optional<Sides> more) {
        if (more) sides.insert(sides.end(), more->begin(), more->end());
        return more.has_value();
    };
    for (const tree::Item& item : items) {
        if (const auto* e = std::get_if<tree::Equation>(&item.what)) {
            IndexedVector<EquationIndex, Equation> made;
            const std::size_t errors = c.diagnostics.error_count();
            add_equation(c, *e, s, made, true);
            if (c.diagnostics.error_count() > errors) return std::nullopt;
            for (const Equation& equation : made) sides.emplace_back(equation.left, equation.right);
        } else if (const auto* choice = std::get_if<tree::StructureIf>(&item.what)) {
            if (!take(choice_sides(c, *choice, s))) return std::nullopt;
        } else if (const auto* loop = std::get_if<tree::StructureFor>(&item.what)) {
            const auto range = loop_range(c, *loop, s);
            if (!range) return std::nullopt;
            for (long k = range->from; range->goes_on(k); k += range->step) {
                Scope inner = s;
                c.loop_variables.push_back({loop->variable, static_cast<double>(k), s.loops});
                inner.loops = static_cast<std::uint32_t>(c.loop_variables.size() - 1);
                if (!take(branch_sides(c, loop->items, inner, choice_where))) return std::nullopt;
            }
        } else {
            c.report(messages::only_equations_in_choice(choice_where, c.submodel(s.instance)));
            return std::nullopt;
        }
    }
    return sides;
}

// if c then l1 = r1 else l2 = r2:  0 = if c then l1 - r1 else l2 - r2, equation by equation.
std::optional<Sides> choice_sides(Context& c, const tree::StructureIf& choice, const Scope& s) {
    std::vector<std::pair<Expr, Sides>> branches;  // the condition of the last one is null
    for (const tree::StructureBranch& b : choice.branches) {
        Expr condition = nullptr;
        if (b.condition && changes_in_run(c, *b.condition, s)) {
            condition = translate_condition(c, *b.condition, s);
            if (!condition) return std::nullopt;
        } else if (b.condition) {
            const auto holds = structural_condition(c, *b.condition, s);
            if (!holds) return std::nullopt;
            if (!*holds) continue;
        }
        auto sides = branch_sides(c, b.items, s, choice.where);
        if (!sides) return std::nullopt;
        branches.emplace_back(condition, std::move(*sides));
        if (!condition) break;
    }
    const std::string submodel = c.submodel(s.instance);
    if (branches.empty()) return Sides{};
    const std::size_t n = branches[0].second.size();
    if (branches.back().first) {
        if (n > 0) c.report(messages::choice_without_else(choice.where, submodel, n));
        return n > 0 ? std::nullopt : std::optional<Sides>(Sides{});
    }
    for (const auto& [condition, sides] : branches)
        if (sides.size() != n) {
            c.report(messages::choice_counts_differ(choice.where, submodel, n, sides.size()));
            return std::nullopt;
        }
    Sides result;
    for (std::size_t k = 0; k < n; ++k) {
        const Expr left = branches[0].second[k].first;
        const bool same = std::all_of(branches.begin(), branches.end(),
                                      [&](const auto& b) { return b.second[k].first == left; });
        const auto value = [&](const Sides& sides) {
            return same ? sides[k].second : c.pool.subtract(sides[k].first, sides[k].second);
        };
        Expr chosen = value(branches.back().second);
        for (std::size_t b = branches.size() - 1; b-- > 0;)
            chosen = c.pool.choose(branches[b].first, value(branches[b].second), chosen);
        result.emplace_back(same ? left : chosen, same ? chosen : c.pool.number(0));
    }
    return result;
}

void add_choice(Context& c, const tree::StructureIf& choice, const Scope& s) {
    if (const auto sides = choice_sides(c, choice, s))
        for (const auto& [left, right] : *sides)
            c.model.equations.add({left, right, {s.instance, choice.where}, EquationKind::Written});
}

// What a function gives for several results at once.
std::optional<std::vector<Value>> results_of(Context& c, const tree::Function& f, ClassInfo* in,
                                             const tree::File* home, const tree::ProcedureCall& p,
                                             const Scope& s) {
    const std::string submodel = c.submodel(s.instance);
    const auto arguments = call_arguments(c, f, in, home, p.arguments, p.where, s);
    if (!arguments) return std::nullopt;
    const auto callee = function_callee(c, f, in, home, arguments->values);
    if (!callee) return std::nullopt;
    if (p.outputs.size() != f.outputs.size()) {
        c.report(messages::wrong_result_count(p.where, submodel, f.name, f.outputs.size(), p.outputs.size()));
        return std::nullopt;
    }
    return call_function(c, *callee, f, arguments->values, p.where, arguments->places, submodel, s);
}

// The columns of a table.
std::optional<std::vector<Value>> columns_at(Context& c, const tree::Table& t, ClassInfo* in,
                                             const tree::File* home, const tree::ProcedureCall& p,
                                             const Scope& s) {
    const std::string submodel = c.submodel(s.instance);
    std::vector<Value> arguments;
    for (const tree::Expression& a : p.arguments) {
        arguments.push_back(numeric(c, a, s));
        if (arguments.back().failed()) return std::nullopt;
    }
    const std::size_t columns = std::max<std::size_t>(1, t.results.size());
    if (arguments.size() != t.arguments.size() || arguments.size() > 2) {
        c.report(messages::wrong_argument_count(p.where, submodel, t.name, std::to_string(t.arguments.size()),
                                                arguments.size()));
        return std::nullopt;
    }
    if (p.outputs.size() != columns) {
        c.report(messages::wrong_result_count(p.where, submodel, t.name, columns, p.outputs.size()));
        return std::nullopt;
    }
    std::vector<Expr> at;
    for (const Value& a : arguments) {
        if (!a.is_scalar()) {
            c.report(messages::array_where_scalar(p.where, submodel, shape_text(a.dimensions)));
            return std::nullopt;
        }
        at.push_back(a.scalar);
    }
    const auto table = built_table(c, t, in, home, s);
    if (!table) return std::nullopt;
    std::vector<Value> results;
    for (Expr e : table_results(c.pool, *table, at)) results.emplace_back(e);
    return results;
}

void add_procedure_call(Context& c, const tree::ProcedureCall& p, const Scope& s) {
    ClassInfo* info = c.instances[s.instance].info;
    const FoundCallee found = find_callee(c, info, info->file, p.procedure);
    const std::string submodel = c.submodel(s.instance);
    if (!found.function && !found.table) {
        c.report(messages::unknown_function(p.where, submodel, p.procedure,
                                            nearest_name(p.procedure, visible_callees(c, info, info->file)),
                                            false));
        return;
    }
    const tree::File* home = found.in ? found.in->file : info->file;
    const auto results = found.table ? columns_at(c, *found.table, found.in, home, p, s)
                                     : results_of(c, *found.function, found.in, home, p, s);
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
        if (!fits_type(c, VariableIndex(target->first), value, p.outputs[k].where, s)) continue;
        for (std::size_t e = 0; e < target->count; ++e)
            c.model.equations.add({c.pool.variable(VariableIndex(target->first + e)),
                                   number_of(c, value[e]),
                                   {s.instance, p.where},
                                   EquationKind::Written});
    }
}

void add_initial_value(Context& c, const tree::InitialValue& x, const Scope& s) {
    const auto target = find_variable(c, x.variable, s);
    if (!target) return;
    Scope inner = s;
    if (target->count > 0 && c.model.variables[VariableIndex(target->first)].type == ValueType::Enumeration)
        inner.enumeration = c.model.variables[VariableIndex(target->first)].enumeration;
    const Value value = translate(c, x.value, inner);
    if (value.failed()) return;
    if (!value.is_scalar() && !fits(value.dimensions, target->dimensions)) {
        c.report(flat_messages::sizes_differ(x.where, c.submodel(s.instance), "initial value",
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
        if (!fits_type(c, v, value, x.where, s)) return;
        if (!x.guess) {
            give_start(c, v, 0, number_of(c, e), s, x.where);
            continue;
        }
        if (variable.variability == Variability::Discrete && !variable.free_parameter) {
            c.report(messages::guess_of_discrete(x.where, c.submodel(s.instance), variable.name));
            return;
        }
        give_guess(c, v, number_of(c, e), s, x.where);
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
            const VariableIndex index(target->first + k);
            const auto [said, first] =
                c.state_wishes.try_emplace(index.value, Context::StateWish{s.instance, r.where});
            if (!first) {
                // What an enclosing model says counts more than what the submodel says of itself.
                const std::uint32_t before = c.instances[said->second.instance].depth,
                                    now = c.instances[s.instance].depth;
                if (before < now) continue;
                if (before == now && v.state_select != states.select) {
                    c.report(messages::state_said_twice(r.where, c.submodel(s.instance), c.model.path(index),
                                                        said->second.where));
                    continue;
                }
                said->second = {s.instance, r.where};
            }
            v.state_select = states.select;
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
            } else if (const auto* choice = std::get_if<tree::StructureIf>(&item.what)) {
                s.counts = s.starts = true;
                add_choice(c, *choice, s);
            } else if (const auto* e = std::get_if<tree::InitialEquation>(&item.what)) {
                add_equation(c, e->equation, s, c.model.initial_equations, false);
            } else if (const auto* x = std::get_if<tree::InitialValue>(&item.what)) {
                add_initial_value(c, *x, s);
            } else if (const auto* p = std::get_if<tree::ProcedureCall>(&item.what)) {
                s.counts = s.starts = true;
                add_procedure_call(c, *p, s);
            } else if (const auto* v = std::get_if<tree::Valid>(&item.what)) {
                if (const Expr condition = translate_condition(c, v->condition, s))
                    c.model.validities.push_back({condition, {i, v->where}, v->text, v->level});
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
        if (!v.is_scalar() && !fits(v.dimensions, c.shapes[d.shape])) {
            c.report(flat_messages::sizes_differ(d.value->where, c.submodel(d.scope), "initial value",
                                                 shape_text(c.shapes[d.shape]), shape_text(v.dimensions)));
            continue;
        }
        for (std::size_t k = 0; k < c.count(d.shape); ++k)
            c.model.variables[VariableIndex(d.first.value + k)].binding =
                number_of(c, v[v.is_scalar() ? 0 : k]);
    }
}

}  // namespace cutset

#include "instantiate/parameters.h"

#include <algorithm>
#include <cmath>

#include "flat/function_value.h"
#include "flat/shape_text.h"
#include "instantiate/functions.h"
#include "instantiate/messages.h"
#include "instantiate/value_types.h"

namespace cutset {

namespace {

constexpr int nesting_limit = 100;

bool is_fixed(const Variable& v) {
    return v.variability <= Variability::Parameter;
}

// parameter p = ?
bool is_question(const tree::Expression& e) {
    return e.kind == tree::ExpressionKind::Call && e.text == "?" && e.arguments.empty();
}

// Gives the elements of a parameter their bindings, from the expression of its source.
void translate_binding(Context& c, std::uint32_t number) {
    if (c.bindings[number].translated) return;
    c.bindings[number].translated = true;
    const ParameterBinding b = c.bindings[number];
    const std::size_t count = c.count(b.shape);
    const auto element = [&](std::size_t e) -> Variable& {
        return c.model.variables[VariableIndex(b.first.value + e)];
    };
    const auto put = [&](std::size_t k, const Value& value, Expr e, const tree::Expression& from,
                         const Scope& scope) {
        Variable& v = element(k);
        if (!v.typed && value.enumeration != no_enumeration) {
            v.type = ValueType::Enumeration;
            v.enumeration = value.enumeration;
        } else if (!v.typed && e->boolean) {
            v.type = ValueType::Boolean;
        } else if (v.typed && !fits_type(c, VariableIndex(b.first.value + k), value, from.where, scope)) {
            c.bindings[number].failed = true;
            return;
        }
        v.binding = number_of(c, e);
    };
    const auto expecting = [&](Scope scope) {
        if (count > 0 && element(0).type == ValueType::Enumeration)
            scope.enumeration = element(0).enumeration;
        return scope;
    };
    const auto set_free = [&](Variable& v) { v.free_parameter = true; };
    if (b.value && c.has_texts && !b.shape && text_value(c, b.first)) {
        // Its value is no number, and no result.
        element(0).binding = c.pool.number(0);
        element(0).internal = true;
    } else if (b.value && is_question(*b.value)) {
        for (std::size_t e = 0; e < count; ++e) set_free(element(e));
    } else if (b.value) {
        const Scope scope = expecting({.instance = b.scope, .loops = b.loops});
        const Value v = translate(c, *b.value, scope);
        const std::vector<std::uint32_t> dimensions = c.shapes[b.shape];
        if (v.failed()) {
            c.bindings[number].failed = true;
        } else if (!v.is_scalar() && !fits(v.dimensions, dimensions)) {
            c.bindings[number].failed = true;
            std::string name = c.model.path(b.first);
            if (b.shape) name.resize(name.rfind('['));  // the whole, not its first element
            c.report(messages::parameter_size(b.value->where, c.submodel(b.scope), name,
                                              shape_text(dimensions), shape_text(v.dimensions)));
        } else {
            for (std::size_t e = 0; e < count; ++e) put(e, v, v[v.is_scalar() ? 0 : e], *b.value, scope);
        }
    }
    if (!c.element_settings.empty() && b.shape)
        for (std::size_t e = 0; e < count; ++e) {
            const auto found = c.element_settings.find(VariableIndex(b.first.value + e));
            if (found == c.element_settings.end()) continue;
            if (is_question(found->second->value)) {
                element(e).binding = nullptr;
                set_free(element(e));
                continue;
            }
            element(e).free_parameter = false;
            const Scope scope = expecting({.instance = InstanceIndex(0)});
            const Value x = translate(c, found->second->value, scope);
            if (x.is_scalar() && !x.failed())
                put(e, x, x.scalar, found->second->value, scope);
            else
                c.bindings[number].failed = true;
        }
}

Environment environment(Context& c) {
    Environment env;
    env.leaf = [&c](Expr leaf) -> std::optional<double> {
        if (leaf->op != Op::Variable || leaf->order != 0) return std::nullopt;
        if (c.progress[leaf->index] != Progress::Done) return std::nullopt;
        return c.model.variables[leaf->variable()].value;
    };
    env.apply = [&c](Expr apply, std::span<const double> arguments) -> std::optional<double> {
        return function_value(c.model, apply->callee(), apply->order, arguments);
    };
    return env;
}

std::optional<double> number(Context& c, Expr e) {
    if (e->op == Op::Number) return e->number;
    if (e->op == Op::Truth) return e->index;
    if (e->op == Op::Variable && c.progress[e->index] == Progress::Done)
        return c.model.variables[e->variable()].value;
    return evaluate(e, environment(c));
}

bool known_before_the_run(const Expr leaf) {
    return leaf->op == Op::Variable && leaf->order == 0;
}

// What stands in e that is not known before the run, for messages; "" when all is known.
std::string varying_part(Context& c, Expr e) {
    std::string found;
    for_each_node(e, [&](Expr n) {
        if (!found.empty()) return;
        switch (n->op) {
            case Op::Variable:
            case Op::Previous:
                if (!is_fixed(c.model.variables[n->variable()])) found = c.model.path(n->variable());
                break;
            case Op::Time:
                found = "time";
                break;
            case Op::Sample:
            case Op::Starting:
            case Op::Ending:
            case Op::Edge:
            case Op::Change:
            case Op::Delay:
                found = to_text(n, c.model.printer());
                break;
            default:
                break;
        }
    });
    return found;
}

void finish(Context& c, VariableIndex v, Progress p) {
    c.progress[v.value] = p;
}

void evaluate_one(Context& c, VariableIndex v) {
    Variable& variable = c.model.variables[v];
    bool failed = false;
    if (variable.binding->op != Op::Number)
        for_each_leaf(variable.binding, [&](Expr leaf) {
            if (leaf->op == Op::Variable && c.progress[leaf->index] == Progress::Failed) failed = true;
        });
    if (failed) return finish(c, v, Progress::Failed);
    // What depends on a parameter to be found is to be found too.
    for_each_leaf(variable.binding, [&](Expr leaf) {
        if (leaf->op == Op::Variable && c.model.variables[leaf->variable()].free_parameter)
            variable.free_parameter = true;
    });
    if (variable.free_parameter) return finish(c, v, Progress::Done);
    const auto value = number(c, variable.binding);
    if (!value || !std::isfinite(*value)) {
        const ParameterBinding& b = c.bindings[c.binding_of[v.value]];
        c.report(messages::parameter_not_finite(b.value ? b.value->where : variable.origin.where,
                                                c.submodel(variable.origin.instance), c.model.path(v),
                                                to_text(variable.binding, c.model.printer())));
        return finish(c, v, Progress::Failed);
    }
    variable.value = *value;
    finish(c, v, Progress::Done);
}

void report_cycle(Context& c, const std::vector<std::pair<VariableIndex, bool>>& stack, VariableIndex v) {
    std::vector<std::string> names;
    bool on = false;
    for (const auto& [u, entered] : stack) {
        if (u == v && entered) on = true;
        if (on && entered && c.progress[u.value] == Progress::Active) names.push_back(c.model.path(u));
    }
    if (names.empty()) names.push_back(c.model.path(v));
    const Variable& variable = c.model.variables[v];
    c.report(messages::parameter_cycle(variable.origin.where, c.submodel(variable.origin.instance), names));
    for (const auto& [u, entered] : stack)
        if (entered && c.progress[u.value] == Progress::Active) c.progress[u.value] = Progress::Failed;
    c.progress[v.value] = Progress::Failed;
}

// The parameter and those its binding needs, in order, with a stack of its own.
void resolve(Context& c, VariableIndex wanted) {
    std::vector<std::pair<VariableIndex, bool>> stack = {{wanted, false}};
    while (!stack.empty()) {
        const VariableIndex v = stack.back().first;
        Progress& state = c.progress[v.value];
        if (state == Progress::Done || state == Progress::Failed) {
            stack.pop_back();
            continue;
        }
        if (stack.back().second) {
            stack.pop_back();
            evaluate_one(c, v);
            continue;
        }
        if (state == Progress::Active) {
            report_cycle(c, stack, v);
            continue;
        }
        const std::uint32_t binding = c.binding_of[v.value];
        if (binding == none) {
            state = Progress::Failed;
            continue;
        }
        state = Progress::Active;
        stack.back().second = true;
        if (!c.bindings[binding].translated) {
            if (c.nesting >= nesting_limit) {
                report_cycle(c, stack, v);
                continue;
            }
            ++c.nesting;
            translate_binding(c, binding);
            --c.nesting;
            if (c.progress[v.value] != Progress::Active) continue;  // a cycle through an index
        }
        const Expr e = c.model.variables[v].binding;
        if (!e && c.model.variables[v].free_parameter) {
            finish(c, v, Progress::Done);
            continue;
        }
        if (!e) {
            c.progress[v.value] = Progress::Failed;  // failed, or without a value: reported with the others
            continue;
        }
        if (e->op == Op::Number) continue;
        const std::string varying = varying_part(c, e);
        if (!varying.empty()) {
            const ParameterBinding& b = c.bindings[binding];
            const Variable& variable = c.model.variables[v];
            c.report(messages::parameter_varies(b.value ? b.value->where : variable.origin.where,
                                                c.submodel(variable.origin.instance), c.model.path(v),
                                                varying));
            c.progress[v.value] = Progress::Failed;
            continue;
        }
        for_each_leaf(e, [&](Expr leaf) {
            if (known_before_the_run(leaf) && c.progress[leaf->index] != Progress::Done &&
                c.progress[leaf->index] != Progress::Failed)
                stack.push_back({leaf->variable(), false});
        });
    }
}

// The parameters in e, and those that they depend on, have shaped the model.
void mark_structural(Context& c, Expr e) {
    std::vector<Expr> pending = {e};
    c.shaping.resize(c.model.variables.size(), false);
    while (!pending.empty()) {
        const Expr next = pending.back();
        pending.pop_back();
        for_each_leaf(next, [&](Expr leaf) {
            if (leaf->op != Op::Variable || c.shaping[leaf->index]) return;
            c.shaping[leaf->index] = true;
            Variable& v = c.model.variables[leaf->variable()];
            v.structural = v.variability == Variability::Parameter;
            if (v.binding) pending.push_back(v.binding);
        });
    }
}

}  // namespace

std::optional<double> known_value(Context& c, Expr e, Span where, const Scope& s, const std::string& what) {
    if (e->op == Op::Number) return e->number;
    if (e->op == Op::Truth) return e->index;
    const std::string varying = varying_part(c, e);
    if (!varying.empty()) {
        c.report(messages::not_known_before_run(where, c.submodel(s.instance), what, varying));
        return std::nullopt;
    }
    bool failed = false;  // reported, or to be reported among all parameters without a value
    for_each_leaf(e, [&](Expr leaf) {
        if (leaf->op == Op::Variable && !parameter_value(c, leaf->variable())) failed = true;
    });
    if (failed) return std::nullopt;
    std::string free;
    for_each_leaf(e, [&](Expr leaf) {
        if (leaf->op == Op::Variable && c.model.variables[leaf->variable()].free_parameter)
            free = c.model.path(leaf->variable());
    });
    if (!free.empty()) {
        c.report(messages::not_known_before_run(where, c.submodel(s.instance), what, free));
        return std::nullopt;
    }
    mark_structural(c, e);
    const auto v = number(c, e);
    if (!v || !std::isfinite(*v)) {
        c.report(messages::not_known_before_run(where, c.submodel(s.instance), what, ""));
        return std::nullopt;
    }
    return v;
}

std::optional<double> parameter_value(Context& c, VariableIndex v) {
    if (c.progress[v.value] != Progress::Done) resolve(c, v);
    if (c.progress[v.value] != Progress::Done) return std::nullopt;
    return c.model.variables[v].value;
}

std::optional<double> structural_value(Context& c, const tree::Expression& e, const Scope& s,
                                       const std::string& what) {
    const Expr x = translate_number(c, e, s);
    return x ? known_value(c, x, e.where, s, what) : std::nullopt;
}

std::optional<long> structural_integer(Context& c, const tree::Expression& e, const Scope& s,
                                       const std::string& what) {
    std::optional<double> v;
    if (e.kind == tree::ExpressionKind::Number)
        v = e.number;
    else if (s.loops && e.kind == tree::ExpressionKind::Reference && e.reference.parts.size() == 1)
        v = loop_value(c, s.loops, e.reference.parts[0].name);
    if (!v) v = structural_value(c, e, s, what);
    if (!v) return std::nullopt;
    if (*v != std::floor(*v) || std::abs(*v) > 1e9) {
        c.report(messages::not_an_integer(e.where, c.submodel(s.instance), what, *v));
        return std::nullopt;
    }
    return static_cast<long>(*v);
}

std::optional<std::string> text_value(Context& c, VariableIndex v) {
    for (int link = 0; c.has_texts && link < nesting_limit; ++link) {
        const std::uint32_t number = c.binding_of[v.value];
        if (number == none || !c.bindings[number].value) return std::nullopt;
        const ParameterBinding& b = c.bindings[number];
        if (b.value->kind == tree::ExpressionKind::Text) return b.value->text;
        if (b.value->kind != tree::ExpressionKind::Reference) return std::nullopt;
        const auto next = find_variable(c, b.value->reference, Scope{.instance = b.scope, .loops = b.loops});
        if (!next || !next->dimensions.empty()) return std::nullopt;
        v = VariableIndex(next->first);
    }
    return std::nullopt;
}

double LoopRange::count() const {
    const double steps = (static_cast<double>(to) - static_cast<double>(from)) / static_cast<double>(step);
    return std::max(0.0, std::floor(steps) + 1);
}

namespace {

// Of a loop around equations, or inside a `when`.
template <class Loop>
std::optional<LoopRange> range_of(Context& c, const Loop& loop, const tree::Expression& first,
                                  const tree::Expression& last, const Scope& s) {
    const auto from = structural_integer(c, first, s, "the first value of " + loop.variable);
    const auto to = structural_integer(c, last, s, "the last value of " + loop.variable);
    const auto step = loop.step ? structural_integer(c, *loop.step, s, "the step of " + loop.variable)
                                : std::optional<long>(1);
    if (!from || !to || !step) return std::nullopt;
    if (*step == 0) {
        c.report(messages::step_is_zero(loop.step->where, c.submodel(s.instance), loop.variable));
        return std::nullopt;
    }
    return LoopRange{*from, *to, *step};
}

}  // namespace

std::optional<LoopRange> loop_range(Context& c, const tree::StructureFor& loop, const Scope& s) {
    return range_of(c, loop, *loop.from, *loop.to, s);
}
std::optional<LoopRange> loop_range(Context& c, const tree::WhenFor& loop, const Scope& s) {
    return range_of(c, loop, loop.from, loop.to, s);
}

bool changes_in_run(Context& c, const tree::Expression& e, const Scope& s) {
    if (e.kind == tree::ExpressionKind::Derivative) return true;
    if (e.kind == tree::ExpressionKind::Reference) {
        const tree::ReferencePart& part = e.reference.parts[0];
        const ClassInfo& info = *c.instances[s.instance].info;
        const ClassNames* n = info.find(part.name);
        if (e.reference.parts.size() > 1) return n && n->component != none;
        if (loop_value(c, s.loops, part.name)) return false;
        if (!n || n->variable == none) return part.name == "time";
        const tree::VariableDeclaration* d = info.first_declaration[n->variable];
        if (!d) return true;
        switch (d->kind) {
            case VariableKind::Constant:
            case VariableKind::Parameter:
            case VariableKind::StructureParameter:
                return info.set_by_when[n->variable];
            default:
                return true;
        }
    }
    return std::any_of(e.arguments.begin(), e.arguments.end(),
                       [&](const tree::Expression& a) { return changes_in_run(c, a, s); });
}

std::optional<bool> structural_condition(Context& c, const tree::Expression& e, const Scope& s) {
    const Expr x = translate_condition(c, e, s);
    if (!x) return std::nullopt;
    const auto v = known_value(c, x, e.where, s, "the condition of this `if`");
    return v ? std::optional(*v != 0) : std::nullopt;
}

std::optional<std::vector<std::uint32_t>> structural_dimensions(
    Context& c, const std::vector<tree::Expression>& dimensions, const Scope& s, const std::string& name) {
    std::vector<std::uint32_t> result;
    for (const tree::Expression& e : dimensions) {
        const auto n = structural_integer(c, e, s, "the size of " + name);
        if (!n) return std::nullopt;
        if (*n < 0) {
            c.report(messages::negative_size(e.where, c.submodel(s.instance), name, *n));
            return std::nullopt;
        }
        result.push_back(static_cast<std::uint32_t>(*n));
    }
    return result;
}

void evaluate_parameters(Context& c) {
    std::vector<VariableIndex> missing;
    for (std::size_t k = 0; k < c.bindings.size(); ++k) {
        for (std::size_t e = 0; e < c.count(c.bindings[k].shape); ++e) {
            const VariableIndex v(c.bindings[k].first.value + e);
            if (c.progress[v.value] == Progress::New) resolve(c, v);
            if (c.progress[v.value] == Progress::Failed && !c.model.variables[v].binding &&
                !c.bindings[k].failed && c.model.variables[v].declared != VariableKind::Constant &&
                !c.instances[c.model.variables[v].origin.instance].bad_arguments)
                missing.push_back(v);
        }
    }
    if (!missing.empty()) {
        std::vector<std::string> names;
        for (VariableIndex v : missing) names.push_back(c.model.path(v));
        const Variable& first = c.model.variables[missing[0]];
        const InstanceState& state = c.instances[first.origin.instance];
        std::string in_place_type;
        if (state.info->tree->in_place && first.origin.instance.value != 0)
            in_place_type = state.info->tree->name;
        c.report(messages::parameters_without_value(
            first.origin.where, c.submodel(first.origin.instance), names, first.name,
            c.model.instances[first.origin.instance].name, in_place_type));
    }
}

void free_parameters(Context& c) {
    for (VariableIndex v(0); v < c.model.variables.end_index(); ++v.value) {
        Variable& variable = c.model.variables[v];
        if (!variable.free_parameter) continue;
        variable.variability = Variability::Discrete;
        if (!variable.binding) continue;
        c.model.initial_equations.add(
            {c.pool.variable(v), variable.binding, variable.origin, EquationKind::Written});
        variable.binding = nullptr;
    }
}

}  // namespace cutset

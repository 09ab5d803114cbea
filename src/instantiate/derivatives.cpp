// Derivatives: der(x), der(expression), and the initial values that they give.
#include <algorithm>

#include "expr/elementary_functions.h"
#include "flat/messages.h"
#include "flat/shape_text.h"
#include "instantiate/declare.h"
#include "instantiate/expression_parts.h"
#include "instantiate/messages.h"

namespace cutset {

namespace {

// What is written under a derivative stays continuous at events. Where a discrete variable or a switch makes
// it jump by itself, der(k*V), it gets a variable of its own that is differentiated, so that V jumps instead.
Quantity* continuous_quantity(Context& c, Expr x, const Scope& s, Span where) {
    bool varies = false, discrete = false, switches = false;
    for_each_node(x, [&](Expr n) {
        if (n->op == Op::Variable) {
            const Variability v = c.model.variables[n->variable()].variability;
            varies |= v == Variability::Continuous;
            discrete |= v == Variability::Discrete && !c.model.variables[n->variable()].free_parameter;
        }
        switches |= n->boolean || is_function_with_jumps(n->op);
    });
    if (!varies || !(discrete || switches)) return nullptr;
    const auto [found, added] = c.quantity_of.try_emplace(x->id, c.quantities.size());
    if (added) {
        Printer names = c.model.printer();
        const std::string prefix = c.submodel(s.instance) + '.';
        names.variable = [&c, prefix](VariableIndex v) {
            const std::string path = c.model.path(v);
            return path.starts_with(prefix) ? path.substr(prefix.size()) : path;
        };
        Variable q;
        q.origin.where = where;
        const VariableIndex v = add_variables(c, s.instance, "(" + to_text(x, names) + ")", 0, q);
        c.quantities.push_back({v, x, false, discrete});
        c.model.equations.add({c.pool.variable(v), x, {s.instance, where}, EquationKind::Written});
    }
    return &c.quantities[found->second];
}

}  // namespace

Value translate_derivative(Context& c, const tree::Expression& e, const Scope& s) {
    if (s.function) {
        c.report(messages::not_in_function(e.where, "a derivative"));
        return {};
    }
    const auto order = static_cast<std::uint32_t>(e.number);
    Value v = numeric(c, e.arguments[0], s);
    if (v.failed()) return {};
    for (std::size_t k = 0; k < v.size(); ++k)
        if (v[k]->op == Op::Variable &&
            c.model.variables[v[k]->variable()].variability == Variability::Discrete) {
            c.report(messages::derivative_of_discrete(e.where, place(c, s), c.model.path(v[k]->variable())));
            return {};
        }
    std::vector<Value> starts;
    for (std::size_t i = 1; i < e.arguments.size(); ++i) {
        Scope inner = s;
        inner.counts = false;
        starts.push_back(numeric(c, e.arguments[i], inner));
        if (starts.back().failed()) return {};
        if (!starts.back().is_scalar() && starts.back().dimensions != v.dimensions) {
            c.report(flat_messages::sizes_differ(e.arguments[i].where, place(c, s), "initial value",
                                                 shape_text(v.dimensions),
                                                 shape_text(starts.back().dimensions)));
            return {};
        }
    }
    if (starts.size() > order) {
        c.report(messages::too_many_starts(e.arguments[order + 1].where, place(c, s), order));
        starts.resize(order);
    }
    const auto varies = [&](VariableIndex i) {
        return c.model.variables[i].variability == Variability::Continuous;
    };
    const auto one = [&](Expr x, std::size_t element) -> Expr {
        for (std::size_t k = 0; s.starts && k < starts.size(); ++k) {
            const Expr start = starts[k][starts[k].is_scalar() ? 0 : element];
            if (x->op == Op::Variable && varies(x->variable())) {
                give_start(c, x->variable(), x->order + static_cast<std::uint32_t>(k), start, s, e.where);
            } else {
                // Of an expression: a condition at initialization.
                Expr at = x;
                for (std::size_t d = 0; d < k; ++d) at = time_derivative(c.pool, at, varies);
                c.model.initial_equations.add({at, start, {s.instance, e.where}, EquationKind::Written});
            }
        }
        if (x->op == Op::Variable)
            return varies(x->variable()) ? c.pool.variable(x->variable(), x->order + order)
                                         : c.pool.number(0);
        if (Quantity* q = continuous_quantity(c, x, s, e.where)) {
            q->started |= s.starts && !starts.empty();
            return c.pool.variable(q->variable, order);
        }
        for (std::uint32_t k = 0; k < order; ++k) x = time_derivative(c.pool, x, varies);
        return x;
    };
    try {
        if (v.is_scalar()) return Value(one(v.scalar, 0));
        for (std::size_t k = 0; k < v.elements.size(); ++k) v.elements[k] = one(v.elements[k], k);
        return v;
    } catch (const std::domain_error&) {
        c.report(messages::no_derivative(e.where, place(c, s)));
        return {};
    }
}

void give_start(Context& c, VariableIndex v, std::uint32_t order, Expr value, const Scope& s, Span where) {
    const auto depth = [&](InstanceIndex i) { return c.instances[i].depth; };
    std::optional<Start>* place_of = &c.model.variables[v].start;
    DerivativeStart* derivative = nullptr;
    if (order > 0) {
        const auto [known, added] =
            c.derivative_start_of.try_emplace({v.value, order}, c.model.derivative_starts.size());
        derivative = added ? nullptr : &c.model.derivative_starts[known->second];
        if (!derivative) {
            c.model.derivative_starts.push_back({v, order, {value, {s.instance, where}, false}});
            return;
        }
    }
    const Start given{value, {s.instance, where}, false};
    if (!derivative && (!*place_of || (*place_of)->only_guess)) {
        *place_of = given;
        return;
    }
    Start& known = derivative ? derivative->start : **place_of;
    // What an enclosing model says replaces what the submodel says of itself.
    if (depth(s.instance) < depth(known.origin.instance)) {
        known = given;
    } else if (depth(s.instance) == depth(known.origin.instance) && known.value != value &&
               !known.from_user) {
        c.report(messages::start_given_twice(where, place(c, s), c.model.path(v), known.origin.where));
    }
}

void give_guess(Context& c, VariableIndex v, Expr value, const Scope& s, Span where) {
    std::optional<Start>& known = c.model.variables[v].start;
    // An initial value says more. What an enclosing model says replaces what the submodel says of itself.
    if (known && !known->only_guess) return;
    if (known && c.instances[s.instance].depth >= c.instances[known->origin.instance].depth) {
        if (known->value != value && known->origin.instance == s.instance)
            c.report(messages::start_given_twice(where, place(c, s), c.model.path(v), known->origin.where));
        return;
    }
    known = Start{value, {s.instance, where}};
    known->only_guess = true;
}

void settle_quantities(Context& c) {
    if (c.quantities.empty()) return;
    std::vector<std::uint32_t> order(c.model.variables.size(), 0);  // highest derivative, by variable
    for (const Equation& e : c.model.equations)
        for (Expr side : {e.left, e.right})
            for_each_node(side, [&](Expr n) {
                if (n->op == Op::Variable) order[n->index] = std::max(order[n->index], n->order);
            });
    const auto varies = [&](VariableIndex i) {
        return c.model.variables[i].variability == Variability::Continuous;
    };
    Substitution expanded(c.pool);
    for (const Quantity& q : c.quantities) {
        bool all_states = true;
        Substitution at_start(c.pool);
        for_each_node(q.value, [&](Expr n) {
            if (n->op != Op::Variable || !varies(n->variable())) return;
            all_states &= order[n->index] > 0;
            if (const auto& start = c.model.variables[n->variable()].start; start && n->order == 0)
                at_start.replace(n, start->value);
        });
        if (all_states && !q.discrete) {
            // Its variables are continuous on their own account: the rule of each branch.
            Expr rate = q.value;
            for (std::uint32_t k = 1; k <= order[q.variable.value]; ++k) {
                rate = time_derivative(c.pool, rate, varies);
                expanded.replace(c.pool.variable(q.variable, k), rate);
            }
        } else if (!q.started && !at_start.empty()) {
            // V(0) is the initial value of what stands in place of V.
            Variable& quantity = c.model.variables[q.variable];
            for_each_node(q.value, [&](Expr n) {
                if (n->op != Op::Variable || varies(n->variable())) return;
                const Variable& v = c.model.variables[n->variable()];
                if (v.variability == Variability::Discrete && v.binding && !v.free_parameter)
                    at_start.replace(n, v.binding);
            });
            const Expr start = at_start(q.value);
            bool known = true;
            for_each_node(start, [&](Expr n) {
                if (n->op == Op::Variable)
                    known &= c.model.variables[n->variable()].variability <= Variability::Parameter;
            });
            if (known && !quantity.start)
                quantity.start = Start{start, quantity.origin};
            else
                c.model.initial_equations.add(
                    {c.pool.variable(q.variable), start, quantity.origin, EquationKind::Written});
        }
    }
    if (expanded.empty()) return;
    for (Equation& e : c.model.equations) {
        e.left = expanded(e.left);
        e.right = expanded(e.right);
    }
    for (Equation& e : c.model.initial_equations) {
        e.left = expanded(e.left);
        e.right = expanded(e.right);
    }
    for (WhenClause& w : c.model.whens) w.condition = expanded(w.condition);
}

}  // namespace cutset

#include "instantiate/instantiate.h"

#include "instantiate/connect.h"
#include "instantiate/connection_sets.h"
#include "instantiate/context.h"
#include "instantiate/count_balance.h"
#include "instantiate/equations.h"
#include "instantiate/experiment.h"
#include "instantiate/expressions.h"
#include "instantiate/instances.h"
#include "instantiate/lookup.h"
#include "instantiate/messages.h"
#include "instantiate/parameters.h"
#include "instantiate/ports.h"
#include "instantiate/value_types.h"
#include "instantiate/when_clauses.h"
#include "ir/discrete_equations.h"
#include "ir/discrete_starts.h"
#include "ir/impure_calls.h"
#include "ir/verification.h"

namespace cutset {

namespace {

constexpr int most_passed_on = 1000;  // from model to model

// The variables of initial equations, but for those of conditions, which no equation can be solved for.
std::vector<bool> in_initial_equations(const Context& c) {
    std::vector<bool> found(c.model.variables.size());
    for (const Equation& e : c.model.initial_equations)
        for (Expr side : {e.left, e.right}) {
            std::vector<Expr> open{side};
            while (!open.empty()) {
                const Expr x = open.back();
                open.pop_back();
                if (x->op == Op::Variable) found[x->index] = true;
                if (!x->boolean) open.insert(open.end(), x->args().begin(), x->args().end());
            }
        }
    return found;
}

// A discrete variable starts from --init, its declared value or x(0), of which what an enclosing model says
// counts more; else as the initial equations say, or from 0.
void settle_discrete(Context& c) {
    const std::vector<bool> in_initial = in_initial_equations(c);
    for (VariableIndex i(0); i < c.model.variables.end_index(); ++i.value) {
        Variable& v = c.model.variables[i];
        if (v.variability != Variability::Discrete) continue;
        if (v.start) {
            const auto depth = [&](InstanceIndex at) { return c.instances[at].depth; };
            const bool replaces =
                v.start->from_user || depth(v.start->origin.instance) < depth(v.origin.instance);
            if (!replaces && v.binding && v.binding != v.start->value)
                c.report(messages::start_given_twice(v.start->origin.where, c.submodel(v.origin.instance),
                                                     c.model.path(i), v.origin.where));
            v.binding = v.start->value;
        }
        v.start.reset();
        v.start_open = !v.binding && !v.free_parameter && in_initial[i.value];
        // Of a parameter to be found: where the search begins.
        if (!v.binding) v.binding = c.pool.number(first_value(v));
    }
}

// How deep among the submodels the value of a parameter was given. A value that passes on another parameter,
// r(R=R0), was given where that one was.
std::uint32_t depth_given(Context& c, VariableIndex p) {
    for (int steps = 0;; ++steps) {
        const std::uint32_t number = c.binding_of[p.value];
        if (number == none || c.element_settings.count(p)) return 0;
        const ParameterBinding& b = c.bindings[number];
        if (b.source == Source::Setting) return 0;
        const Expr value = c.model.variables[p].binding;
        if (steps == most_passed_on || !value || value->op != Op::Variable)
            return c.instances[b.source == Source::Argument ? b.scope : c.model.variables[p].origin.instance]
                .depth;
        p = value->variable();
    }
}

// Which start of equal variables counts: v(0) = v0 with the default of v0, in a submodel, gives way to any
// other one that is tied to it; else the one that was given nearest to the top.
void rank_start(Context& c, Start& start) {
    if (start.from_user || start.origin.instance.value == 0) return;
    bool any = false, all = true, parameters = true;
    std::uint32_t deepest = 0;
    for_each_leaf(start.value, [&](Expr leaf) {
        any = true;
        const std::uint32_t binding = leaf->op == Op::Variable ? c.binding_of[leaf->index] : none;
        parameters = parameters && binding != none;
        if (binding != none) deepest = std::max(deepest, depth_given(c, leaf->variable()));
        all = all && binding != none && c.bindings[binding].source == Source::Default &&
              !c.element_settings.count(leaf->variable());
    });
    const std::uint32_t here = c.instances[start.origin.instance].depth;
    start.depth = any && parameters ? std::min(deepest, here) : here;
    if (!start.only_guess) start.by_default = any && all;
}

// At events and at the start only.
void place_impure_calls(Context& c) {
    if (c.impure_calls.empty()) return;
    const auto check = [&](Expr e, const Origin& origin) {
        const Expr call = impure_call(c.model, e);
        if (!call) return;
        const auto& function = std::get<FunctionData>(c.model.callees[call->callee()]);
        c.report(messages::impure_in_equation(origin.where, c.submodel(origin.instance), function.name));
    };
    const auto check_all = [&](const auto& equations) {
        for (const Equation& e : equations) {
            check(e.left, e.origin);
            check(e.right, e.origin);
        }
    };
    check_all(c.model.equations);
    check_all(c.model.discrete_equations);
    for (const WhenClause& when : c.model.whens) check(when.condition, when.origin);
    for (const Validity& v : c.model.validities) check(v.condition, v.origin);
    date_impure_calls(c.model);
}

}  // namespace

std::optional<FlatModel> instantiate(const ClassTree& classes, const std::string& model,
                                     const Experiment& experiment, const Sources& sources,
                                     Diagnostics& diagnostics) {
    if (verifies_by_default()) verify(classes);
    const std::size_t errors_before = diagnostics.error_count();
    Context c(classes, experiment, sources, diagnostics);
    const tree::Class* type = find_model(c, model);
    if (!type) return std::nullopt;
    c.model.name = type->name;
    check_files(c);
    read_settings(c);

    make_instances(c, *type);
    if (c.refused) return std::nullopt;
    check_settings(c);

    build_ports(c);
    evaluate_connections(c);
    finish_joins(c);
    propagate_parameters(c);
    evaluate_parameters(c);
    free_parameters(c);

    find_discrete(c);
    add_equations(c);
    read_knowns(c);
    add_input_equations(c);
    add_connection_equations(c);
    add_default_equations(c);
    check_inputs(c);
    check_knowns(c);
    apply_initials(c);
    for (Variable& v : c.model.variables)
        if (v.start) rank_start(c, *v.start);
    for (DerivativeStart& d : c.model.derivative_starts) rank_start(c, d.start);
    separate_discrete(c.model);
    check_whole(c);
    settle_discrete(c);
    settle_quantities(c);
    add_quantities(c);

    if (diagnostics.error_count() > errors_before) return std::nullopt;
    place_impure_calls(c);
    if (diagnostics.error_count() > errors_before) return std::nullopt;
    count_balance(c);
    return std::move(c.model);
}

}  // namespace cutset

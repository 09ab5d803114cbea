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
#include "ir/verification.h"

namespace cutset {

namespace {

// A discrete variable starts from its declared value, x(0) or --init; else from 0.
void settle_discrete(Context& c) {
    for (Variable& v : c.model.variables) {
        if (v.variability != Variability::Discrete) continue;
        if (v.start && (v.start->from_user || !v.binding)) v.binding = v.start->value;
        v.start.reset();
        // Of a parameter to be found: where the search begins.
        if (!v.binding) v.binding = c.pool.number(v.free_parameter ? v.nominal.value_or(1) : 0);
    }
}

// v(0) = v0 with the default of v0, in a submodel: any other start that is tied to it counts more.
void find_default_starts(Context& c) {
    for (Variable& v : c.model.variables) {
        if (!v.start || v.start->from_user || v.start->only_guess || v.start->origin.instance.value == 0)
            continue;
        bool any = false, all = true;
        for_each_leaf(v.start->value, [&](Expr leaf) {
            any = true;
            const std::uint32_t binding = leaf->op == Op::Variable ? c.binding_of[leaf->index] : none;
            all = all && binding != none && c.bindings[binding].source == Source::Default &&
                  !c.element_settings.count(leaf->variable());
        });
        v.start->by_default = any && all;
    }
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
    find_default_starts(c);
    settle_discrete(c);
    settle_quantities(c);
    add_quantities(c);
    differentiate_preferred(c);

    if (diagnostics.error_count() > errors_before) return std::nullopt;
    count_balance(c);
    return std::move(c.model);
}

}  // namespace cutset

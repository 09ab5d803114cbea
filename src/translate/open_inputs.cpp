#include "translate/open_inputs.h"

#include <algorithm>
#include <variant>

#include "transform/choose_known.h"
#include "transform/loose_ends.h"
#include "translate/messages.h"
#include "translate/translator.h"

namespace cutset {

namespace {

// Inputs of the whole model for which there is no equation.
void choose_open_inputs(FlatModel& model) {
    std::vector<bool> given(model.variables.size());
    for (const Equation& e : model.equations)
        if (const auto v = input_given(e)) given[v->value] = true;
    for (const Known& known : model.knowns) given[known.variable.value] = true;
    for (VariableIndex v : model.freed) given[v.value] = true;
    for (VariableIndex v(0); v < model.variables.end_index(); ++v.value) {
        const Variable& variable = model.variables[v];
        if (variable.top_input && variable.variability == Variability::Continuous && !given[v.value])
            model.knowns.push_back({v, nullptr});
    }
}

// The variables that are given by functions that are not specified, with the equations that say so.
std::vector<std::pair<VariableIndex, EquationIndex>> unspecified(const FlatModel& model) {
    std::vector<std::pair<VariableIndex, EquationIndex>> found;
    for (EquationIndex i(0); i < model.equations.end_index(); ++i.value) {
        const Equation& e = model.equations[i];
        const auto v = input_given(e);
        if (!v || e.right->op != Op::Apply) continue;
        const auto* table = std::get_if<TableData>(&model.callees[e.right->callee()]);
        if (table && table->name == unspecified_function_name(model, *v)) found.emplace_back(*v, i);
    }
    return found;
}

}  // namespace

bool lacks_inputs(const Diagnostics& diagnostics) {
    return std::all_of(diagnostics.all().begin(), diagnostics.all().end(), [](const Diagnostic& d) {
        return d.severity != Severity::Error || (d.concern == Concern::OpenInputs && d.submodel.empty());
    });
}

std::optional<FlatModel> flatten_open(const Translator& translator, const std::string& model,
                                      Experiment experiment, Diagnostics& diagnostics) {
    // Only the structure is asked for: knowns need no values.
    experiment.open = !experiment.knowns.empty();
    Diagnostics own;
    std::optional<FlatModel> flat = translator.collect(model, experiment, own);
    if (!flat && lacks_inputs(own)) {
        own = {};
        experiment.open = true;
        flat = translator.collect(model, experiment, own);
    }
    diagnostics.add(own);
    if (!flat || diagnostics.has_errors()) return std::nullopt;
    if (flat->knowns.empty()) choose_open_inputs(*flat);
    choose_known(*flat, diagnostics);
    if (diagnostics.has_errors()) return std::nullopt;
    settle_loose_ends(*flat);
    return flat;
}

void inputs_as_parameters(FlatModel& model, const TransformOptions& options, Diagnostics& diagnostics) {
    const auto open = unspecified(model);
    if (open.empty()) return;
    Diagnostics quiet;
    const std::optional<Partition> sorted = sort_equations(model, options, quiet);
    if (!sorted) return;  // what is wrong is found again
    std::vector<std::string> names;
    for (const auto& [v, equation] : open) {
        const CalleeIndex function = model.equations[equation].right->callee();
        bool differentiated = false;
        for (const Equation& e : sorted->model.equations)
            for (Expr side : {e.left, e.right})
                for_each_node(side, [&](Expr node) {
                    differentiated = differentiated || (node->op == Op::Apply && node->callee() == function &&
                                                        node->derivatives != 0);
                });
        if (differentiated) diagnostics.report(translate_messages::input_differentiated(model.path(v)));
        names.push_back(model.path(v));
    }
    if (diagnostics.has_errors()) return;
    std::vector<bool> removed(model.equations.size());
    for (const auto& [v, equation] : open) {
        removed[equation.value] = true;
        Variable& variable = model.variables[v];
        variable.variability = Variability::Parameter;
        variable.binding = model.pool->number(0);
        variable.value = 0;
    }
    remove_equations(model, removed);
    diagnostics.report(translate_messages::inputs_are_parameters(names));
}

}  // namespace cutset

#include "flat/flat_builder.h"

#include <span>
#include <utility>

namespace cutset {

void FlatBuilder::potentials(Expr one, Expr other, Origin origin) {
    if (one != other) model_.equations.add({one, other, origin, EquationKind::Across});
}

void FlatBuilder::flows(const std::vector<Expr>& terms, Origin origin) {
    const Expr sum = pool_.add(terms);
    if (!sum->is_number(0)) model_.equations.add({sum, pool_.number(0), origin, EquationKind::Through});
}

void FlatBuilder::no_flow(VariableIndex flow, Origin origin) {
    model_.equations.add({pool_.variable(flow), pool_.number(0), origin, EquationKind::Unconnected});
}

void FlatBuilder::input(VariableIndex v, Expr value) {
    model_.equations.add({pool_.variable(v), value, model_.variables[v].origin, EquationKind::Input});
}

Expr FlatBuilder::over_time(TableData table, const std::string& path) {
    if (table.name.empty()) table.name = path;
    const CalleeIndex callee = model_.callees.add(std::move(table));
    const Expr time = pool_.time();
    return pool_.apply(callee, 0, std::span<const Expr>(&time, 1));
}

VariableIndex FlatBuilder::quantity(const Experiment::Quantity& quantity, Expr value) {
    using Kind = Experiment::Quantity::Kind;
    const bool integral = quantity.kind == Kind::Integral, input = quantity.kind == Kind::Input;
    Variable v;
    v.name = quantity.name;
    v.origin = {InstanceIndex(0), quantity.value.where};
    v.internal = true;
    if (integral) v.start = Start{pool_.number(0), v.origin};
    if (input) v.declared = VariableKind::Input;
    const Origin origin = v.origin;
    const VariableIndex index = model_.variables.add(std::move(v));
    model_.equations.add({pool_.variable(index, integral ? 1 : 0), value, origin,
                          input ? EquationKind::Input : EquationKind::Written});
    return index;
}

const char* declared_word(const Variable& v) {
    switch (v.declared) {
        case VariableKind::Constant:
            return "a constant";
        case VariableKind::Parameter:
        case VariableKind::StructureParameter:
            return "a parameter";
        case VariableKind::Input:
            return "an input";
        case VariableKind::Discrete:
            return "a discrete variable";
        case VariableKind::Output:
            return "an output";
        case VariableKind::Terminal:
            return "a terminal";
        default:
            return "a variable";
    }
}

}  // namespace cutset

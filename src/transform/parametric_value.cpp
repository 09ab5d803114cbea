#include "transform/parametric_value.h"

namespace cutset {

std::optional<double> parametric_value(
    const FlatModel& model, Expr e,
    const std::function<std::optional<double>(VariableIndex)>& value_of_parameter) {
    Environment environment;
    environment.leaf = [&](Expr leaf) -> std::optional<double> {
        if (leaf->op != Op::Variable) return std::nullopt;
        return value_of_parameter(leaf->variable());
    };
    environment.apply = [&](Expr call, std::span<const double> arguments) {
        return table_call_value(model, call, arguments);
    };
    return evaluate(e, environment);
}

std::optional<double> table_call_value(const FlatModel& model, Expr call, std::span<const double> arguments) {
    const auto* table = std::get_if<TableData>(&model.callees[call->callee()]);
    if (!table || arguments.empty()) return std::nullopt;
    int by[2] = {0, 0};
    for (int i = 0; i < call->derivatives; ++i)
        if (call->by[i] < 2) ++by[call->by[i]];
    bool outside = false;
    return table_value(*table, arguments[0], arguments.size() > 1 ? arguments[1] : 0, by[0], by[1], outside);
}

}  // namespace cutset

#include "transform/order_parameters.h"

namespace cutset::passes {

void order_parameters(Analysis& a, Diagnostics&) {
    const auto& variables = a.model().variables;
    enum : std::uint8_t { New, Open, Done };
    std::vector<std::uint8_t> mark(variables.size(), New);
    std::vector<VariableIndex> stack;
    const auto is_parameter = [&](VariableIndex v) {
        return variables[v].variability == Variability::Parameter ||
               variables[v].variability == Variability::Constant;
    };
    for (VariableIndex root(0); root < variables.end_index(); ++root.value) {
        if (!is_parameter(root) || mark[root.value] == Done) continue;
        stack.push_back(root);
        while (!stack.empty()) {
            const VariableIndex v = stack.back();
            if (mark[v.value] == Done) {
                stack.pop_back();
                continue;
            }
            if (mark[v.value] == Open) {
                mark[v.value] = Done;
                a.partition.parameters.push_back(v);
                stack.pop_back();
                continue;
            }
            mark[v.value] = Open;
            if (!variables[v].binding) continue;
            for (Expr leaf : a.leaves({variables[v].binding})) {
                const VariableIndex used = leaf->variable();
                CUTSET_ASSERT(is_parameter(used));
                CUTSET_ASSERT(mark[used.value] != Open);
                if (mark[used.value] == New) stack.push_back(used);
            }
        }
    }
}

}  // namespace cutset::passes

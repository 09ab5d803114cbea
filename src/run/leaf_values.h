// The values of a run as those of the leaves of expressions, for formulas that no section computes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>

#include "expr/expr.h"
#include "run/instant.h"

namespace cutset {

// Time, variables and derivatives of states; nothing for other leaves. Both arguments outlive it.
inline Environment leaf_values(const Instant& now, const Interpreter& values) {
    Environment environment;
    environment.leaf = [&now, &values](Expr leaf) -> std::optional<double> {
        if (leaf->op == Op::Time) return values[now.layout.time];
        if (leaf->op != Op::Variable) return std::nullopt;
        if (leaf->order == 0) return values[now.layout.variable[leaf->index]];
        const auto& states = now.partition.states;
        const auto state = std::find(states.begin(), states.end(), leaf->variable());
        if (leaf->order > 1 || state == states.end()) return std::nullopt;
        return values[now.layout.derivative[std::size_t(state - states.begin())]];
    };
    return environment;
}

}  // namespace cutset

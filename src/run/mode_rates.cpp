#include "run/mode_rates.h"

#include <algorithm>
#include <cmath>

#include "run/leaf_values.h"

namespace cutset {

ModeRates::ModeRates(Instant& now)
    : now_(now),
      is_state_(now.model.variables.size()),
      given_by_(now.model.variables.size()),
      rate_given_by_(now.model.variables.size()) {
    constexpr std::uint32_t highest = 4;
    for (VariableIndex v : now.partition.states) is_state_[v.value] = true;
    for (const Eliminated& e : now.partition.eliminated) given_by_[e.variable.value] = e.value;
    for (const Block& block : now.partition.blocks) {
        if (!block.torn.empty()) continue;
        for (const SolvedEquation& s : block.inner)
            if (s.unknown.order <= 1)
                (s.unknown.order == 0 ? given_by_ : rate_given_by_)[s.unknown.variable.value] = s.value;
    }
    for (VariableIndex v{0}; v < now.model.variables.end_index(); ++v.value) {
        std::string name = now.model.path(v);
        for (std::uint32_t order = 1; order <= highest; ++order) {
            name = derivative_name(name);
            names_.emplace(name, Derivative{v, order});
        }
    }
}

// What is assigned is replaced by what it is computed from; nothing where that does not end in states.
Expr ModeRates::expand(Expr e, bool derivatives_too) {
    constexpr int deepest = 20;
    for (int depth = 0; depth < deepest; ++depth) {
        Substitution substitution(*now_.model.pool);
        bool open = false;
        for_each_leaf(e, [&](Expr leaf) {
            if (leaf->op != Op::Variable ||
                now_.model.variables[leaf->variable()].variability != Variability::Continuous)
                return;
            const bool rate = leaf->order == 1 && is_state_[leaf->index];
            if ((leaf->order == 0 && is_state_[leaf->index]) || (rate && !derivatives_too)) return;
            const Expr value = leaf->order == 0 ? given_by_[leaf->index]
                               : rate           ? rate_given_by_[leaf->index]
                                                : nullptr;
            open |= value == nullptr;
            if (value) substitution.replace(leaf, value);
        });
        if (open) return nullptr;
        if (substitution.empty()) return e;
        e = substitution(e);
    }
    return nullptr;
}

std::optional<ModeRates::Rate> ModeRates::find(const std::string& name) {
    const auto found = names_.find(name);
    if (found == names_.end()) return std::nullopt;
    Pool& pool = *now_.model.pool;
    Expr e = pool.variable(found->second.variable);
    for (std::uint32_t order = 0; order < found->second.order && e; ++order) {
        e = expand(e, true);
        if (e) e = time_derivative(pool, e, [&](VariableIndex v) { return bool(is_state_[v.value]); });
    }
    if (e) e = expand(e, false);
    return Rate{found->second.variable, found->second.order, e};
}

std::optional<double> ModeRates::value(const Rate& rate, const Interpreter& values) const {
    if (rate.formula) {
        const Environment environment = leaf_values(now_, values);
        if (const auto found = evaluate(rate.formula, environment); found && std::isfinite(*found))
            return found;
    }
    return difference(rate.variable, rate.order, values);
}

// Of those of the next lower order on both sides, along the tangent of the solution: what it leaves out is of
// second order and the same on both.
std::optional<double> ModeRates::difference(VariableIndex variable, std::uint32_t order,
                                            const Interpreter& values) const {
    if (order == 0) {
        const double v = values[now_.layout.variable[variable.value]];
        return std::isfinite(v) ? std::optional(v) : std::nullopt;
    }
    // Wider where the differences are those of differences.
    const double h = (order == 1 ? 1e-6 : 1e-3) * now_.length();
    std::optional<double> side[2];
    for (const int k : {0, 1}) {
        Interpreter probe = values;
        move_along(probe, k == 0 ? -h : h);
        if (probe.run(now_.program.continuous) && probe.run(now_.program.eliminated))
            side[k] = difference(variable, order - 1, probe);
    }
    if (side[0] && side[1]) return (*side[1] - *side[0]) / (2 * h);
    const auto here = difference(variable, order - 1, values);
    if (side[1] && here) return (*side[1] - *here) / h;
    if (side[0] && here) return (*here - *side[0]) / h;
    return std::nullopt;
}

}  // namespace cutset

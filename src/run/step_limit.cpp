#include "run/step_limit.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "run/pool_lock.h"

namespace cutset {

namespace {

class TimeDependence {
  public:
    explicit TimeDependence(const Partition& partition)
        : partition_(partition), timed_(partition.model.variables.size(), false) {
        for (const Switch& s : partition.switches)
            if (s.instant) known_.emplace(s.node, Found{});
        // States that only count the time.
        for (const Block& block : partition.blocks)
            for (const SolvedEquation& s : block.inner)
                if (s.unknown.order == 1 && block.torn.empty() && !depends_on_continuous(s.value))
                    timed_[s.unknown.variable.value] = true;
    }

    bool can_pulse() {
        bool pulses = false;
        for (const Eliminated& e : partition_.eliminated) pulses |= take(e.value, e.variable);
        for (const Block& block : partition_.blocks) {
            for (const SolvedEquation& s : block.inner)
                pulses |= s.unknown.order == 0 ? take(s.value, s.unknown.variable) : look(s.value).pulses;
            for (const ResidualEquation& r : block.residuals) {
                const Found f = look(r.residual);
                pulses |= f.pulses;
                if (f.timed)
                    for (const Unknown& u : block.torn)
                        if (u.order == 0) timed_[u.variable.value] = true;
            }
        }
        // Variables were eliminated before the equations were sorted: some depend on what came later.
        known_.clear();
        for (const Switch& s : partition_.switches)
            if (s.instant) known_.emplace(s.node, Found{});
        for (const Eliminated& e : partition_.eliminated) pulses |= take(e.value, e.variable);
        for (const Switch& s : partition_.switches)
            if (!s.instant) pulses |= look(s.crossing).pulses;
        return pulses;
    }

  private:
    struct Found {
        bool timed = false, pulses = false;
    };

    bool depends_on_continuous(Expr e) const {
        bool depends = false;
        for_each_leaf(e, [&](Expr leaf) {
            depends |= leaf->op == Op::Variable &&
                       partition_.model.variables[leaf->variable()].variability == Variability::Continuous;
        });
        return depends;
    }

    bool take(Expr value, VariableIndex variable) {
        const Found f = look(value);
        if (f.timed) timed_[variable.value] = true;
        return f.pulses;
    }

    Found look(Expr root) {
        std::vector<std::pair<Expr, bool>> open{{root, false}};
        while (!open.empty()) {
            const auto [e, left] = open.back();
            open.pop_back();
            if (e->argument_count == 0) continue;
            if (!left) {
                if (known_.contains(e)) continue;
                open.push_back({e, true});
                for (std::size_t i = 0; i < e->argument_count; ++i) open.push_back({e->arg(i), false});
                continue;
            }
            known_.emplace(e, combine(e));
        }
        return of(root);
    }

    Found of(Expr e) const {
        if (e->op == Op::Time) return {true, false};
        if (e->op == Op::Variable) return {bool(timed_[e->index]), false};
        if (e->argument_count == 0) return {};
        return known_.at(e);
    }

    Found combine(Expr e) const {
        std::size_t timed = 0;
        bool pulses = false;
        for (std::size_t i = 0; i < e->argument_count; ++i) {
            const Found f = of(e->arg(i));
            timed += f.timed;
            pulses |= f.pulses;
        }
        switch (e->op) {
            case Op::Multiply:
                return {timed > 0, pulses || timed > 1};
            case Op::Add:
            case Op::If:
            case Op::And:
            case Op::Or:
            case Op::Not:
            case Op::Less:
            case Op::LessEqual:
            case Op::Equal:
            case Op::NotEqual:
            case Op::Min:
            case Op::Max:
            case Op::Abs:
            case Op::Sign:
            case Op::NoEvent:
            case Op::Delay:
                return {timed > 0, pulses};
            case Op::Apply:
                if (e->arg(0)->op == Op::Time && e->argument_count == 1 &&
                    std::holds_alternative<TableData>(partition_.model.callees[e->callee()]))
                    return {};
                break;
            default:
                break;
        }
        return {timed > 0, pulses || timed > 0};
    }

    const Partition& partition_;
    std::vector<bool> timed_;                // by variable
    std::unordered_map<Expr, Found> known_;  // looked up only
};

}  // namespace

bool can_pulse(const Partition& partition) {
    return TimeDependence(partition).can_pulse();
}

double fewest_steps(const Partition& partition) {
    const bool switches = std::any_of(partition.switches.begin(), partition.switches.end(),
                                      [](const Switch& s) { return !s.instant; });
    if (can_pulse(partition)) return partition.states.empty() ? 2000 : 500;
    if (partition.states.empty()) return switches || !partition.delays.empty() ? 2000 : 1;
    return 300;
}

std::vector<Expr> frequencies(const Partition& partition) {
    std::vector<Expr> found;
    if (std::none_of(partition.switches.begin(), partition.switches.end(),
                     [](const Switch& s) { return !s.instant && !s.kink; }))
        return found;
    const std::lock_guard lock(pool_lock());
    Pool& pool = *partition.model.pool;
    std::unordered_set<Expr> met;
    const auto look = [&](Expr root) {
        if (!root) return;
        for_each_node(root, [&](Expr e) {
            if ((e->op != Op::Sin && e->op != Op::Cos) || !met.insert(e).second) return;
            bool timed = false;
            for_each_leaf(e, [&](Expr leaf) { timed |= leaf->op == Op::Time; });
            if (!timed) return;
            const Expr rate = differentiate(pool, e->arg(0), pool.time());
            bool constant = true;
            for_each_leaf(rate, [&](Expr leaf) {
                constant &=
                    leaf->op == Op::Number ||
                    (leaf->op == Op::Variable &&
                     partition.model.variables[leaf->variable()].variability <= Variability::Parameter);
            });
            if (constant) found.push_back(rate);
        });
    };
    for (const Block& block : partition.blocks) {
        for (const SolvedEquation& s : block.inner) look(s.value);
        for (const ResidualEquation& r : block.residuals) look(r.residual);
    }
    for (const Eliminated& e : partition.eliminated) look(e.value);
    for (const Switch& s : partition.switches) look(s.crossing);
    return found;
}

bool crossings_need_equations(const Partition& partition) {
    const FlatModel& model = partition.model;
    std::vector<bool> known(model.variables.size(), false);
    for (VariableIndex v{0}; v < model.variables.end_index(); ++v.value)
        known[v.value] = model.variables[v].variability != Variability::Continuous;
    for (VariableIndex v : partition.states) known[v.value] = true;
    const auto needs = [&](Expr e) {
        bool more = false;
        for_each_leaf(e, [&](Expr leaf) {
            more |= leaf->op == Op::Variable && (leaf->order > 0 || !known[leaf->index]);
        });
        return more;
    };
    for (const Eliminated& e : partition.eliminated)
        if (!needs(e.value)) known[e.variable.value] = true;
    return std::any_of(partition.switches.begin(), partition.switches.end(),
                       [&](const Switch& s) { return !s.instant && needs(s.crossing); });
}

}  // namespace cutset

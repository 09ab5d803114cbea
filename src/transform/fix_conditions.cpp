#include "transform/fix_conditions.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace cutset {

namespace {

class ConditionList {
  public:
    explicit ConditionList(const FlatModel& model) : model_(model), seen_(model.pool->size()) {}

    void add(Expr root) {
        stack_.assign(1, root);
        while (!stack_.empty()) {
            const Expr e = stack_.back();
            stack_.pop_back();
            if (e->argument_count == 0 || e->op == Op::NoEvent || seen_[e->id]) continue;
            seen_[e->id] = true;
            if (e->op == Op::If)
                for (std::size_t k = 0; k + 1 < e->argument_count; k += 2)
                    if (const Expr c = e->arg(k);
                        c->op != Op::Truth && changes(c) && listed_.insert(c->id).second)
                        list.push_back(c);
            for (std::size_t k = e->argument_count; k-- > 0;) stack_.push_back(e->arg(k));
        }
    }

    std::vector<Expr> list;

  private:
    bool changes(Expr condition) const {
        return depends_on(condition, [&](Expr leaf) {
            return leaf->op != Op::Variable ||
                   model_.variables[leaf->variable()].variability >= Variability::Discrete;
        });
    }

    const FlatModel& model_;
    std::vector<bool> seen_;          // by node
    std::set<std::uint32_t> listed_;  // ids of conditions
    std::vector<Expr> stack_;
};

// Replaces conditions of if-expressions.
class Fixing {
  public:
    Fixing(Pool& pool, std::span<const Expr> conditions, const std::vector<bool>& truth) : pool_(pool) {
        for (std::size_t k = 0; k < conditions.size(); ++k) truth_.emplace(conditions[k], truth[k]);
    }

    Expr operator()(Expr root) {
        for_each_node(root, [&](Expr e) {
            if (done_.count(e)) return;
            Expr result = e;
            std::vector<Expr> arguments;
            bool changed = false;
            for (std::size_t k = 0; k < e->argument_count; ++k) {
                Expr argument = done_.at(e->arg(k));
                const bool condition = e->op == Op::If && k % 2 == 0 && k + 1 < e->argument_count;
                if (const auto fixed = truth_.find(e->arg(k)); condition && fixed != truth_.end())
                    argument = pool_.truth(fixed->second);
                changed |= argument != e->arg(k);
                arguments.push_back(argument);
            }
            if (changed) result = pool_.rebuild(e, arguments);
            done_.emplace(e, result);
        });
        return done_.at(root);
    }

  private:
    Pool& pool_;
    std::unordered_map<Expr, bool> truth_;  // looked up only
    std::unordered_map<Expr, Expr> done_;   // looked up only
};

}  // namespace

std::vector<Expr> switched_conditions(const FlatModel& model, std::span<const EquationIndex> equations) {
    ConditionList found(model);
    for (EquationIndex e : equations) {
        if (!(e < model.equations.end_index())) continue;
        found.add(model.equations[e].left);
        found.add(model.equations[e].right);
    }
    return std::move(found.list);
}

std::vector<Expr> switched_conditions(const FlatModel& model) {
    ConditionList found(model);
    for (const Equation& e : model.equations) {
        found.add(e.left);
        found.add(e.right);
    }
    return std::move(found.list);
}

ModeModel fix_conditions(const FlatModel& model, std::span<const Expr> conditions,
                         const std::vector<bool>& truth) {
    ModeModel mode{model, {}, model.whens.size()};
    FlatModel& fixed = mode.model;
    Pool& pool = *fixed.pool;
    Fixing fixing(pool, conditions, truth);
    std::vector<std::uint32_t> order(fixed.variables.size(), 0);  // highest derivative that occurs
    const auto note = [&](Expr e) {
        for_each_leaf(e, [&](Expr leaf) {
            if (leaf->op == Op::Variable) order[leaf->index] = std::max(order[leaf->index], leaf->order);
        });
    };
    for (Equation& e : fixed.equations) {
        note(e.left);
        note(e.right);
        e.left = fixing(e.left);
        e.right = fixing(e.right);
    }
    fixed.initial_equations = {};
    fixed.derivative_starts.clear();
    fixed.homotopies.clear();
    const VariableIndex end = fixed.variables.end_index();
    for (VariableIndex v(0); v < end; ++v.value) {
        fixed.variables[v].start.reset();
        fixed.variables[v].free_parameter = fixed.variables[v].start_open = false;
        if (fixed.variables[v].variability != Variability::Continuous) continue;
        for (std::uint32_t k = 0; k < order[v.value]; ++k) {
            Variable before;
            before.name = "before " + std::to_string(k) + " " + fixed.variables[v].name;
            before.origin = fixed.variables[v].origin;
            before.variability = Variability::Discrete;
            before.binding = pool.number(0);
            before.internal = true;
            const VariableIndex b = fixed.variables.add(std::move(before));
            mode.before.push_back({b, v, k});
            Start start{pool.variable(b), fixed.variables[v].origin};
            if (k == 0)
                fixed.variables[v].start = start;
            else
                fixed.derivative_starts.push_back({v, k, start});
        }
    }
    for (std::size_t k = 0; k < conditions.size(); ++k) {
        WhenClause exit;
        exit.condition = truth[k] ? pool.negation(conditions[k]) : conditions[k];
        exit.actions.push_back(WhenTerminate{});
        fixed.whens.push_back(std::move(exit));
    }
    return mode;
}

}  // namespace cutset

#include "ir/discrete_starts.h"

#include <optional>
#include <utility>
#include <vector>

namespace cutset {

namespace {

class DiscreteStarts {
  public:
    explicit DiscreteStarts(FlatModel& model)
        : model_(model),
          pool_(*model.pool),
          given_(model.variables.size()),
          before_(*model.pool),
          constant_(*model.pool) {
        // What is the value of another before the event, m = pre(n), and what is equal to that.
        std::vector<Expr> before(model.variables.size(), nullptr);
        for (bool changed = true; changed;) {
            changed = false;
            for (const Equation& e : model.discrete_equations)
                for (const auto& [side, value] : {std::pair(e.left, e.right), std::pair(e.right, e.left)}) {
                    if (side->op != Op::Variable || before[side->index]) continue;
                    if (value->op == Op::Previous && by_equation(value)) before[side->index] = value;
                    if (value->op == Op::Variable) before[side->index] = before[value->index];
                    if (!before[side->index]) continue;
                    before_.replace(side, before[side->index]);
                    changed = true;
                }
        }
    }

    void run() {
        std::vector<bool> taken(model_.initial_equations.size());
        take_all(taken);
        bool left = false;
        for (EquationIndex i{0}; i < model_.initial_equations.end_index(); ++i.value)
            left = left || (!taken[i.value] && gives_before(model_.initial_equations[i]));
        if (left) {
            find_constants();
            take_all(taken);
        }
        // pre(m) = pre(n), of which none is given: both begin as n does.
        for (EquationIndex i{0}; i < model_.initial_equations.end_index(); ++i.value) {
            const Expr a = before_(model_.initial_equations[i].left),
                       b = before_(model_.initial_equations[i].right);
            if (taken[i.value] || a->op != Op::Previous || b->op != Op::Previous || !by_equation(a) ||
                !by_equation(b))
                continue;
            model_.variables[a->variable()].binding = model_.variables[b->variable()].binding;
            taken[i.value] = true;
        }
        keep(taken);
        for (VariableIndex i{0}; i < model_.variables.end_index(); ++i.value) settle(i);
    }

  private:
    void take_all(std::vector<bool>& taken) {
        for (bool changed = true; changed;) {
            changed = false;
            for (EquationIndex i{0}; i < model_.initial_equations.end_index(); ++i.value)
                if (!taken[i.value] && take(model_.initial_equations[i])) changed = taken[i.value] = true;
        }
    }

    // pre(m) = …, m determined by an equation.
    bool gives_before(const Equation& e) {
        for (Expr side : {before_(e.left), before_(e.right)})
            if (side->op == Op::Previous && by_equation(side)) return true;
        return false;
    }

    bool by_equation(Expr previous) const { return model_.variables[previous->variable()].by_equation; }

    bool known(Expr e) const {
        return !depends_on(e, [&](Expr leaf) {
            return leaf->op != Op::Variable ||
                   model_.variables[leaf->variable()].variability > Variability::Parameter;
        });
    }

    // Variables that an equation gives in parameters alone: height2 = ports.height.
    void find_constants() {
        std::vector<bool> found(model_.variables.size());
        for (bool changed = true; changed;) {
            changed = false;
            for (const Equation& e : model_.equations)
                for (const auto& [side, other] : {std::pair(e.left, e.right), std::pair(e.right, e.left)}) {
                    if (side->op != Op::Variable || side->order > 0 || found[side->index] || known(side))
                        continue;
                    const Expr value = constant_(other);
                    if (!known(value)) continue;
                    constant_.replace(side, value);
                    changed = found[side->index] = true;
                }
        }
    }

    // An equation that gives pre(m) of a variable that an equation determines.
    bool take(const Equation& e) {
        Substitution values(pool_);
        const auto with_given = [&](Expr side) {
            for_each_leaf(side, [&](Expr leaf) {
                if (leaf->op == Op::Previous && given_[leaf->index])
                    values.replace(leaf, model_.variables[leaf->variable()].binding);
            });
            return values(side);
        };
        for (const auto& [side, other] : {std::pair(e.left, e.right), std::pair(e.right, e.left)}) {
            const Expr to = before_(side), value = constant_(with_given(before_(other)));
            if (to->op != Op::Previous || !by_equation(to) || given_[to->index] || !known(value)) continue;
            model_.variables[to->variable()].binding = value;
            given_[to->index] = true;
            return true;
        }
        return false;
    }

    void keep(const std::vector<bool>& taken) {
        // Of what `when` sets v and pre(v) are one at the start.
        Substitution now(pool_);
        sought_.assign(model_.variables.size(), false);
        IndexedVector<EquationIndex, Equation> kept;
        for (EquationIndex i{0}; i < model_.initial_equations.end_index(); ++i.value) {
            if (taken[i.value]) continue;
            Equation e = model_.initial_equations[i];
            for (Expr* side : {&e.left, &e.right}) {
                for_each_leaf(*side, [&](Expr leaf) {
                    if (leaf->op == Op::Previous && !by_equation(leaf))
                        now.replace(leaf, pool_.variable(leaf->variable()));
                });
                *side = now(*side);
                for_each_leaf(*side, [&](Expr leaf) {
                    if (leaf->op == Op::Variable && leaf->order == 0) sought_[leaf->index] = true;
                });
            }
            kept.add(std::move(e));
        }
        model_.initial_equations = std::move(kept);
    }

    void settle(VariableIndex i) {
        Variable& v = model_.variables[i];
        if (v.variability != Variability::Discrete) return;
        const bool fixed = v.start && !v.start->only_guess;
        if (!v.free_parameter) v.start_open = sought_[i.value] && !fixed && !v.by_equation;
        if (v.free_parameter && v.start) v.binding = v.start->value;  // where the search begins
        v.start.reset();
        if (v.binding) return;
        v.binding = pool_.number(first_value(v));
    }

    FlatModel& model_;
    Pool& pool_;
    std::vector<bool> given_, sought_;
    Substitution before_, constant_;
};

}  // namespace

void settle_discrete(FlatModel& model) {
    if (!model.clock_operators.empty()) return;  // after lower_clocks, as separate_discrete
    DiscreteStarts(model).run();
}

double first_value(const Variable& v) {
    if (v.free_parameter) return v.nominal.value_or(1);
    return v.type == ValueType::Enumeration ? 1 : 0;
}

}  // namespace cutset

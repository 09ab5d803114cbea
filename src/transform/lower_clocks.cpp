#include "transform/lower_clocks.h"

#include <map>
#include <optional>
#include <span>
#include <utility>

#include "graph/bipartite.h"
#include "graph/matching.h"
#include "ir/discrete_equations.h"
#include "ir/discrete_starts.h"
#include "ir/impure_calls.h"
#include "transform/clock_messages.h"
#include "transform/clock_partitions.h"
#include "transform/discretize_clocked.h"

namespace cutset {

namespace {

using ClockKind = ClockOperator::Kind;

class ClockLowering {
  public:
    ClockLowering(FlatModel& model, Diagnostics& diagnostics)
        : model_(model), pool_(*model.pool), diagnostics_(diagnostics), partitions_(model, diagnostics) {}

    void run() {
        const std::vector<ClockPartition> found = partitions_.find();
        std::vector<bool> taken(model_.equations.size()), taken_initial(model_.initial_equations.size());
        for (const ClockPartition& p : found) {
            for (EquationIndex e : p.equations) taken[e.value] = true;
            for (EquationIndex e : p.initial_equations) taken_initial[e.value] = true;
            make_discrete(p);
        }
        for (const ClockPartition& p : found) make_body(p);
        model_.clock_operators.clear();
        model_.asked_before.clear();
        remove_equations(model_, taken);
        for (const auto& [base, watched] : watched_) {
            const Expr holds = pool_.choose(watched.condition, pool_.number(1), pool_.number(0));
            model_.equations.add(
                {pool_.variable(watched.variable), holds, model_.variables[watched.variable].origin});
        }
        remove_initial(taken_initial);
    }

  private:
    // What the ticks of a partition are made of, while its body is written.
    struct Body {
        const ClockPartition& partition;
        ClockedEquations made;
        std::optional<VariableIndex> count, last;  // ticks so far, at most 2; the time of the tick, on demand
    };

    void make_discrete(const ClockPartition& p) {
        for (VariableIndex v : p.unknowns) {
            Variable& variable = model_.variables[v];
            variable.variability = Variability::Discrete;
            if (variable.start)
                variable.binding = variable.start->value;
            else if (!variable.binding)
                variable.binding = pool_.number(variable.type == ValueType::Enumeration ? 1 : 0);
            variable.start.reset();
        }
    }
    void remove_initial(const std::vector<bool>& taken) {
        IndexedVector<EquationIndex, Equation> kept;
        for (EquationIndex e(0); e < model_.initial_equations.end_index(); ++e.value)
            if (!taken[e.value]) kept.add(std::move(model_.initial_equations[e]));
        model_.initial_equations = std::move(kept);
    }

    // ---- when the partition ticks

    Expr base(const ClockPartition& p) const { return model_.equations[p.base->equation].right; }
    Expr multiple(Expr period, const Fraction& f) {
        return pool_.divide(pool_.multiply(pool_.number(double(f.numerator)), period),
                            pool_.number(double(f.denominator)));
    }
    Expr tick(const ClockPartition& p) {
        if (p.base->kind == ClockKind::Event) return watched(p);
        const Expr both[2] = {multiple(base(p), p.rate.begin), multiple(base(p), p.rate.interval)};
        return pool_.call(Op::Sample, both);
    }
    // A clock of events ticks after its condition has become true: what it does may make the condition false
    // again. Also where it holds from the start.
    Expr watched(const ClockPartition& p) {
        const auto [found, is_new] = watched_.try_emplace(p.base->equation);
        if (is_new) {
            Variable v;
            v.name = "clock condition";
            v.origin = model_.equations[p.base->equation].origin;
            v.type = ValueType::Boolean;
            v.typed = v.internal = true;
            found->second = {model_.variables.add(std::move(v)), base(p)};
        }
        return pool_.less(pool_.number(0.5), pool_.previous(found->second.variable));
    }
    // Of the ticks of a clock of events those that count: begin, begin + interval … None: all.
    Expr guard(const ClockPartition& p) {
        if (p.base->kind != ClockKind::Event || p.rate == ClockRate{}) return nullptr;
        const Expr since = pool_.subtract(pool_.previous(partitions_.result(*p.base)),
                                          pool_.number(double(p.rate.begin.numerator)));
        const Expr both[2] = {since, pool_.number(double(p.rate.interval.numerator))};
        const Expr conditions[2] = {pool_.less(pool_.number(-0.5), since),
                                    pool_.less(pool_.call(Op::Modulo, both), pool_.number(0.5))};
        return pool_.all_of(conditions);
    }
    Expr first_tick(Body& b) {
        if (!b.count) b.count = helper(b, "ticks", pool_.number(0));
        return pool_.less(pool_.variable(*b.count), pool_.number(1.5));
    }
    Expr interval(Body& b) {
        if (b.partition.base->kind == ClockKind::Periodic)
            return multiple(base(b.partition), b.partition.rate.interval);
        if (!b.last) b.last = helper(b, "time of the last tick", pool_.number(0));
        const Expr start =
            b.partition.base->start_interval ? b.partition.base->start_interval : pool_.number(0);
        return pool_.choose(first_tick(b), start,
                            pool_.subtract(pool_.variable(*b.last), pool_.previous(*b.last)));
    }
    VariableIndex helper(const Body& b, const char* name, Expr start) {
        Variable v;
        v.name = name;
        v.origin = model_.equations[b.partition.base->equation].origin;
        v.internal = true;
        v.variability = Variability::Discrete;
        v.binding = start;
        return model_.variables.add(std::move(v));
    }

    // ---- bodies

    void make_body(const ClockPartition& p) {
        Body b{p, {}, {}, {}};
        b.made.unknowns = p.unknowns;
        for (const EquationIndex e : p.equations) {
            const ClockOperator* op = partitions_.operator_of(e);
            b.made.add(op ? operation(b, *op) : model_.equations[e], op && op->kind != ClockKind::Member);
        }
        std::vector<Equation> initial;
        for (const EquationIndex e : p.initial_equations) initial.push_back(model_.initial_equations[e]);
        if (p.solver() != ClockSolver::None) {
            const Expr step = interval(b), first = first_tick(b);
            discretize(model_, p.solver(), step, first, std::move(initial), b.made, diagnostics_);
        } else {
            take_starts(model_, initial, diagnostics_);
        }
        WhenClause when;
        when.condition = tick(p);
        when.origin = model_.equations[p.base->equation].origin;
        assign(b.made, when);
        add_helpers(b, when);
        if (const Expr counts = guard(p))
            for (WhenAction& action : when.actions) std::get<WhenAssign>(action).guard = counts;
        model_.whens.push_back(std::move(when));
    }

    // What an operator says of its result at a tick.
    Equation operation(Body& b, const ClockOperator& op) {
        Equation e = model_.equations[op.equation];
        switch (op.kind) {
            case ClockKind::Sample: {
                Substitution before(pool_);
                for_each_leaf(e.right, [&](Expr leaf) {
                    if (leaf->op == Op::Variable &&
                        model_.variables[leaf->variable()].variability >= Variability::Discrete)
                        before.replace(leaf, pool_.previous(leaf->variable()));
                });
                if (!before.empty()) e.right = before(e.right);
                break;
            }
            case ClockKind::Periodic:
            case ClockKind::Inferred:
                e.right = pool_.number(1);
                break;
            case ClockKind::Event:
                e.right = pool_.add(pool_.previous(e.left->variable()), pool_.number(1));
                break;
            case ClockKind::Interval:
                e.right = interval(b);
                break;
            case ClockKind::FirstTick:
                e.right = first_tick(b);
                break;
            default:
                break;
        }
        return e;
    }

    // Each equation determines one variable.
    void assign(const ClockedEquations& made, WhenClause& when) {
        std::map<VariableIndex, std::uint32_t> column;
        for (std::uint32_t k = 0; k < made.unknowns.size(); ++k) column[made.unknowns[k]] = k;
        graph::BipartiteBuilder builder(made.unknowns.size());
        std::vector<std::uint32_t> columns;
        for (const Equation& e : made.equations) {
            columns.clear();
            for (Expr side : {e.left, e.right})
                for_each_leaf(side, [&](Expr leaf) {
                    if (leaf->op != Op::Variable) return;
                    if (const auto k = column.find(leaf->variable()); k != column.end())
                        columns.push_back(k->second);
                });
            builder.add_equation(columns);
        }
        const graph::Matching matching = graph::maximum_matching(std::move(builder).finish());
        for (std::uint32_t e = 0; e < made.equations.size(); ++e) {
            const std::uint32_t k = matching.variable_of_equation[e];
            if (k == graph::unmatched)
                diagnostics_.report(clock_messages::too_many(model_, made.equations[e]));
            else
                when.actions.push_back(action(made.equations[e], made.unknowns[k]));
        }
        for (std::uint32_t k = 0; k < made.unknowns.size(); ++k)
            if (matching.equation_of_variable[k] == graph::unmatched)
                diagnostics_.report(clock_messages::too_few(model_, made.unknowns[k]));
    }
    void add_helpers(const Body& b, WhenClause& when) {
        if (b.count) {
            const Expr both[2] = {pool_.number(2), pool_.add(pool_.previous(*b.count), pool_.number(1))};
            when.actions.push_back(WhenAssign{*b.count, pool_.call(Op::Min, both), when.origin});
        }
        if (b.last) when.actions.push_back(WhenAssign{*b.last, pool_.time(), when.origin});
    }

    WhenAssign action(const Equation& e, VariableIndex v) {
        const Expr leaf = pool_.variable(v);
        for (const auto& [side, other] : {std::pair(e.left, e.right), std::pair(e.right, e.left)})
            if (side == leaf && !contains(other, leaf)) return {v, other, e.origin};
        const Expr residual = pool_.subtract(e.left, e.right);
        if (const auto linear = as_linear(pool_, residual, leaf);
            linear && linear->coefficient->is_number() && linear->coefficient->number != 0)
            return {v, pool_.divide(pool_.negate(linear->rest), linear->coefficient), e.origin};
        return {v, residual, e.origin, nullptr, true};
    }

    FlatModel& model_;
    Pool& pool_;
    Diagnostics& diagnostics_;
    ClockPartitions partitions_;
    struct Watched {
        VariableIndex variable;
        Expr condition;
    };
    std::map<EquationIndex, Watched> watched_;  // conditions of clocks of events
};

}  // namespace

void lower_clocks(FlatModel& model, Diagnostics& diagnostics) {
    if (model.clock_operators.empty() && model.asked_before.empty()) return;
    ClockLowering(model, diagnostics).run();
    separate_discrete(model);
    settle_discrete(model);
    date_impure_calls(model);
}

}  // namespace cutset

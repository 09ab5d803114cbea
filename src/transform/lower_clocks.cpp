#include "transform/lower_clocks.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "graph/bipartite.h"
#include "graph/matching.h"
#include "ir/discrete_equations.h"
#include "transform/clock_messages.h"

namespace cutset {

namespace {

using ClockKind = ClockOperator::Kind;

struct Fraction {
    std::int64_t numerator = 0, denominator = 1;
    bool operator==(const Fraction&) const = default;
    double value() const { return double(numerator) / double(denominator); }
    bool in_range() const { return std::abs(numerator) < 1'000'000'000 && denominator < 1'000'000'000; }
};
Fraction fraction(std::int64_t n, std::int64_t d) {
    const std::int64_t common = std::max<std::int64_t>(1, std::gcd(n, d));
    return {n / common, d / common};
}
Fraction times(const Fraction& a, const Fraction& b) {
    return fraction(a.numerator * b.numerator, a.denominator * b.denominator);
}
Fraction plus(const Fraction& a, const Fraction& b) {
    return fraction(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

// Ticks at base*(begin + k*interval).
struct Rate {
    Fraction interval{1, 1}, begin;
    bool operator==(const Rate&) const = default;
};

// The rate of the result of a ratio operator, or backwards that of its argument.
Rate through(const ClockOperator& op, Rate rate, bool backwards) {
    const Fraction factor{std::int64_t(op.factor), 1}, part{1, std::int64_t(op.factor)};
    const auto shift = [&](std::int64_t sign) {
        rate.begin =
            plus(rate.begin,
                 times(rate.interval, fraction(sign * std::int64_t(op.factor), std::int64_t(op.resolution))));
    };
    switch (op.kind) {
        case ClockKind::SubSample:
            rate.interval = times(rate.interval, backwards ? part : factor);
            break;
        case ClockKind::SuperSample:
            rate.interval = times(rate.interval, backwards ? factor : part);
            break;
        case ClockKind::Shift:
            shift(backwards ? -1 : 1);
            break;
        case ClockKind::Back:
            shift(backwards ? 1 : -1);
            break;
        default:
            break;
    }
    return rate;
}

bool is_ratio(ClockKind kind) {
    return kind == ClockKind::SubSample || kind == ClockKind::SuperSample || kind == ClockKind::Shift ||
           kind == ClockKind::Back;
}
// The argument is of another partition.
bool parts(ClockKind kind) {
    return is_ratio(kind) || kind == ClockKind::Sample || kind == ClockKind::Hold ||
           kind == ClockKind::NoClock;
}

constexpr std::uint32_t no_unknown = 0xFFFFFFFFu;

class ClockLowering {
  public:
    ClockLowering(FlatModel& model, Diagnostics& diagnostics)
        : model_(model), pool_(*model.pool), diagnostics_(diagnostics), up_(model.variables.size()) {
        std::iota(up_.begin(), up_.end(), 0u);
    }

    void run() {
        list_operators();
        join_variables();
        find_clocked();
        if (!find_rates()) return;
        make_discrete();
        for (const std::uint32_t root : clocked_) make_body(root);
        model_.clock_operators.clear();
        remove_equations(model_, taken_);
    }

  private:
    struct Partition {
        bool clocked = false;
        const ClockOperator* definition = nullptr;  // a clock with a period or a condition of its own
        std::vector<std::pair<const ClockOperator*, bool>> ratios;  // to neighbours; whether from the result
        const ClockOperator* base = nullptr;
        Rate rate;
        std::vector<EquationIndex> equations;
        std::optional<VariableIndex> count, last;  // ticks so far; the time of the tick, on demand
    };

    // ---- partitions

    bool is_unknown(VariableIndex v) const {
        return model_.variables[v].variability == Variability::Continuous;
    }
    std::uint32_t root(std::uint32_t v) {
        while (up_[v] != v) v = up_[v] = up_[up_[v]];
        return v;
    }
    void join(std::uint32_t a, std::uint32_t b) {
        up_[std::max(root(a), root(b))] = std::min(root(a), root(b));
    }
    // Joins the unknowns of an expression with each other; one of them.
    std::uint32_t join_leaves(Expr e, std::uint32_t with = no_unknown) {
        for_each_leaf(e, [&](Expr leaf) {
            if ((leaf->op != Op::Variable && leaf->op != Op::Previous) || !is_unknown(leaf->variable()))
                return;
            if (with != no_unknown) join(with, leaf->index);
            with = leaf->index;
        });
        return with;
    }
    VariableIndex result(const ClockOperator& op) const {
        return model_.equations[op.equation].left->variable();
    }
    // An unknown of the argument, if it has any.
    std::uint32_t argument(const ClockOperator& op) {
        return join_leaves(model_.equations[op.equation].right);
    }

    void list_operators() {
        operator_of_.assign(model_.equations.size(), nullptr);
        taken_.assign(model_.equations.size(), false);
        for (const ClockOperator& op : model_.clock_operators) {
            CUTSET_ASSERT(model_.equations[op.equation].left->op == Op::Variable);
            operator_of_[op.equation.value] = &op;
        }
    }
    void join_variables() {
        for (EquationIndex e(0); e < model_.equations.end_index(); ++e.value) {
            const ClockOperator* op = operator_of_[e.value];
            if (!op) {
                join_leaves(model_.equations[e].right, join_leaves(model_.equations[e].left));
                continue;
            }
            const std::uint32_t of = argument(*op);
            if (op->clock) join(result(*op).value, op->clock->value);
            if (!parts(op->kind) && op->kind != ClockKind::Event && of != no_unknown)
                join(result(*op).value, of);
        }
    }
    void set_clocked(std::uint32_t v) {
        if (v == no_unknown) return;
        Partition& p = partitions_[root(v)];
        if (!p.clocked) clocked_.push_back(root(v));
        p.clocked = true;
    }
    void find_clocked() {
        for (const ClockOperator& op : model_.clock_operators) {
            if (op.kind != ClockKind::Hold) set_clocked(result(op).value);
            if (op.kind == ClockKind::Hold || is_ratio(op.kind)) set_clocked(argument(op));
            if (is_ratio(op.kind) && argument(op) != no_unknown) {
                partitions_[root(argument(op))].ratios.emplace_back(&op, false);
                partitions_[root(result(op).value)].ratios.emplace_back(&op, true);
            }
            if (op.kind == ClockKind::Periodic || op.kind == ClockKind::Event) definitions_.push_back(&op);
        }
        std::sort(clocked_.begin(), clocked_.end());
        for (EquationIndex e(0); e < model_.equations.end_index(); ++e.value) {
            const ClockOperator* op = operator_of_[e.value];
            if (op && op->kind == ClockKind::Hold) continue;
            const std::uint32_t of =
                op ? result(*op).value
                   : join_leaves(model_.equations[e].right, join_leaves(model_.equations[e].left));
            if (of == no_unknown) continue;
            const auto found = partitions_.find(root(of));
            if (found == partitions_.end() || !found->second.clocked) continue;
            found->second.equations.push_back(e);
            taken_[e.value] = true;
        }
    }

    // ---- rates

    // From each clock of its own along the ratios.
    bool find_rates() {
        const std::size_t before = diagnostics_.error_count();
        for (const ClockOperator* definition : definitions_) {
            const std::uint32_t at = root(result(*definition).value);
            std::vector<std::uint32_t> open;
            const auto reach = [&](std::uint32_t to, const Rate& rate, Span where) {
                Partition& p = partitions_[to];
                if (!p.base) {
                    p.base = definition;
                    p.rate = rate;
                    open.push_back(to);
                } else if (!agree(p, *definition, rate)) {
                    diagnostics_.report(clock_messages::do_not_fit(
                        model_, where, model_.equations[p.base->equation].origin.where));
                }
            };
            const Span where = model_.equations[definition->equation].origin.where;
            if (partitions_[at].base) {
                if (!agree(partitions_[at], *definition, Rate{}))
                    diagnostics_.report(clock_messages::do_not_fit(
                        model_, where, model_.equations[partitions_[at].base->equation].origin.where));
                continue;
            }
            reach(at, Rate{}, where);
            while (!open.empty() && diagnostics_.error_count() == before) {
                const std::uint32_t from = open.back();
                open.pop_back();
                for (const auto& [op, backwards] : partitions_[from].ratios) {
                    const Rate next = through(*op, partitions_[from].rate, backwards);
                    const Span place = model_.equations[op->equation].origin.where;
                    if (!next.interval.in_range() || !next.begin.in_range())
                        diagnostics_.report(clock_messages::ratio_too_large(place));
                    else
                        reach(root(backwards ? argument(*op) : result(*op).value), next, place);
                }
            }
        }
        for (const std::uint32_t r : clocked_) check(partitions_[r], VariableIndex(r));
        return diagnostics_.error_count() == before;
    }
    // Whether a partition that has a clock has the same one by this definition too.
    bool agree(const Partition& p, const ClockOperator& definition, const Rate& rate) const {
        const Expr period = model_.equations[p.base->equation].right,
                   other = model_.equations[definition.equation].right;
        if (p.base->kind != definition.kind) return false;
        if (period == other) return p.rate == rate;
        if (definition.kind == ClockKind::Event || !period->is_number() || !other->is_number()) return false;
        const auto same = [](double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); };
        return same(period->number * p.rate.interval.value(), other->number * rate.interval.value()) &&
               same(period->number * p.rate.begin.value() + 1, other->number * rate.begin.value() + 1);
    }
    void check(const Partition& p, VariableIndex member) {
        if (!p.base)
            diagnostics_.report(clock_messages::no_clock(model_, member));
        else if (p.rate.begin.numerator < 0)
            diagnostics_.report(clock_messages::before_start(model_, member));
        else if (p.base->kind == ClockKind::Event && p.rate != Rate{})
            diagnostics_.report(clock_messages::ratio_of_events(
                model_, member, model_.equations[p.base->equation].origin.where));
        for (const EquationIndex e : p.equations)
            for (Expr side : {model_.equations[e].left, model_.equations[e].right})
                for_each_leaf(side, [&](Expr leaf) {
                    if (leaf->op == Op::Variable && leaf->order > 0)
                        diagnostics_.report(
                            clock_messages::derivative(model_, leaf->variable(), model_.equations[e].origin));
                });
    }

    Expr multiple(Expr period, const Fraction& f) {
        return pool_.divide(pool_.multiply(pool_.number(double(f.numerator)), period),
                            pool_.number(double(f.denominator)));
    }
    Expr tick(const Partition& p) {
        const Expr of = model_.equations[p.base->equation].right;
        if (p.base->kind == ClockKind::Event) return of;
        const Expr both[2] = {multiple(of, p.rate.begin), multiple(of, p.rate.interval)};
        return pool_.call(Op::Sample, both);
    }

    // ---- bodies

    void make_discrete() {
        for (VariableIndex v(0); v < model_.variables.end_index(); ++v.value) {
            if (v.value >= up_.size() || !is_unknown(v)) continue;
            const auto found = partitions_.find(root(v.value));
            if (found == partitions_.end() || !found->second.clocked) continue;
            Variable& variable = model_.variables[v];
            column_[v] = 0;
            variable.variability = Variability::Discrete;
            variable.binding = variable.start ? variable.start->value : pool_.number(0);
            variable.start.reset();
            members_[root(v.value)].push_back(v);
        }
    }

    void make_body(std::uint32_t of) {
        Partition& p = partitions_[of];
        const std::vector<VariableIndex>& unknowns = members_[of];
        for (std::uint32_t k = 0; k < unknowns.size(); ++k) column_[unknowns[k]] = k;
        std::vector<Equation> equations;
        for (const EquationIndex e : p.equations) equations.push_back(body_equation(p, e));
        graph::BipartiteBuilder builder(unknowns.size());
        std::vector<std::uint32_t> columns;
        for (const Equation& e : equations) {
            columns.clear();
            for (Expr side : {e.left, e.right})
                for_each_leaf(side, [&](Expr leaf) {
                    if (leaf->op != Op::Variable) return;
                    if (const auto k = column_.find(leaf->variable()); k != column_.end() && is_of(leaf, of))
                        columns.push_back(k->second);
                });
            builder.add_equation(columns);
        }
        const graph::Matching matching = graph::maximum_matching(std::move(builder).finish());
        WhenClause when;
        when.condition = tick(p);
        when.origin = model_.equations[p.base->equation].origin;
        for (std::uint32_t e = 0; e < equations.size(); ++e) {
            const std::uint32_t k = matching.variable_of_equation[e];
            if (k == graph::unmatched)
                diagnostics_.report(clock_messages::too_many(model_, equations[e]));
            else
                when.actions.push_back(action(equations[e], unknowns[k]));
        }
        for (std::uint32_t k = 0; k < unknowns.size(); ++k)
            if (matching.equation_of_variable[k] == graph::unmatched)
                diagnostics_.report(clock_messages::too_few(model_, unknowns[k]));
        add_helpers(p, when);
        model_.whens.push_back(std::move(when));
    }
    bool is_of(Expr leaf, std::uint32_t partition) {
        return leaf->index < up_.size() && root(leaf->index) == partition;
    }

    // What an operator says of its result at a tick.
    Equation body_equation(Partition& p, EquationIndex index) {
        Equation e = model_.equations[index];
        const ClockOperator* op = operator_of_[index.value];
        if (!op) return e;
        switch (op->kind) {
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
            case ClockKind::Event:
                e.right = pool_.add(pool_.previous(e.left->variable()), pool_.number(1));
                break;
            case ClockKind::Interval:
                if (p.base->kind == ClockKind::Periodic) {
                    e.right = multiple(model_.equations[p.base->equation].right, p.rate.interval);
                } else {
                    if (!p.last) p.last = helper(p, "time of the last tick");
                    e.right = pool_.subtract(pool_.variable(*p.last), pool_.previous(*p.last));
                }
                break;
            case ClockKind::FirstTick:
                if (!p.count) p.count = helper(p, "ticks");
                e.right = pool_.less(pool_.variable(*p.count), pool_.number(1.5));
                break;
            default:
                break;
        }
        return e;
    }
    VariableIndex helper(const Partition& p, const char* name) {
        Variable v;
        v.name = name;
        v.origin = model_.equations[p.base->equation].origin;
        v.internal = true;
        v.variability = Variability::Discrete;
        v.binding = pool_.number(0);
        return model_.variables.add(std::move(v));
    }
    void add_helpers(const Partition& p, WhenClause& when) {
        if (p.count)
            when.actions.push_back(
                WhenAssign{*p.count, pool_.add(pool_.previous(*p.count), pool_.number(1)), when.origin});
        if (p.last) when.actions.push_back(WhenAssign{*p.last, pool_.time(), when.origin});
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
    std::vector<std::uint32_t> up_;                  // by variable: union-find
    std::vector<const ClockOperator*> operator_of_;  // by equation
    std::vector<bool> taken_;                        // equations that have gone into bodies
    std::map<std::uint32_t, Partition> partitions_;  // by root, of those that operators have to do with
    std::vector<std::uint32_t> clocked_;             // roots, in order
    std::vector<const ClockOperator*> definitions_;
    std::map<std::uint32_t, std::vector<VariableIndex>> members_;  // unknowns, by root
    std::map<VariableIndex, std::uint32_t> column_;                // of members, within their partition
};

}  // namespace

void lower_clocks(FlatModel& model, Diagnostics& diagnostics) {
    if (model.clock_operators.empty()) return;
    ClockLowering(model, diagnostics).run();
    separate_discrete(model);
}

}  // namespace cutset

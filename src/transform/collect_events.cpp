#include "transform/collect_events.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "transform/continuous_sign.h"
#include "transform/messages.h"
#include "transform/table_pieces.h"

namespace cutset::passes {
namespace {

class Collector {
  public:
    Collector(Analysis& a, Diagnostics& diagnostics) : a_(a), diagnostics_(diagnostics) {}

    // Arguments come before what uses them, so that a relation inside another one is listed first.
    void collect(Expr root, const Origin& origin) {
        stack_.push_back({root, false});
        while (!stack_.empty()) {
            auto [e, left] = stack_.back();
            stack_.pop_back();
            if (left) {
                take(e, origin);
                continue;
            }
            if (e->argument_count == 0 || e->op == Op::NoEvent) {
                if (e->op == Op::NoEvent) without_events(e, origin);
                continue;
            }
            if (e->id >= seen_.size()) seen_.resize(std::max<std::size_t>(e->id + 1, a_.pool().size()));
            if (seen_[e->id]) continue;
            seen_[e->id] = true;
            stack_.push_back({e, true});
            for (std::size_t i = e->argument_count; i-- > 0;) stack_.push_back({e->arg(i), false});
        }
    }
    void collect_validity(const Validity& v) {
        in_validity_ = true;
        collect(v.condition, v.origin);
        in_validity_ = false;
    }
    // Of a discrete equation: it is computed before the continuous ones, so that every relation of theirs in
    // it has a value of its own. To be collected first.
    void collect_discrete(const Equation& e) {
        in_discrete_ = true;
        collect(e.left, e.origin);
        collect(e.right, e.origin);
        in_discrete_ = false;
    }
    // Only clocks and delays count here.
    void without_events(Expr root, const Origin& origin) {
        for_each_node(root, [&](Expr e) {
            if (e->op != Op::Sample && e->op != Op::Delay) return;
            if (e->id >= seen_.size()) seen_.resize(std::max<std::size_t>(e->id + 1, a_.pool().size()));
            if (seen_[e->id]) return;
            seen_[e->id] = true;
            take(e, origin);
        });
    }

  private:
    void take(Expr e, const Origin& origin) {
        Pool& pool = a_.pool();
        Partition& partition = a_.partition;
        switch (e->op) {
            case Op::Less:
            case Op::LessEqual:
            case Op::Equal:
            case Op::NotEqual: {
                if (a_.variation_of(e) != Variation::Varying || e->arg(0)->boolean) return;
                if (follows_others(e)) return;
                const auto known = kinks_.find(e);  // of abs(x), say, and x < 0 is written as well
                if (known == kinks_.end())
                    partition.switches.push_back(
                        {.node = e, .crossing = pool.subtract(e->arg(0), e->arg(1)), .origin = origin});
                Switch& s =
                    known == kinks_.end() ? partition.switches.back() : partition.switches[known->second];
                s.kink = false;
                s.instant = instant(s.crossing);
                if (!s.instant && (e->op == Op::Less || e->op == Op::LessEqual))
                    s.rate = state_rate(s.crossing);
                return;
            }
            case Op::Abs:
                kink(pool.less(e->arg(0), pool.number(0)), origin);
                return;
            case Op::Min:
            case Op::Max:
                kink(pool.less(e->arg(0), e->arg(1)), origin);
                return;
            case Op::Sign: {
                if (a_.variation_of(e) != Variation::Varying || follows_others(e)) return;
                if (!in_discrete_ && is_continuous(e)) {
                    kink(pool.less(e->arg(0), pool.number(0)), origin);
                    return;
                }
                Switch s{.node = e, .crossing = e->arg(0), .origin = origin};
                s.instant = instant(s.crossing);
                if (!s.instant) s.rate = rate(s.crossing);
                partition.switches.push_back(s);
                return;
            }
            case Op::Apply:
                if (e->derivatives == 0) table_kinks(e, origin);
                return;
            case Op::Truncate:
            case Op::Floor:
                if (a_.variation_of(e) != Variation::Varying || follows_others(e)) return;
                partition.switches.push_back({.node = e, .crossing = e->arg(0), .origin = origin});
                return;
            case Op::Sample:
                check_clock(e, origin);
                partition.clocks.push_back({e, e->arg(0), e->arg(1)});
                return;
            case Op::Delay:
                partition.delays.push_back({e, e->arg(0), e->arg(1), origin});
                return;
            default:
                return;
        }
    }

    // The instants of a clock are known from the start on.
    void check_clock(Expr clock, const Origin& origin) {
        const auto varies = [&](Expr leaf) {
            if (leaf->op != Op::Variable) return a_.variation_of(leaf) == Variation::Varying;
            const Variable& v = a_.model().variables[leaf->variable()];
            return v.variability > Variability::Parameter && !v.free_parameter;
        };
        for (Expr leaf : a_.leaves({clock->arg(0), clock->arg(1)}))
            if (varies(leaf)) return diagnostics_.report(varying_clock(a_, clock, leaf, origin));
    }

    // Whether a relation, int or sign needs no value of its own, because its arguments change at events only.
    bool follows_others(Expr e) {
        return !in_discrete_ && std::all_of(e->args().begin(), e->args().end(),
                                            [&](Expr x) { return changes_at_events_only(x); });
    }

    // Whether this sign stands in products only that are continuous where it changes.
    bool is_continuous(Expr sign) {
        if (!continuous_) {
            std::vector<Expr> all;
            const FlatModel& model = a_.model();
            for (EquationIndex i(0); i < model.equations.end_index(); ++i.value)
                if (a_.live[i.value])
                    for (Expr side : {model.equations[i].left, model.equations[i].right}) all.push_back(side);
            for (const WhenClause& when : model.whens) all.push_back(when.condition);
            for (const Validity& v : model.validities) all.push_back(v.condition);
            continuous_ = continuous_signs(a_.pool(), all);
        }
        return std::binary_search(continuous_->begin(), continuous_->end(), sign,
                                  [](Expr a, Expr b) { return a->id < b->id; });
    }

    // Whether e is made of parameters, discrete variables and what switches: it changes where those do, at
    // events. A relation of such things needs no zero crossing of its own; its value follows theirs.
    bool changes_at_events_only(Expr root) {
        std::vector<std::pair<Expr, bool>> open{{root, false}};
        while (!open.empty()) {
            auto [e, left] = open.back();
            open.pop_back();
            if (e->id >= stepwise_.size())
                stepwise_.resize(std::max<std::size_t>(e->id + 1, a_.pool().size()), Stepwise::Unknown);
            if (stepwise_[e->id] != Stepwise::Unknown && !left) continue;
            const auto known = judge(e);
            if (known) {
                stepwise_[e->id] = *known ? Stepwise::Yes : Stepwise::No;
                continue;
            }
            const auto parts = parts_of(e);
            if (!left) {
                stepwise_[e->id] = Stepwise::No;  // also where it depends on itself
                open.push_back({e, true});
                for (Expr part : parts) open.push_back({part, false});
                continue;
            }
            const bool all = std::all_of(parts.begin(), parts.end(),
                                         [&](Expr part) { return stepwise_[part->id] == Stepwise::Yes; });
            stepwise_[e->id] = all ? Stepwise::Yes : Stepwise::No;
        }
        return stepwise_[root->id] == Stepwise::Yes;
    }
    // Of what needs no look at its parts.
    std::optional<bool> judge(Expr e) {
        if (a_.variation_of(e) != Variation::Varying) return true;
        switch (e->op) {
            case Op::Variable:
                find_assigned();
                if (e->order > 0 || !assigned_.contains(e->variable())) return false;
                return std::nullopt;
            case Op::Time:
            case Op::Delay:
            case Op::NoEvent:
                return false;
            case Op::Less:
            case Op::LessEqual:
            case Op::Sign:
            case Op::Truncate:
            case Op::Floor:
                return true;  // it switches, or follows what does
            default:
                return std::nullopt;
        }
    }
    std::vector<Expr> parts_of(Expr e) {
        if (e->op == Op::Variable) return {assigned_.at(e->variable())};
        return {e->args().begin(), e->args().end()};
    }
    void find_assigned() {
        if (!assigned_.empty()) return;
        for (const Block& block : a_.partition.blocks)
            if (block.kind == BlockKind::Explicit && !block.symbolic && block.inner.size() == 1 &&
                block.inner[0].unknown.order == 0)
                assigned_.emplace(block.inner[0].unknown.variable, block.inner[0].value);
    }

    // de/dt by states and their derivatives; what explicit assignments compute is replaced by what it is
    // computed from. Nothing when other unknowns remain.
    Expr rate(Expr e) {
        find_assigned();
        constexpr int deepest = 10;
        for (int depth = 0; depth < deepest; ++depth) {
            Substitution substitution(a_.pool());
            for (Expr leaf : a_.leaves({e}, true)) {
                if (leaf->order > 0) return nullptr;
                if (const auto found = assigned_.find(leaf->variable()); found != assigned_.end())
                    substitution.replace(leaf, found->second);
            }
            if (substitution.empty()) break;
            e = substitution(e);
        }
        return state_rate(e);
    }

    // The same of an expression of states and time only.
    Expr state_rate(Expr e) {
        if (is_state_.empty()) {
            is_state_.resize(a_.model().variables.size());
            for (VariableIndex v : a_.partition.states) is_state_[v.value] = true;
        }
        bool delayed = false;  // the rate of the past is not recorded
        for_each_node(e, [&](Expr n) { delayed = delayed || n->op == Op::Delay; });
        if (delayed) return nullptr;
        for (Expr leaf : a_.leaves({e}, true))
            if (leaf->order > 0 || (a_.variation_of(leaf) == Variation::Varying && !is_state_[leaf->index]))
                return nullptr;
        return time_derivative(a_.pool(), e, [&](VariableIndex v) { return bool(is_state_[v.value]); });
    }

    // A table of straight lines bends at its breakpoints. Tables of time are left out, since no step passes a
    // breakpoint of theirs.
    void table_kinks(Expr e, const Origin& origin) {
        const auto* table = std::get_if<TableData>(&a_.model().callees[e->callee()]);
        if (!table || table->interpolation != Interpolation::Linear) return;
        if (table->y.empty()) {
            bends(e->arg(0), bends_of(*table), origin);
            return;
        }
        const bool held = table->outside == Outside::Hold;
        const std::vector<double> lines[2] = {table->x, table->y};
        for (std::size_t k = 0; k < 2; ++k) {
            if (lines[k].size() < 2 || lines[k].size() > most_bending_points) continue;
            const auto first = lines[k].begin() + !held, last = lines[k].end() - !held;
            bends(e->arg(k), {first, last}, origin);
        }
    }

    // Bends where `argument` passes one of `points`, which rise.
    void bends(Expr argument, const std::vector<double>& points, const Origin& origin) {
        constexpr std::size_t most = 10000;
        if (argument->op == Op::Time || a_.variation_of(argument) != Variation::Varying || in_validity_)
            return;
        if (points.empty() || points.size() > most) return;
        Pool& pool = a_.pool();
        const bool timed = instant(pool.subtract(argument, pool.number(points[0]))) != nullptr;
        if (points.size() <= most_single_bends || timed) {
            for (double x : points) kink(pool.less(argument, pool.number(x)), origin);
            return;
        }
        const Expr number = piece_number(a_, argument, points, origin);
        a_.partition.switches.push_back(
            {.node = number, .crossing = number->arg(0), .origin = origin, .kink = true});
    }

    // Where a continuous function bends. In a validity only the outer relations are watched.
    void kink(Expr relation, const Origin& origin) {
        if (in_validity_ || relation->op != Op::Less || a_.variation_of(relation) != Variation::Varying)
            return;
        if ((relation->id < seen_.size() && seen_[relation->id]) || kinks_.contains(relation)) return;
        if (changes_at_events_only(relation->arg(0)) && changes_at_events_only(relation->arg(1))) return;
        Switch s{.node = relation,
                 .crossing = a_.pool().subtract(relation->arg(0), relation->arg(1)),
                 .origin = origin,
                 .kink = true};
        s.instant = instant(s.crossing);
        kinks_.emplace(relation, a_.partition.switches.size());
        a_.partition.switches.push_back(s);
    }

    // crossing = a*time + b, with a and b constant between events and a ≠ 0 for certain: at -b/a.
    Expr instant(Expr crossing) {
        for (Expr leaf : a_.leaves({crossing}))
            if (a_.variation_of(leaf) == Variation::Varying) return nullptr;
        Pool& pool = a_.pool();
        const auto linear = as_linear(pool, crossing, pool.time());
        if (!linear || a_.variation_of(linear->rest) == Variation::Varying) return nullptr;
        const auto rate = a_.values.ask(linear->coefficient, ParameterValues::Asked::Zero);
        if (!rate || *rate == 0) return nullptr;
        return pool.divide(pool.negate(linear->rest), linear->coefficient);
    }

    Analysis& a_;
    Diagnostics& diagnostics_;
    std::unordered_map<VariableIndex, Expr> assigned_;  // by explicit blocks; looked up only
    std::unordered_map<Expr, std::size_t> kinks_;       // switches that are no more than that; looked up only
    std::vector<bool> is_state_;
    std::optional<std::vector<Expr>> continuous_;  // signs, sorted by age; nothing: not known yet
    bool in_validity_ = false, in_discrete_ = false;
    enum class Stepwise : std::uint8_t { Unknown, No, Yes };
    std::vector<Stepwise> stepwise_;  // by node id
    std::vector<bool> seen_;
    std::vector<std::pair<Expr, bool>> stack_;
};

}  // namespace

void collect_events(Analysis& a, Diagnostics& diagnostics) {
    Collector collector(a, diagnostics);
    FlatModel& model = a.model();
    for (const Equation& e : model.discrete_equations) collector.collect_discrete(e);
    for (EquationIndex i(0); i < model.equations.end_index(); ++i.value) {
        if (!a.live[i.value]) continue;
        collector.collect(model.equations[i].left, model.equations[i].origin);
        collector.collect(model.equations[i].right, model.equations[i].origin);
    }
    for (const Equation& e : model.initial_equations) {
        collector.without_events(e.left, e.origin);
        collector.without_events(e.right, e.origin);
    }
    for (const WhenClause& when : model.whens) {
        collector.collect(when.condition, when.origin);
        for (const WhenAction& action : when.actions) {
            if (const Expr guard = guard_of(action)) collector.without_events(guard, when.origin);
            if (auto* assign = std::get_if<WhenAssign>(&action))
                collector.without_events(assign->value, assign->origin);
            if (auto* reinit = std::get_if<WhenReinit>(&action))
                collector.without_events(reinit->value, reinit->origin);
        }
    }
    for (const Validity& v : model.validities) collector.collect_validity(v);
}

}  // namespace cutset::passes

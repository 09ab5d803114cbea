#include "transform/collect_events.h"

#include "transform/messages.h"

namespace cutset::passes {
namespace {

class Collector {
  public:
    explicit Collector(Analysis& a) : a_(a) {}

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
                if (e->op == Op::NoEvent) without_events(e);
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
    // Only clocks and delays count here.
    void without_events(Expr root) {
        for_each_node(root, [&](Expr e) {
            if (e->op != Op::Sample && e->op != Op::Delay) return;
            if (e->id >= seen_.size()) seen_.resize(std::max<std::size_t>(e->id + 1, a_.pool().size()));
            if (seen_[e->id]) return;
            seen_[e->id] = true;
            take(e, {});
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
                Switch s{e, pool.subtract(e->arg(0), e->arg(1)), nullptr, origin};
                s.instant = instant(s.crossing);
                partition.switches.push_back(s);
                return;
            }
            case Op::Abs:
                kink(pool.less(e->arg(0), pool.number(0)), origin);
                return;
            case Op::Min:
            case Op::Max:
                kink(pool.less(e->arg(0), e->arg(1)), origin);
                return;
            case Op::Truncate:
                if (a_.variation_of(e) != Variation::Varying) return;
                partition.switches.push_back({e, e->arg(0), nullptr, origin});
                return;
            case Op::Sample:
                partition.clocks.push_back({e, e->arg(0), e->arg(1)});
                return;
            case Op::Delay:
                partition.delays.push_back({e, e->arg(0), e->arg(1)});
                return;
            default:
                return;
        }
    }

    // Where a continuous function bends. In a validity only the outer relations are watched.
    void kink(Expr relation, const Origin& origin) {
        if (in_validity_ || relation->op != Op::Less || a_.variation_of(relation) != Variation::Varying)
            return;
        if (relation->id >= seen_.size())
            seen_.resize(std::max<std::size_t>(relation->id + 1, a_.pool().size()));
        if (seen_[relation->id]) return;
        seen_[relation->id] = true;
        Switch s{relation, a_.pool().subtract(relation->arg(0), relation->arg(1)), nullptr, origin, true};
        s.instant = instant(s.crossing);
        a_.partition.switches.push_back(s);
    }

    // crossing = a*time + b, with a and b constant between events and a ≠ 0 for certain: at -b/a.
    Expr instant(Expr crossing) {
        for (Expr leaf : a_.leaves({crossing}))
            if (a_.variation_of(leaf) == Variation::Varying) return nullptr;
        Pool& pool = a_.pool();
        const auto linear = as_linear(pool, crossing, pool.time());
        if (!linear || a_.variation_of(linear->rest) == Variation::Varying) return nullptr;
        const auto rate = a_.value_of(linear->coefficient);
        if (!rate || *rate == 0) return nullptr;
        return pool.divide(pool.negate(linear->rest), linear->coefficient);
    }

    Analysis& a_;
    bool in_validity_ = false;
    std::vector<bool> seen_;
    std::vector<std::pair<Expr, bool>> stack_;
};

}  // namespace

void collect_events(Analysis& a, Diagnostics&) {
    Collector collector(a);
    FlatModel& model = a.model();
    for (EquationIndex i(0); i < model.equations.end_index(); ++i.value) {
        if (!a.live[i.value]) continue;
        collector.collect(model.equations[i].left, model.equations[i].origin);
        collector.collect(model.equations[i].right, model.equations[i].origin);
    }
    for (const Equation& e : model.initial_equations) {
        collector.without_events(e.left);
        collector.without_events(e.right);
    }
    for (const WhenClause& when : model.whens) {
        collector.collect(when.condition, when.origin);
        for (const WhenAction& action : when.actions) {
            if (auto* assign = std::get_if<WhenAssign>(&action)) collector.without_events(assign->value);
            if (auto* reinit = std::get_if<WhenReinit>(&action)) collector.without_events(reinit->value);
        }
    }
    for (const Validity& v : model.validities) collector.collect_validity(v);
}

}  // namespace cutset::passes

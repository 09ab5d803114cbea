#include "transform/lower_events.h"

#include <unordered_map>

#include "transform/messages.h"

namespace cutset::passes {
namespace {

class EventLowering {
  public:
    EventLowering(Analysis& a, Diagnostics& diagnostics) : a_(a), diagnostics_(diagnostics) {}

    void apply(Expr& e, const Origin& origin) {
        if (!concerned(e)) return;
        origin_ = origin;
        e = lower(e);
    }
    // Only what makes no events there.
    void apply_delays(Expr& e, const Origin& origin) {
        delays_only_ = true;
        apply(e, origin);
        delays_only_ = false;
    }
    // pre(x) of an x that is continuous stands somewhere in e.
    bool looks_back(Expr e) { return contents(e) & previous; }

  private:
    static bool switches(Op op) { return op == Op::Remainder || op == Op::Modulo || op == Op::Delay; }
    bool concerned(Expr e) { return contents(e) & rewritten; }

    static constexpr std::uint8_t known = 1, rewritten = 2, previous = 4;
    // What stands somewhere in e, remembered by node.
    std::uint8_t contents(Expr e) {
        if (e->argument_count == 0)
            return e->op == Op::Previous &&
                           a_.model().variables[e->variable()].variability == Variability::Continuous
                       ? previous
                       : 0;
        if (e->id >= contents_.size()) contents_.resize(std::max<std::size_t>(e->id + 1, a_.pool().size()));
        if (contents_[e->id]) return contents_[e->id];
        std::uint8_t result = switches(e->op) ? known | rewritten : known;
        for (Expr x : e->args()) result |= contents(x);
        return contents_[e->id] = result;
    }

    // Expressions are no deeper than the parser allows.
    Expr lower(Expr e) {
        if (!concerned(e)) return e;
        auto& lowered = lowered_[delays_only_];
        if (const auto known = lowered.find(e); known != lowered.end()) return known->second;
        Expr result = e;
        if (a_.variation_of(e) == Variation::Varying) {
            const bool outside = delays_only_;
            delays_only_ = delays_only_ || e->op == Op::NoEvent;
            std::vector<Expr> x;
            for (Expr argument : e->args()) x.push_back(lower(argument));
            delays_only_ = outside;
            const bool replaces = delays_only_ ? e->op == Op::Delay : switches(e->op);
            result = replaces ? replacement(e, x) : a_.pool().rebuild(e, x);
        }
        lowered.emplace(e, result);
        return result;
    }

    Expr replacement(Expr e, const std::vector<Expr>& x) {
        Pool& pool = a_.pool();
        switch (e->op) {
            case Op::Remainder:
            case Op::Modulo: {
                if (x[1]->is_number(0)) return pool.rebuild(e, x);  // has no value, which the run tells
                const Op whole = e->op == Op::Remainder ? Op::Truncate : Op::Floor;
                return pool.subtract(x[0], pool.multiply(pool.call(whole, pool.divide(x[0], x[1])), x[1]));
            }
            default: {
                const auto duration = a_.values.ask(x[1], ParameterValues::Asked::Sign);
                if (duration && *duration < 0) {
                    diagnostics_.report(negative_delay(a_, e, *duration, origin_));
                } else if (duration && *duration == 0) {
                    a_.make_structural(x[1]);
                    return x[0];
                }
                if (x.size() == 2) return pool.rebuild(e, x);
                const Expr delayed[2] = {x[0], x[1]};
                const Expr end_of_history = pool.add(x[3], x[1]);
                return pool.choose(pool.less(pool.time(), end_of_history), x[2],
                                   pool.call(Op::Delay, delayed));
            }
        }
    }

    Analysis& a_;
    Diagnostics& diagnostics_;
    Origin origin_;
    bool delays_only_ = false;
    std::vector<std::uint8_t> contents_;         // by node id: 0 = not yet
    std::unordered_map<Expr, Expr> lowered_[2];  // by delays_only_; looked up only, so order does not matter
};

// Of k*sign(x) = 0: x, where the equation says no more than x = 0.
Expr vanishing_sign(Analysis& a, const Equation& e) {
    const auto is_zero = [](Expr side) { return side->is_number() && side->number == 0; };
    const Expr other = is_zero(e.right) ? e.left : is_zero(e.left) ? e.right : nullptr;
    if (!other) return nullptr;
    if (other->op == Op::Sign) return other->arg(0);
    if (other->op != Op::Multiply) return nullptr;
    Expr found = nullptr;
    for (Expr factor : other->args()) {
        if (factor->op == Op::Sign && !found && a.variation_of(factor) == Variation::Varying) {
            found = factor->arg(0);
            continue;
        }
        if (a.variation_of(factor) > Variation::Parametric) return nullptr;
        const auto value = a.values.ask(factor, ParameterValues::Asked::Zero);
        if (!value || *value == 0) return nullptr;
    }
    return found;
}

}  // namespace

void lower_events(Analysis& a, Diagnostics& diagnostics) {
    EventLowering lowering(a, diagnostics);
    FlatModel& model = a.model();
    const auto refuse_previous = [&](Expr side, const Origin& origin) {
        if (!lowering.looks_back(side)) return;
        for_each_leaf(side, [&](Expr leaf) {
            if (leaf->op == Op::Previous &&
                model.variables[leaf->variable()].variability == Variability::Continuous)
                diagnostics.report(previous_of_continuous(a, leaf->variable(), origin));
        });
    };
    for (Equation& e : model.discrete_equations)
        for (Expr* side : {&e.left, &e.right}) {
            refuse_previous(*side, e.origin);
            lowering.apply(*side, e.origin);
        }
    for (auto* equations : {&model.equations, &model.initial_equations})
        for (Equation& e : *equations) {
            refuse_previous(e.left, e.origin);
            refuse_previous(e.right, e.origin);
            lowering.apply(e.left, e.origin);
            lowering.apply(e.right, e.origin);
            if (const Expr argument = vanishing_sign(a, e)) {
                e.left = argument;
                e.right = a.pool().number(0);
            }
        }
    for (WhenClause& when : model.whens) {
        lowering.apply(when.condition, when.origin);
        for (WhenAction& action : when.actions) {
            if (auto* assign = std::get_if<WhenAssign>(&action))
                lowering.apply_delays(assign->value, assign->origin);
            if (auto* reinit = std::get_if<WhenReinit>(&action))
                lowering.apply_delays(reinit->value, reinit->origin);
        }
    }
    for (Validity& v : model.validities) lowering.apply_delays(v.condition, v.origin);
}

}  // namespace cutset::passes

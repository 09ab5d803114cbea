#include "run/when_clauses.h"

#include <algorithm>
#include <iterator>

#include "ir/impure_calls.h"
#include "run/run_messages.h"
#include "run/run_observer.h"

namespace cutset {

WhenClauses::WhenClauses(Instant& now, Settling& settling)
    : now_(now), settling_(settling), new_values_(now, settling), held_(now.state.when_held) {
    for (std::size_t v = 0; v < now_.layout.previous.size(); ++v)
        if (now_.layout.previous[v])
            kept_before_.emplace_back(now_.layout.previous[v], now_.layout.variable[v]);
    for (const DiscreteAssignment& d : now_.partition.discrete)
        discrete_.emplace_back(now_.layout.previous[d.variable.value],
                               now_.layout.variable[d.variable.value]);
    reads_before_ = reads_values_before();
    for (const WhenClause& when : now_.model.whens) {
        bool found = false;
        for_each_node(when.condition, [&](Expr e) { found = found || e->op == Op::Starting; });
        of_start_.push_back(found);
    }
}

// Whether pre(x) stands in the equations or in a condition.
bool WhenClauses::reads_values_before() const {
    std::vector<bool> before(now_.layout.slots);
    for (const auto& kept : kept_before_) before[kept.first] = true;
    bool found = false;
    const auto look = [&](const Section& section) {
        for (const Instruction& i : section.instructions)
            for_each_slot(i, now_.program.calls,
                          [&](Slot slot, bool written) { found = found || (!written && before[slot]); });
    };
    for (const Section* section :
         {&now_.program.continuous, &now_.program.crossings, &now_.program.conditions})
        look(*section);
    for (const Loop& loop : now_.program.loops) look(loop.residual);
    return found;
}

void WhenClauses::keep_values_before() {
    for (const auto& [previous, present] : kept_before_) now_.values[previous] = now_.values[present];
}

bool WhenClauses::values_differ_from_before() const {
    return std::any_of(kept_before_.begin(), kept_before_.end(),
                       [&](const auto& kept) { return now_.values[kept.first] != now_.values[kept.second]; });
}

bool WhenClauses::discrete_differs() const {
    return reads_before_ && std::any_of(discrete_.begin(), discrete_.end(), [&](const auto& kept) {
               return now_.values[kept.first] != now_.values[kept.second];
           });
}

// The relations too, which edge() looks at.
void WhenClauses::keep_discrete_before() {
    if (discrete_.empty()) return;
    for (const auto& [previous, present] : discrete_) now_.values[previous] = now_.values[present];
    for (std::size_t i = 0; i < now_.layout.switches.size(); ++i)
        now_.values[now_.layout.switches_before[i]] = now_.condition(i);
}

bool WhenClauses::report_discrete_cycle() {
    std::vector<run_messages::Repeating> repeating;
    for (const DiscreteAssignment& d : now_.partition.discrete) {
        const double before = now_.values[now_.layout.previous[d.variable.value]];
        const double after = now_.values[now_.layout.variable[d.variable.value]];
        if (before != after) repeating.push_back({d.variable, before, after, d.origin.where});
    }
    return now_.fail(run_messages::discrete_does_not_settle(now_.model, repeating, now_.time()));
}

void WhenClauses::hold_conditions() {
    const std::size_t n = held_.size();
    if (n == 0) return;
    const double* holds = &now_.values[now_.layout.when_conditions[0]];
    char* held = held_.data();
    for (std::size_t w = 0; w < n; ++w) held[w] = holds[w] != 0;
}

void WhenClauses::hold_at_start(std::size_t count) {
    held_.clear();
    for (std::size_t i = 0; i < count; ++i) {
        const bool acts_at_start = of_start_[i] || is_sampled(now_.model.whens[i]);
        held_.push_back(!acts_at_start && now_.values[now_.layout.when_conditions[i]] != 0);
    }
}

std::optional<std::size_t> WhenClauses::fresh() const {
    for (std::size_t w = 0; w < held_.size(); ++w)
        if (now_.values[now_.layout.when_conditions[w]] != 0 && !held_[w]) return w;
    return std::nullopt;
}

std::vector<std::size_t> WhenClauses::open_exits(const Interpreter& values) const {
    std::vector<std::size_t> open;
    for (std::size_t w = exits_; w < now_.model.whens.size(); ++w)
        if (values[now_.layout.when_conditions[w]] != 0) open.push_back(w - exits_);
    return open;
}

// The equations and the conditions of the clauses.
bool WhenClauses::evaluate() {
    return settling_.settle(now_.program.continuous) && now_.run_section(now_.program.conditions);
}

// The clauses whose conditions have become true; of the branches of one `when` the first.
void WhenClauses::list_active() {
    active_.clear();
    const std::size_t n = held_.size();
    if (n == 0) return;
    const double* holds = &now_.values[now_.layout.when_conditions[0]];
    const char* held = held_.data();
    for (std::size_t w = 0; w < n; ++w) {
        if (holds[w] == 0 || held[w] || (only_of_start_ && !of_start_[w])) continue;
        if (!active_.empty() && now_.model.whens[w].branch > 0 &&
            active_.back() + now_.model.whens[w].branch >= w)
            continue;
        active_.push_back(w);
    }
}

// A change of k in der(k*V) with V tied to others: values after the jump from those before it.
bool WhenClauses::jump_is_due() const {
    return std::any_of(
        now_.partition.jump_causes.begin(), now_.partition.jump_causes.end(), [&](VariableIndex k) {
            return now_.values[now_.layout.variable[k.value]] != now_.values[now_.layout.previous[k.value]];
        });
}

bool WhenClauses::jump_states() {
    if (!jump_is_due()) return true;
    now_.equations_known = false;
    now_.loops.set_robust(true);
    return now_.run_section(now_.program.jump) && now_.report_not_finite(now_.program.jump, now_.time()) &&
           now_.selector.choose(now_.values);
}

// The states that the clauses set, with values computed from the states as they are.
bool WhenClauses::list_restarts() {
    restarts_.clear();
    for (std::size_t w : active_)
        for (std::size_t a = 0; a < now_.model.whens[w].actions.size(); ++a) {
            const auto* reinit = std::get_if<WhenReinit>(&now_.model.whens[w].actions[a]);
            if (!reinit || !new_values_.counts(w, a)) continue;
            const Slot from = now_.layout.when_values[w][a];
            const double value = now_.values[from];
            const auto known = std::find_if(restarts_.begin(), restarts_.end(),
                                            [&](const Restart& r) { return r.state == reinit->target; });
            if (known == restarts_.end()) {
                restarts_.push_back({reinit->target, value, reinit->origin.where, from});
            } else if (!NewValues::same(known->value, value)) {
                return now_.fail(run_messages::set_twice(now_.model, reinit->target, known->value,
                                                         known->where, value, reinit->origin.where,
                                                         now_.time()));
            }
        }
    return true;
}

// All states change together.
bool WhenClauses::restart_states() {
    std::vector<VariableIndex> restarted, overruled;
    for (const Restart& r : restarts_) {
        restarted.push_back(r.state);
        now_.values[now_.layout.variable[r.state.value]] = r.value;
    }
    if (!now_.selector.restart(now_.values, restarted, overruled)) return false;
    if (!overruled.empty())
        now_.report(run_messages::reinit_overruled(now_.model, overruled, restarted, now_.time()));
    return true;
}

// Clauses that leave the mode or end the run.
void WhenClauses::end_run() {
    for (std::size_t w : active_)
        for (std::size_t a = 0; a < now_.model.whens[w].actions.size(); ++a) {
            const auto* end = std::get_if<WhenTerminate>(&now_.model.whens[w].actions[a]);
            if (!end || !new_values_.counts(w, a)) continue;
            if (w >= exits_) {
                leaving_ = true;
                continue;
            }
            if (!terminated_) now_.report(run_messages::terminated(*end, now_.model, now_.time()));
            terminated_ = true;
        }
}

void WhenClauses::inform_observer() {
    std::vector<RunObserver::Assignment> discrete, states;
    for (std::size_t w : active_)
        for (std::size_t a = 0; a < now_.model.whens[w].actions.size(); ++a)
            if (const auto* assign = std::get_if<WhenAssign>(&now_.model.whens[w].actions[a]);
                assign && new_values_.counts(w, a)) {
                if (assign->implicit)
                    now_.options.observer->cannot_follow("equations in new values are solved at an event");
                else if (impure_call(now_.model, assign->value))
                    now_.options.observer->cannot_follow("what an impure function gives has no derivatives");
                else
                    discrete.push_back(
                        {now_.layout.variable[assign->target.value], now_.layout.when_values[w][a]});
            }
    for (const Restart& r : restarts_) states.push_back({now_.layout.variable[r.state.value], r.from});
    now_.options.observer->whens(now_.values, active_, discrete, states, jump_is_due());
}

// The clauses that act, their conditions and the equations as one system: with the clauses whose conditions
// hold now, with those whose conditions hold then, until they are the same.
bool WhenClauses::solve_together() {
    const std::size_t most = most_iterations + now_.model.whens.size();
    std::vector<std::size_t> acted;
    for (std::size_t round = 0; round < most; ++round) {
        acted = active_;
        if (!new_values_.solve(acted) || !now_.run_section(now_.program.conditions)) return false;
        list_active();
        if (active_ == acted) return true;
        take_back(acted);
        if (!settling_.settle(now_.program.continuous)) return false;
    }
    return report_own_conditions(acted);
}

// What those clauses set has its value of before.
void WhenClauses::take_back(const std::vector<std::size_t>& clauses) {
    for (std::size_t w : clauses)
        for (const WhenAction& action : now_.model.whens[w].actions)
            if (const auto* assign = std::get_if<WhenAssign>(&action))
                now_.values[now_.layout.variable[assign->target.value]] =
                    now_.values[now_.layout.previous[assign->target.value]];
}

void WhenClauses::end_start() {
    double& starting = now_.values[now_.layout.starting];
    if (starting == 0) return;
    starting = 0;
    now_.equations_known = false;
}

bool WhenClauses::act() {
    if (!(is_together() ? solve_together() : new_values_.solve(active_)) || !list_restarts()) return false;
    if (now_.options.observer) inform_observer();
    if (!jump_states() || !restart_states()) return false;
    end_run();
    return true;
}

std::vector<VariableIndex> WhenClauses::targets_of(const std::vector<std::size_t>& clauses) const {
    std::vector<VariableIndex> targets;
    for (std::size_t w : clauses)
        for (const WhenAction& action : now_.model.whens[w].actions)
            if (const auto target = target_of(action)) targets.push_back(*target);
    return targets;
}

bool WhenClauses::report_no_end(const std::vector<std::size_t>& clauses) {
    std::vector<run_messages::Repeating> repeating;
    for (VariableIndex v : targets_of(clauses)) {
        const double value = now_.values[now_.layout.variable[v.value]];
        const Slot previous = now_.layout.previous[v.value];
        repeating.push_back({v, previous ? now_.values[previous] : value, value, {}});
    }
    return now_.fail(run_messages::whens_do_not_settle(
        now_.model, repeating, now_.model.whens[clauses[0]].origin.where, now_.time()));
}

// Clauses that act if they do not act.
bool WhenClauses::report_own_conditions(const std::vector<std::size_t>& acted) {
    std::vector<std::size_t> undecided;
    std::set_symmetric_difference(acted.begin(), acted.end(), active_.begin(), active_.end(),
                                  std::back_inserter(undecided));
    std::vector<const WhenClause*> clauses;
    for (std::size_t w : undecided) clauses.push_back(&now_.model.whens[w]);
    return now_.fail(run_messages::conditions_on_themselves(now_.model, clauses, now_.time()));
}

bool WhenClauses::act_at_start(bool& changed) {
    held_.assign(now_.model.whens.size(), false);
    if (!now_.run_section(now_.program.conditions)) return false;
    only_of_start_ = true;
    list_active();
    const std::vector<VariableIndex> targets = targets_of(active_);
    const auto values = [&] {
        std::vector<double> list;
        for (VariableIndex v : targets) list.push_back(now_.values[now_.layout.variable[v.value]]);
        return list;
    };
    const std::vector<double> before = values();
    const bool good = active_.empty() || act();
    only_of_start_ = false;
    changed = values() != before;
    hold_conditions();
    for (std::size_t w = 0; w < held_.size(); ++w)
        if (is_sampled(now_.model.whens[w])) held_[w] = false;  // clocks begin after it
    return good;
}

bool WhenClauses::run() {
    return is_together() ? run_together() : run_after_each_other();
}

bool WhenClauses::run_together() {
    const std::size_t most = most_iterations + now_.model.whens.size() + discrete_.size();
    for (std::size_t iteration = 0;; ++iteration) {
        if (!evaluate()) return false;
        list_active();
        if (iteration >= most && !active_.empty()) return report_no_end(active_);
        if (iteration >= most && discrete_differs()) return report_discrete_cycle();
        const bool acts = !active_.empty();
        restarts_.clear();
        if (acts && !act()) return false;
        hold_conditions();
        const bool again =
            !restarts_.empty() || (acts ? reads_before_ && values_differ_from_before() : discrete_differs());
        if (acts) keep_values_before();
        if (!again) return true;
        keep_discrete_before();
        end_start();
    }
}

bool WhenClauses::run_after_each_other() {
    const std::size_t most = most_iterations + now_.model.whens.size() + discrete_.size();
    bool acted = false;
    for (std::size_t iteration = 0;; ++iteration) {
        if (!evaluate()) return false;
        list_active();
        if (active_.empty()) {
            // With the settled values equations and conditions in pre(x) may be others.
            const bool again = acted ? reads_before_ && values_differ_from_before() : discrete_differs();
            if (again && iteration >= most && discrete_differs()) return report_discrete_cycle();
            if (acted) keep_values_before();
            if (!again) return true;
            keep_discrete_before();
            end_start();
            hold_conditions();
            continue;
        }
        if (iteration >= most) return report_no_end(active_);
        hold_conditions();
        if (acted) {
            keep_values_before();
            end_start();
        }
        acted = true;
        if (!act()) return false;
    }
}

}  // namespace cutset

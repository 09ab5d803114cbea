#include "run/when_clauses.h"

#include <algorithm>

#include "run/run_messages.h"
#include "run/run_observer.h"

namespace cutset {

namespace {

const std::size_t none = std::size_t(-1);

struct Target {
    VariableIndex variable;
    Span where;
};
std::optional<Target> target_of(const WhenAction& action) {
    if (const auto* assign = std::get_if<WhenAssign>(&action))
        return Target{assign->target, assign->origin.where};
    if (const auto* reinit = std::get_if<WhenReinit>(&action))
        return Target{reinit->target, reinit->origin.where};
    return std::nullopt;
}

}  // namespace

// Numbers the variables that clauses set, and lists those whose values before an event are kept.
WhenClauses::WhenClauses(Instant& now, Settling& settling)
    : now_(now), settling_(settling), held_(now.state.when_held), numbers_(now.model.whens.size()) {
    for (const WhenClause& when : now_.model.whens)
        for (const WhenAction& action : when.actions)
            if (const auto target = target_of(action)) targets_.push_back(target->variable);
    std::sort(targets_.begin(), targets_.end());
    targets_.erase(std::unique(targets_.begin(), targets_.end()), targets_.end());
    for (std::size_t w = 0; w < now_.model.whens.size(); ++w)
        for (const WhenAction& action : now_.model.whens[w].actions) {
            const auto target = target_of(action);
            numbers_[w].push_back(
                target ? std::size_t(std::lower_bound(targets_.begin(), targets_.end(), target->variable) -
                                     targets_.begin())
                       : none);
        }
    setters_.resize(targets_.size());
    for (std::size_t v = 0; v < now_.layout.previous.size(); ++v)
        if (now_.layout.previous[v])
            kept_before_.emplace_back(now_.layout.previous[v], now_.layout.variable[v]);
}

void WhenClauses::keep_values_before() {
    for (const auto& [previous, present] : kept_before_) now_.values[previous] = now_.values[present];
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
        bool acts_at_start = false;
        for_each_node(now_.model.whens[i].condition,
                      [&](Expr e) { acts_at_start |= e->op == Op::Sample || e->op == Op::Starting; });
        held_.push_back(!acts_at_start && now_.values[now_.layout.when_conditions[i]] != 0);
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

// The clauses that act by now, and for each variable the one that sets it: the last in the order of the text.
void WhenClauses::list_active() {
    for (std::size_t w : active_)
        for (std::size_t target : numbers_[w])
            if (target != none) setters_[target] = {};
    overruled_ = false;
    active_.clear();
    const std::size_t n = is_active_.size();
    const double* holds = n > 0 ? &now_.values[now_.layout.when_conditions[0]] : nullptr;
    const char* held = held_.data();
    for (std::size_t w = 0; w < n; ++w) {
        if ((holds[w] == 0 || held[w]) && !is_active_[w]) continue;
        is_active_[w] = true;
        active_.push_back(w);
    }
    for (std::size_t w : active_)
        for (std::size_t a = 0; a < numbers_[w].size(); ++a) {
            if (numbers_[w][a] == none) continue;
            Setter& setter = setters_[numbers_[w][a]];
            overruled_ |= setter.set;
            setter = {
                w, a, true,
                setter.set ? target_of(now_.model.whens[setter.when].actions[setter.action])->where : Span{}};
        }
}

// Whether action `a` of clause `w` is the one that sets its variable.
bool WhenClauses::counts(std::size_t w, std::size_t a) const {
    const Setter& setter = setters_[numbers_[w][a]];
    return setter.when == w && setter.action == a;
}

// Sets the discrete variables of all active clauses. Values may depend on others that the same clause sets:
// within it they are computed again until they agree. On the way there some may be no numbers.
bool WhenClauses::assign_discrete(Changing& changing) {
    constexpr std::size_t most_named = 10;
    changing.variables.clear();
    std::size_t clause = none;  // in which one was not finite at last
    VariableIndex not_finite{0};
    for (std::size_t w : active_) {
        const std::vector<WhenAction>& actions = now_.model.whens[w].actions;
        for (std::size_t pass = 0; pass <= actions.size(); ++pass) {
            if (!now_.run_section(now_.program.when_actions[w])) return false;
            bool changed = false;
            for (std::size_t a = 0; a < actions.size(); ++a) {
                const auto* assign = std::get_if<WhenAssign>(&actions[a]);
                if (!assign || !counts(w, a)) continue;
                const Slot target = now_.layout.variable[assign->target.value];
                const double value = now_.values[now_.layout.when_values[w][a]];
                if (!std::isfinite(value)) {
                    clause = w;
                    not_finite = assign->target;
                    continue;
                }
                if (now_.values[target] == value) continue;
                now_.values[target] = value;
                changed = true;
                if (changing.variables.size() < most_named) changing.variables.push_back(assign->target);
                changing.where = assign->origin.where;
            }
            if (!changed) break;
            clause = none;
        }
    }
    if (clause != none && changing.variables.empty()) {
        if (!now_.report_not_finite(now_.program.when_actions[clause], now_.time())) return false;
        return now_.fail_in_equations(run_messages::value_not_finite(now_.model, not_finite, now_.time()));
    }
    return true;
}

// All reinit values were computed with the states as they are; now they change together.
bool WhenClauses::restart_states() {
    restarts_.clear();
    restarted_.clear();
    for (std::size_t w : active_)
        for (std::size_t a = 0; a < now_.model.whens[w].actions.size(); ++a) {
            if (const auto* reinit = std::get_if<WhenReinit>(&now_.model.whens[w].actions[a])) {
                if (!counts(w, a)) continue;
                restarted_.push_back(reinit->target);
                restarts_.emplace_back(now_.layout.variable[reinit->target.value],
                                       now_.values[now_.layout.when_values[w][a]]);
            } else if (w >= exits_) {
                leaving_ = true;
            } else if (const auto* end = std::get_if<WhenTerminate>(&now_.model.whens[w].actions[a])) {
                if (!terminated_) now_.report(run_messages::terminated(*end, now_.model, now_.time()));
                terminated_ = true;
            }
        }
    for (const auto& [slot, value] : restarts_) now_.values[slot] = value;
    std::vector<VariableIndex> overruled;
    if (!now_.selector.restart(now_.values, restarted_, overruled)) return false;
    if (!overruled.empty())
        now_.report(run_messages::reinit_overruled(now_.model, overruled, restarted_, now_.time()));
    return true;
}

void WhenClauses::report_overruled() {
    for (std::size_t k = 0; k < targets_.size(); ++k)
        if (const Setter& s = setters_[k]; s.set && s.overruled.known())
            if (const Span where = target_of(now_.model.whens[s.when].actions[s.action])->where;
                s.overruled.begin != where.begin)
                now_.report(
                    run_messages::set_twice(now_.model, targets_[k], where, s.overruled, now_.time()));
}

void WhenClauses::inform_observer() {
    std::vector<RunObserver::Assignment> discrete, states;
    for (std::size_t w : active_)
        for (std::size_t a = 0; a < now_.model.whens[w].actions.size(); ++a) {
            const WhenAction& action = now_.model.whens[w].actions[a];
            const auto target = target_of(action);
            if (!target || !counts(w, a)) continue;
            (std::holds_alternative<WhenAssign>(action) ? discrete : states)
                .push_back({now_.layout.variable[target->variable.value], now_.layout.when_values[w][a]});
        }
    now_.options.observer->whens(now_.values, active_, discrete, states, jump_is_due());
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

// Discrete values of all active clauses, until they agree with each other; none is active when that is so
// from the beginning.
bool WhenClauses::assign_until_agreed() {
    Changing changing;
    for (int iteration = 0;; ++iteration) {
        if (!settling_.settle(now_.program.continuous) || !now_.run_section(now_.program.conditions))
            return false;
        list_active();
        if (active_.empty()) return true;
        if (!assign_discrete(changing)) return false;
        if (changing.variables.empty()) return true;
        if (iteration == most_iterations + static_cast<int>(now_.model.whens.size())) {
            std::vector<std::string> names;
            for (VariableIndex v : changing.variables) names.push_back(now_.model.path(v));
            return now_.fail(
                run_messages::whens_do_not_settle(now_.model, names, changing.where, now_.time()));
        }
    }
}

bool WhenClauses::run() {
    for (int round = 0;; ++round) {
        is_active_.assign(now_.model.whens.size(), false);
        if (!assign_until_agreed()) return false;
        if (active_.empty()) return true;
        if (overruled_) report_overruled();
        if (now_.options.observer) inform_observer();
        if (!jump_states() || !restart_states()) return false;
        hold_conditions();
        keep_values_before();
        if (round == most_iterations)
            return now_.fail(run_messages::whens_do_not_settle(now_.model, {"the states"}, {}, now_.time()));
    }
}

}  // namespace cutset

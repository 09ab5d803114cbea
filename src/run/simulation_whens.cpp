// When clauses at an event.
#include <algorithm>
#include <vector>

#include "run/run_messages.h"
#include "run/simulation.h"

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
void Simulation::prepare_whens() {
    targets_.clear();
    when_targets_.assign(model_.whens.size(), {});
    for (const WhenClause& when : model_.whens)
        for (const WhenAction& action : when.actions)
            if (const auto target = target_of(action)) targets_.push_back(target->variable);
    std::sort(targets_.begin(), targets_.end());
    targets_.erase(std::unique(targets_.begin(), targets_.end()), targets_.end());
    for (std::size_t w = 0; w < model_.whens.size(); ++w)
        for (const WhenAction& action : model_.whens[w].actions) {
            const auto target = target_of(action);
            when_targets_[w].push_back(
                target ? std::size_t(std::lower_bound(targets_.begin(), targets_.end(), target->variable) -
                                     targets_.begin())
                       : none);
        }
    setters_.assign(targets_.size(), {});
    kept_before_.clear();
    for (std::size_t v = 0; v < layout_.previous.size(); ++v)
        if (layout_.previous[v]) kept_before_.emplace_back(layout_.previous[v], layout_.variable[v]);
}

// pre(x) := x
void Simulation::keep_values_before() {
    for (const auto& [previous, present] : kept_before_) main_[previous] = main_[present];
}

void Simulation::hold_conditions() {
    const std::size_t n = when_held_.size();
    if (n == 0) return;
    const double* holds = &main_[layout_.when_conditions[0]];
    char* held = when_held_.data();
    for (std::size_t w = 0; w < n; ++w) held[w] = holds[w] != 0;
}

// A change of k in der(k*V) with V tied to others: values after the jump from those before it.
bool Simulation::jump_is_due() const {
    return std::any_of(partition_.jump_causes.begin(), partition_.jump_causes.end(), [&](VariableIndex k) {
        return main_[layout_.variable[k.value]] != main_[layout_.previous[k.value]];
    });
}

bool Simulation::jump_states() {
    if (!jump_is_due()) return true;
    equations_known_ = false;
    loops_.set_robust(true);
    return run_section(program_.jump) && report_not_finite(program_.jump, time()) && selector_.choose(main_);
}

// The clauses that act by now, and for each variable the one that sets it: the last in the order of the text.
void Simulation::list_active_whens() {
    for (std::size_t w : active_whens_)
        for (std::size_t target : when_targets_[w])
            if (target != none) setters_[target] = {};
    overruled_ = false;
    active_whens_.clear();
    const std::size_t n = is_active_.size();
    const double* holds = n > 0 ? &main_[layout_.when_conditions[0]] : nullptr;
    const char* held = when_held_.data();
    for (std::size_t w = 0; w < n; ++w) {
        if ((holds[w] == 0 || held[w]) && !is_active_[w]) continue;
        is_active_[w] = true;
        active_whens_.push_back(w);
    }
    for (std::size_t w : active_whens_)
        for (std::size_t a = 0; a < when_targets_[w].size(); ++a) {
            if (when_targets_[w][a] == none) continue;
            Setter& setter = setters_[when_targets_[w][a]];
            overruled_ |= setter.set;
            setter = {
                w, a, true,
                setter.set ? target_of(model_.whens[setter.when].actions[setter.action])->where : Span{}};
        }
}

// Whether action `a` of clause `w` is the one that sets its variable.
bool Simulation::counts(std::size_t w, std::size_t a) const {
    const Setter& setter = setters_[when_targets_[w][a]];
    return setter.when == w && setter.action == a;
}

// Sets the discrete variables of all active clauses. Values may depend on others that the same clause sets:
// within it they are computed again until they agree. On the way there some may be no numbers.
bool Simulation::assign_discrete(Changing& changing) {
    constexpr std::size_t most_named = 10;
    changing.variables.clear();
    std::size_t clause = none;  // in which one was not finite at last
    VariableIndex not_finite{0};
    for (std::size_t w : active_whens_) {
        const std::vector<WhenAction>& actions = model_.whens[w].actions;
        for (std::size_t pass = 0; pass <= actions.size(); ++pass) {
            if (!run_section(program_.when_actions[w])) return false;
            bool changed = false;
            for (std::size_t a = 0; a < actions.size(); ++a) {
                const auto* assign = std::get_if<WhenAssign>(&actions[a]);
                if (!assign || !counts(w, a)) continue;
                const Slot target = layout_.variable[assign->target.value];
                const double value = main_[layout_.when_values[w][a]];
                if (!std::isfinite(value)) {
                    clause = w;
                    not_finite = assign->target;
                    continue;
                }
                if (main_[target] == value) continue;
                main_[target] = value;
                changed = true;
                if (changing.variables.size() < most_named) changing.variables.push_back(assign->target);
                changing.where = assign->origin.where;
            }
            if (!changed) break;
            clause = none;
        }
    }
    if (clause != none && changing.variables.empty()) {
        if (!report_not_finite(program_.when_actions[clause], time())) return false;
        return fail(run_messages::value_not_finite(model_, not_finite, time()));
    }
    return true;
}

// All reinit values were computed with the states as they are; now they change together.
bool Simulation::restart_states() {
    restarts_.clear();
    restarted_.clear();
    for (std::size_t w : active_whens_)
        for (std::size_t a = 0; a < model_.whens[w].actions.size(); ++a) {
            if (const auto* reinit = std::get_if<WhenReinit>(&model_.whens[w].actions[a])) {
                if (!counts(w, a)) continue;
                restarted_.push_back(reinit->target);
                restarts_.emplace_back(layout_.variable[reinit->target.value],
                                       main_[layout_.when_values[w][a]]);
            } else if (w >= exits_) {
                leaving_ = true;
            } else if (const auto* end = std::get_if<WhenTerminate>(&model_.whens[w].actions[a])) {
                if (!terminated_) diagnostics_.report(run_messages::terminated(*end, model_, time()));
                terminated_ = true;
            }
        }
    for (const auto& [slot, value] : restarts_) main_[slot] = value;
    std::vector<VariableIndex> overruled;
    if (!selector_.restart(main_, restarted_, overruled)) return false;
    if (!overruled.empty())
        diagnostics_.report(run_messages::reinit_overruled(model_, overruled, restarted_, time()));
    return true;
}

void Simulation::tell_of_overruled() {
    for (std::size_t k = 0; k < targets_.size(); ++k)
        if (const Setter& s = setters_[k]; s.set && s.overruled.known())
            if (const Span where = target_of(model_.whens[s.when].actions[s.action])->where;
                s.overruled.begin != where.begin)
                diagnostics_.report(run_messages::set_twice(model_, targets_[k], where, s.overruled, time()));
}

void Simulation::tell_observer_of_whens() {
    std::vector<RunObserver::Assignment> discrete, states;
    for (std::size_t w : active_whens_)
        for (std::size_t a = 0; a < model_.whens[w].actions.size(); ++a) {
            const WhenAction& action = model_.whens[w].actions[a];
            const auto target = target_of(action);
            if (!target || !counts(w, a)) continue;
            (std::holds_alternative<WhenAssign>(action) ? discrete : states)
                .push_back({layout_.variable[target->variable.value], layout_.when_values[w][a]});
        }
    options_.observer->whens(main_, active_whens_, discrete, states, jump_is_due());
}

bool Simulation::when_clauses() {
    Changing changing;
    for (int round = 0;; ++round) {
        is_active_.assign(model_.whens.size(), false);
        // Discrete values of all active clauses, until they agree with each other.
        for (int iteration = 0;; ++iteration) {
            if (!settle_switches(program_.continuous) || !run_section(program_.conditions)) return false;
            list_active_whens();
            if (active_whens_.empty()) return true;
            if (!assign_discrete(changing)) return false;
            if (changing.variables.empty()) break;
            if (iteration == most_iterations + static_cast<int>(model_.whens.size())) {
                std::vector<std::string> names;
                for (VariableIndex v : changing.variables) names.push_back(model_.path(v));
                return fail(run_messages::whens_do_not_settle(model_, names, changing.where, time()));
            }
        }
        if (overruled_) tell_of_overruled();
        if (options_.observer) tell_observer_of_whens();
        if (!jump_states() || !restart_states()) return false;
        hold_conditions();
        keep_values_before();
        if (round == most_iterations)
            return fail(run_messages::whens_do_not_settle(model_, {"the states"}, {}, time()));
    }
}

}  // namespace cutset

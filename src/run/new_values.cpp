#include "run/new_values.h"

#include <algorithm>
#include <cmath>

#include "numerics/linear/linear.h"
#include "run/run_messages.h"

namespace cutset {

namespace {

constexpr std::size_t most_unknowns = 300;  // of Newton's method
constexpr int newton_iterations = 30;

}  // namespace

std::optional<VariableIndex> target_of(const WhenAction& action) {
    if (const auto* assign = std::get_if<WhenAssign>(&action)) return assign->target;
    if (const auto* reinit = std::get_if<WhenReinit>(&action)) return reinit->target;
    return std::nullopt;
}

bool NewValues::same(double a, double b) {
    return a == b || std::abs(a - b) <= 1e-12 * std::max(std::abs(a), std::abs(b));
}

void NewValues::list_targets(const std::vector<std::size_t>& clauses) {
    if (clauses == listed_for_) return;
    listed_for_ = clauses;
    implicit_ = false;
    targets_.clear();
    for (std::size_t w : clauses)
        for (std::size_t a = 0; a < now_.model.whens[w].actions.size(); ++a)
            if (const auto* assign = std::get_if<WhenAssign>(&now_.model.whens[w].actions[a])) {
                implicit_ = implicit_ || assign->implicit;
                targets_.push_back({assign->target,
                                    now_.layout.variable[assign->target.value],
                                    {{w, a, assign->implicit, assign->origin.where}}});
            }
    std::stable_sort(targets_.begin(), targets_.end(),
                     [](const Target& a, const Target& b) { return a.variable < b.variable; });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < targets_.size(); ++i) {
        if (kept > 0 && targets_[kept - 1].variable == targets_[i].variable)
            targets_[kept - 1].setters.push_back(targets_[i].setters[0]);
        else if (kept++ != i)
            targets_[kept - 1] = std::move(targets_[i]);
    }
    targets_.resize(kept);
}

bool NewValues::compute(const std::vector<std::size_t>& clauses) {
    return std::all_of(clauses.begin(), clauses.end(),
                       [&](std::size_t w) { return now_.run_section(now_.program.when_actions[w]); });
}

// One of those that count; nothing: the variable keeps its value.
const NewValues::Setter* NewValues::setter(const Target& target) const {
    for (const Setter& s : target.setters)
        if (counts(s.when, s.action)) return &s;
    return nullptr;
}

// The value that the actions, as computed last, give to a variable; its own where an equation determines it.
double NewValues::wanted(const Target& target) const {
    const Setter* s = setter(target);
    if (!s) return now_.values[now_.layout.previous[target.variable.value]];
    return s->implicit ? now_.values[target.slot] : now_.values[now_.layout.when_values[s->when][s->action]];
}

// The equations and actions at the values as they are.
bool NewValues::evaluate(const std::vector<std::size_t>& clauses) {
    return settling_.settle(now_.program.continuous) && compute(clauses);
}

// Values one after the other, until they agree with each other and with the equations.
bool NewValues::substitute(const std::vector<std::size_t>& clauses, bool& agreed) {
    const std::size_t most = targets_.size() + 3;  // one of them in each pass
    agreed = false;
    for (std::size_t pass = 0; pass < most && !agreed; ++pass) {
        // Those of one clause most often follow from each other.
        for (std::size_t inner = 0; inner < most; ++inner) {
            before_.clear();
            for (const Target& target : targets_) before_.push_back(now_.values[target.slot]);
            if (!compute(clauses)) return false;
            bool changed = false;
            for (std::size_t k = 0; k < targets_.size(); ++k) {
                const double value = wanted(targets_[k]);
                const bool is_new = value != before_[k] && std::isfinite(value);
                now_.values[targets_[k].slot] = is_new ? value : before_[k];
                changed = changed || is_new;
            }
            agreed = !changed && inner == 0;
            if (!changed) break;
        }
        if (!agreed && !settling_.settle(now_.program.continuous)) return false;
    }
    return true;
}

// z = W(z) as z - W(z), an equation as it is.
bool NewValues::residuals(const std::vector<std::size_t>& clauses, const std::vector<double>& z,
                          std::vector<double>& r) {
    for (std::size_t i = 0; i < z.size(); ++i) now_.values[targets_[i].slot] = z[i];
    if (!evaluate(clauses)) return false;
    r.resize(z.size());
    for (std::size_t i = 0; i < z.size(); ++i) {
        const Setter* s = setter(targets_[i]);
        r[i] = s && s->implicit ? now_.values[now_.layout.when_values[s->when][s->action]]
                                : z[i] - wanted(targets_[i]);
        if (!std::isfinite(r[i])) return false;
    }
    return true;
}

// z := z - J⁻¹ r, by differences over powers of two: exact where the equations are linear with small numbers.
bool NewValues::newton_step(const std::vector<std::size_t>& clauses, std::vector<double>& z,
                            const std::vector<double>& r) {
    const std::size_t n = z.size();
    std::vector<double> moved, beside = z;
    std::vector<double> jacobian(n * n);  // by column
    for (std::size_t k = 0; k < n; ++k) {
        const double step = std::exp2(std::round(std::log2(std::max(std::abs(z[k]), 1.0)))) * 0x1p-26;
        beside[k] = z[k] + step;
        if (!residuals(clauses, beside, moved)) return false;
        for (std::size_t i = 0; i < n; ++i) jacobian[k * n + i] = (moved[i] - r[i]) / step;
        beside[k] = z[k];
    }
    DenseLu lu;
    if (!lu.factor(n, jacobian)) return false;
    std::vector<double> change = r;
    lu.solve(change);
    for (std::size_t i = 0; i < n; ++i) z[i] -= change[i];
    return std::all_of(z.begin(), z.end(), [](double v) { return std::isfinite(v); });
}

bool NewValues::newton(const std::vector<std::size_t>& clauses) {
    if (targets_.size() > most_unknowns) return fail();
    std::vector<double> z, r, before;
    for (const Target& target : targets_) {
        if (now_.model.variables[target.variable].is_boolean()) return fail();
        z.push_back(now_.values[now_.layout.previous[target.variable.value]]);
    }
    for (int iteration = 0; iteration < newton_iterations; ++iteration) {
        if (!residuals(clauses, z, r)) return fail();
        const bool zero = std::all_of(r.begin(), r.end(), [](double v) { return v == 0; });
        if (zero) return true;
        before = z;
        if (!newton_step(clauses, z, r)) return fail();
        bool small = true;
        for (std::size_t i = 0; i < z.size(); ++i)
            small = small && std::abs(z[i] - before[i]) <= 1e-14 * std::max(1.0, std::abs(z[i]));
        if (small) return residuals(clauses, z, r) || fail();
    }
    return fail();
}

// Several actions give one variable the same value, and it is a number.
bool NewValues::check() {
    for (const Target& target : targets_) {
        const Setter* first = nullptr;
        double smallest = 0;
        for (const Setter& s : target.setters) {
            if (!counts(s.when, s.action) || s.implicit) continue;
            const double value = now_.values[now_.layout.when_values[s.when][s.action]];
            if (!std::isfinite(value)) {
                if (!now_.report_not_finite(now_.program.when_actions[s.when], now_.time())) return false;
                return now_.fail_in_equations(
                    run_messages::value_not_finite(now_.model, target.variable, now_.time()));
            }
            if (!first) {
                first = &s;
                smallest = value;
                continue;
            }
            const double other = now_.values[now_.layout.when_values[first->when][first->action]];
            if (!same(other, value))
                return now_.fail(run_messages::set_twice(now_.model, target.variable, other, first->where,
                                                         value, s.where, now_.time()));
            smallest = std::min(smallest, value);
        }
        if (first && target.setters.size() > 1) now_.values[target.slot] = smallest;
    }
    return true;
}

bool NewValues::fail() {
    constexpr std::size_t most_named = 10;
    std::vector<std::string> names;
    for (const Target& target : targets_)
        if (names.size() < most_named) names.push_back(now_.model.path(target.variable));
    return now_.fail(
        run_messages::new_values_not_found(now_.model, names, targets_[0].setters[0].where, now_.time()));
}

bool NewValues::solve(const std::vector<std::size_t>& clauses) {
    list_targets(clauses);
    if (targets_.empty()) return compute(clauses);
    bool agreed = false;
    if (!implicit_ && !substitute(clauses, agreed)) return false;
    if (!agreed && !newton(clauses)) return false;
    return check();
}

}  // namespace cutset

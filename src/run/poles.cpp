#include "run/poles.h"

#include <algorithm>
#include <cmath>

#include "run/leaf_values.h"
#include "run/run_messages.h"
#include "transform/parametric_value.h"

namespace cutset {

namespace {

constexpr std::size_t most = 100;  // divisors that are watched: of a large model the first

bool changes_sign(double before, double now) {
    return (before < 0 && now > 0) || (before > 0 && now < 0);
}

// Goes straight to zero and is there but for rounding: behind the last row of a run no other one shows it.
bool lands_on_zero(double second_last, double last, double now) {
    constexpr double rounding = 1e-12, straight = 0.5;
    return std::abs(now) <= rounding * std::abs(last) &&
           std::abs(second_last - 2 * last + now) <= straight * std::abs(last);
}

bool is_divisor(Expr e) {
    return e->op == Op::Tan || (e->op == Op::Power && e->arg(1)->is_number() && e->arg(1)->number < 0);
}

bool is_continuous(const FlatModel& model, Expr leaf) {
    return leaf->op == Op::Time || (leaf->op == Op::Variable &&
                                    model.variables[leaf->variable()].variability == Variability::Continuous);
}

bool varies(const FlatModel& model, Expr e) {
    bool found = false;
    for_each_leaf(e, [&](Expr leaf) { found = found || is_continuous(model, leaf); });
    return found;
}

// Whether e = c + Σ c_i · leaf_i over its continuous leaves; nesting is that of a sum of products.
bool is_affine(const FlatModel& model, Expr e) {
    const auto term = [&](Expr factor) { return factor->argument_count == 0 || !varies(model, factor); };
    const auto product = [&](Expr t) {
        if (t->op != Op::Multiply) return term(t);
        std::size_t varying = 0;
        for (Expr factor : t->args()) {
            if (!term(factor)) return false;
            varying += varies(model, factor);
        }
        return varying <= 1;
    };
    if (e->op != Op::Add) return product(e);
    return std::all_of(e->args().begin(), e->args().end(), product);
}

// What the derivatives of the states need: by loop, and by slot.
struct NeededByStates {
    explicit NeededByStates(const Program& program)
        : loops(program.loops.size()), slots(program.layout.slots) {
        const auto take = [&](const Section& section) {
            for (const Instruction& i : section.instructions) {
                if (i.code == Code::Solve) loops[i.a] = true;
                for_each_slot(i, program.calls, [&](Slot slot, bool written) {
                    if (written) slots[slot] = true;
                });
            }
        };
        take(program.derivatives);
        for (std::size_t i = 0; i < loops.size(); ++i)
            if (loops[i]) take(program.loops[i].residual);
    }
    std::vector<bool> loops, slots;
};

}  // namespace

Poles::Poles(Instant& now) : now_(now) {
    const NeededByStates needed(now.program);
    std::vector<bool> is_state(now.model.variables.size());
    for (VariableIndex x : now.partition.states) is_state[x.value] = true;
    const auto moves_states = [&](Unknown u) {
        return u.order == 0 ? bool(needed.slots[now.layout.variable[u.variable.value]])
                            : bool(is_state[u.variable.value]);
    };
    // First what moves states: expressions share their parts.
    std::unordered_set<Expr> seen;  // looked up only
    for (bool wanted : {true, false})
        for (const Block& block : now.partition.blocks) {
            bool moves = std::any_of(block.torn.begin(), block.torn.end(), moves_states);
            for (const SolvedEquation& s : block.inner) {
                const bool this_moves = moves_states(s.unknown);
                moves = moves || this_moves;
                if (this_moves == wanted && !s.from_initial)
                    collect(s.value, now.model.equations[s.equation].origin, wanted, seen);
            }
            for (const ResidualEquation& r : block.residuals)
                if (moves == wanted && !r.from_initial)
                    collect(r.residual, now.model.equations[r.equation].origin, wanted, seen);
        }
    for (const Eliminated& e : now.partition.eliminated) collect(e.value, e.origin, false, seen);
    // Where states are chosen during the run a matrix changes with them.
    for (std::size_t i = 0; i < now.program.loops.size() && now.selector.empty(); ++i)
        if (const Loop& loop = now.program.loops[i];
            loop.linear && loop.torn.size() <= SmallLu::most && !loop.jacobian_entries.empty())
            matrices_.push_back({&loop, needed.loops[i]});
    find_divisors_of_steps();
}

void Poles::collect(Expr root, const Origin& origin, bool moves_states, std::unordered_set<Expr>& seen) {
    std::vector<Expr> open{root};
    const std::size_t formula = formulas_.size();
    while (!open.empty() && divisors_.size() < most) {
        const Expr e = open.back();
        open.pop_back();
        if (!seen.insert(e).second) continue;  // expressions share their parts
        if (e->op == Op::If || e->op == Op::NoEvent || e->op == Op::Delay) continue;
        open.insert(open.end(), e->args().begin(), e->args().end());
        if (!is_divisor(e) || !varies(now_.model, e->arg(0))) continue;
        if (formulas_.size() == formula) {
            formulas_.push_back({root, origin, moves_states});
            for_each_leaf(root, [&](Expr leaf) { formulas_.back().leaves.push_back(leaf); });
        }
        divisors_.push_back({formula, e->arg(0), e->op == Op::Tan});
    }
}

void Poles::find_divisors_of_steps() {
    const auto& states = now_.partition.states;
    for (std::size_t k = 0; k < divisors_.size(); ++k) {
        const Expr e = divisors_[k].expression;
        if (!formulas_[divisors_[k].formula].moves_states || !is_affine(now_.model, e)) continue;
        bool known = true;
        InSteps found{k};
        for_each_leaf(e, [&](Expr leaf) {
            if (!is_continuous(now_.model, leaf)) return;
            const auto state = leaf->op == Op::Time || leaf->order > 0
                                   ? states.end()
                                   : std::find(states.begin(), states.end(), leaf->variable());
            known = known && (leaf->op == Op::Time || state != states.end());
            found.coefficients.emplace_back(std::size_t(state - states.begin()), 0);
        });
        if (known && now_.residuals.empty() && now_.selector.empty()) steps_.push_back(std::move(found));
    }
}

double Poles::value(const Divisor& d, const Environment& environment) const {
    const double v = evaluate(d.expression, environment).value_or(0);
    return d.cosine ? std::cos(v) : v;
}

// By the values of parameters and discrete variables at hand.
void Poles::take_coefficients() {
    Environment environment = leaf_values(now_, now_.values);
    const auto others = environment.leaf;
    for (InSteps& s : steps_) {
        const Expr e = divisors_[s.divisor].expression;
        const auto at = [&](std::optional<std::size_t> unit) {
            std::size_t k = 0;
            std::vector<std::pair<Expr, double>> varying;
            for_each_leaf(e, [&](Expr leaf) {
                if (is_continuous(now_.model, leaf)) varying.emplace_back(leaf, k++ == unit ? 1.0 : 0.0);
            });
            environment.leaf = [&](Expr leaf) -> std::optional<double> {
                for (const auto& [of, value] : varying)
                    if (of == leaf) return value;
                return others(leaf);
            };
            return evaluate(e, environment).value_or(0);
        };
        s.constant = at(std::nullopt);
        for (std::size_t k = 0; k < s.coefficients.size(); ++k) s.coefficients[k].second = at(k) - s.constant;
    }
}

bool Poles::find_in_step(double t, std::span<const double> x) {
    const std::size_t n = now_.layout.state.size();
    if (!step_known_) take_coefficients();
    const InSteps* passed = nullptr;
    for (InSteps& s : steps_) {
        double now = s.constant;
        for (const auto& [state, coefficient] : s.coefficients)
            now += coefficient * (state < n ? x[state] : t);
        if (divisors_[s.divisor].cosine) now = std::cos(now);
        if (step_known_ && changes_sign(s.last, now)) passed = &s;
        s.last = now;
    }
    const bool goes_on = std::exchange(step_known_, true) && passed;
    const double before = std::exchange(step_time_, t);
    step_states_.swap(step_before_);
    step_states_.assign(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(n));
    if (!goes_on) return true;
    const Divisor& d = divisors_[passed->divisor];
    const Formula& formula = formulas_[d.formula];
    const auto& states = now_.partition.states;
    const Environment others = leaf_values(now_, now_.values);
    std::vector<double> from, to;
    for (Expr leaf : formula.leaves) {
        const auto state = leaf->op == Op::Variable && leaf->order == 0
                               ? std::find(states.begin(), states.end(), leaf->variable())
                               : states.end();
        const std::size_t i = std::size_t(state - states.begin());
        const double other = leaf->op == Op::Time ? t : others.leaf(leaf).value_or(0);
        from.push_back(leaf->op == Op::Time ? before : i < n ? step_before_[i] : other);
        to.push_back(i < n ? x[i] : other);
    }
    return report(d, height(d, from, to), before);
}

// On the straight way from one to the other the divisor has a zero: does the formula grow without bound
// there? A pole is a thousand times higher at a thousandth of the distance.
// By how much a value rises at a millionth and at a billionth of the way from the zero: a pole, by a
// thousand.
Poles::Height Poles::judge(std::optional<double> far, std::optional<double> near) {
    return !far || !near ? Height::Unknown : *near <= 100 * *far ? Height::Bounded : Height::Unbounded;
}

Poles::Height Poles::height(const Divisor& d, std::span<const double> before,
                            std::span<const double> after) const {
    const Formula& formula = formulas_[d.formula];
    double part = 0;
    Environment environment;
    environment.apply = [&](Expr call, std::span<const double> arguments) {
        return table_call_value(now_.model, call, arguments);
    };
    environment.leaf = [&](Expr leaf) -> std::optional<double> {
        const auto found = std::find(formula.leaves.begin(), formula.leaves.end(), leaf);
        if (found == formula.leaves.end()) return std::nullopt;
        const auto i = std::size_t(found - formula.leaves.begin());
        return before[i] + part * (after[i] - before[i]);
    };
    const auto divisor_at = [&](double at) {
        part = at;
        return value(d, environment);
    };
    double low = 0, high = 1;
    const bool rises = divisor_at(0) < 0;
    for (int k = 0; k < 60; ++k) {
        const double middle = low + (high - low) / 2;
        ((divisor_at(middle) < 0) == rises ? low : high) = middle;
    }
    const auto value_at = [&](double at) {
        part = at;
        return evaluate(formula.value, environment);
    };
    // Against the end that is farther away: a zero may lie at one of them but for rounding.
    const auto regular = value_at(low > 0.5 ? 0 : 1);
    const auto rise = [&](double distance) -> std::optional<double> {
        const auto left = value_at(low - distance), right = value_at(low + distance);
        if (!regular || !left || !right) return std::nullopt;
        return std::max(std::abs(*left - *regular), std::abs(*right - *regular));
    };
    return judge(rise(1e-6), rise(1e-9));
}

bool Poles::report(const Divisor& d, Height height, double time) {
    Formula& formula = formulas_[d.formula];
    if (height == Height::Bounded || std::exchange(formula.told, true)) return true;
    const bool ends = formula.moves_states && height == Height::Unbounded;
    now_.report(run_messages::pole_passed(now_.model, d.expression, d.cosine, formula.origin, time, ends));
    return !ends;
}

bool Poles::look(const Interpreter& values, std::size_t row) {
    if (divisors_.empty() && matrices_.empty()) return true;
    const Environment environment = leaf_values(now_, values);
    const double time = values[now_.layout.time];
    const bool follows = last_row_ + 1 == row && time > last_time_ && !same_instant(time, last_time_);
    bool good = true;
    std::vector<double> here;
    for (Divisor& d : divisors_) {
        const double now = value(d, environment), before = std::exchange(d.last, now);
        const double second_last =
            std::exchange(d.second_last, follows ? before : std::numeric_limits<double>::infinity());
        const Formula& formula = formulas_[d.formula];
        if (!follows || formula.told) continue;
        if (!changes_sign(before, now) && !lands_on_zero(second_last, before, now)) continue;
        here.clear();
        for (Expr leaf : formula.leaves) here.push_back(environment.leaf(leaf).value_or(0));
        const double part = before / (before - now);
        const double at = last_time_ + part * (time - last_time_);
        good = report(d, height(d, formula.last, here), at) && good;
    }
    for (Formula& formula : formulas_) {
        formula.last.clear();
        for (Expr leaf : formula.leaves) formula.last.push_back(environment.leaf(leaf).value_or(0));
    }
    good = look_at_matrices(values, follows, time) && good;
    last_row_ = row;
    last_time_ = time;
    return good;
}

int Poles::determinant_sign(const Loop& loop, const Interpreter& values) {
    lu_.clear(loop.torn.size());
    for (const JacobianEntry& e : loop.jacobian_entries) lu_.at(e.row, e.column) = values[e.slot];
    return lu_.factor() ? lu_.determinant_sign() : 0;
}

Poles::Height Poles::height(const Loop& loop, int sign_before, const Interpreter& values) {
    Interpreter there = values;
    const double time = values[now_.layout.time];
    const auto go_to = [&](double part) {
        there.clear_error();
        there[now_.layout.time] = last_time_ + part * (time - last_time_);
        for (std::size_t k = 0; k < row_states_.size(); ++k) {
            const Slot slot = now_.layout.state[k];
            there[slot] = row_states_[k] + part * (values[slot] - row_states_[k]);
        }
        return there.run(now_.program.continuous);
    };
    double low = 0, high = 1;
    for (int k = 0; k < 60 && low < high; ++k) {
        const double middle = low + (high - low) / 2;
        const int sign = go_to(middle) ? determinant_sign(loop, there) : 0;
        if (sign * sign_before >= 0) low = middle;
        if (sign * sign_before <= 0) high = middle;
    }
    const auto solution_at = [&](double part) {
        std::vector<double> solution;
        if (!go_to(part)) return solution;
        for (Slot slot : loop.torn) solution.push_back(there[slot]);
        return solution;
    };
    const std::vector<double> regular = solution_at(low > 0.5 ? 0 : 1);
    const auto rise = [&](double distance) -> std::optional<double> {
        const std::vector<double> left = solution_at(low - distance), right = solution_at(low + distance);
        if (regular.empty() || left.empty() || right.empty()) return std::nullopt;
        double most = 0;
        for (std::size_t i = 0; i < left.size(); ++i)
            most = std::max({most, std::abs(left[i] - regular[i]), std::abs(right[i] - regular[i])});
        return most;
    };
    return judge(rise(1e-6), rise(1e-9));
}

bool Poles::look_at_matrices(const Interpreter& values, bool follows, double time) {
    bool good = true;
    for (Matrix& m : matrices_) {
        const int sign = determinant_sign(*m.loop, values), before = std::exchange(m.sign, sign);
        if (!follows || m.told || before * sign >= 0) continue;
        const Height found = height(*m.loop, before, values);
        if (found == Height::Bounded) continue;
        m.told = true;
        const bool ends = m.moves_states && found == Height::Unbounded;
        now_.report(run_messages::singular_between(now_.model, *m.loop, last_time_, time, ends));
        good = good && !ends;
    }
    if (matrices_.empty()) return good;
    row_states_.clear();
    for (Slot slot : now_.layout.state) row_states_.push_back(values[slot]);
    return good;
}

}  // namespace cutset

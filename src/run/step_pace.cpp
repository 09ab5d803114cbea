#include "run/step_pace.h"

#include <algorithm>
#include <cmath>

#include "run/run_messages.h"

namespace cutset {

namespace {

constexpr double many_steps = 5e5;    // in a run: then steps are looked at
constexpr int looked_at = 40;         // so many in a row
constexpr int fewest_found = 10;      // jumps in them: they are what limits the steps
constexpr double steps_ahead = 4;     // is looked beyond a step, since trials that jump are not accepted
constexpr double too_many = 1e9;      // in a run: no longer worth waiting for
constexpr int hopeless_windows = 10;  // in a row
// A smooth solution costs little for each step, and may get slower: it is reported at `too_many`, and ended
// at as many as no fixed step may have either, after a million of them.
constexpr double most_steps = 1e10;
constexpr int most_windows = 100;
constexpr int most_halvings = 60, fewest_halvings = 20;
constexpr double least_jump = 1e-3;  // of the derivative itself
// What a jump does to a state in a step, in tolerances: less is rounding, not what makes the step short.
constexpr double least_effect = 1e-5;
constexpr double as_long_as_allowed = 0.1;  // part of the longest step: then nothing else limits steps
constexpr double jump_left = 0.25;          // of the change over the whole step

}  // namespace

const SolvedEquation* derivative_equation(const Partition& partition, VariableIndex state) {
    const SolvedEquation* equation = nullptr;
    for (const Block& block : partition.blocks)
        for (const SolvedEquation& solved : block.inner)
            if (solved.unknown == Unknown{state, 1}) equation = &solved;
    return equation;
}

void StepPace::begin(Limits limits) {
    limits_ = std::move(limits);
    steps_ = looks_ = 0;
    begin_ = now_.time();
}

void StepPace::remember(MemoryStream& memory) {
    memory("pace steps", steps_);
    memory("pace begin", begin_);
    memory("looks", looks_);
    memory("found", found_);
    memory("hopeless", hopeless_);
    memory("per run", per_run_);
    memory("at first", at_first_);
    memory.list("states before", before_);
    Jump jump = jump_.value_or(Jump{});
    bool has_jump = jump_.has_value();
    memory("has jump", has_jump);
    memory("jump state", jump.state);
    memory("jump time", jump.time);
    memory("jump before", jump.before);
    memory("jump after", jump.after);
    memory("pace told", reported_);
    memory("long", long_);
    memory("long told", long_reported_);
    if (jump.state >= std::max<std::size_t>(now_.partition.states.size(), 1)) memory.fail();
    if (memory.restores()) jump_ = has_jump ? std::optional(jump) : std::nullopt;
}

bool StepPace::look(Integrator& integrator, double from, double reached, std::span<const double> x) {
    if (looks_ > 0) {
        --looks_;
        if (const auto jump = find_jump(from, reached, x)) {
            ++found_;
            jump_ = jump;
        }
        return looks_ > 0 || judge(integrator, reached, x);
    }
    const double part = (reached - begin_) / now_.length();
    per_run_ = static_cast<double>(steps_) / std::max(part, 1e-300);
    const double mean_step = (reached - begin_) / static_cast<double>(steps_);
    steps_ = 0;
    begin_ = reached;
    if (per_run_ > many_steps && mean_step < as_long_as_allowed * limits_.longest_step) {
        looks_ = looked_at;
        found_ = 0;
    } else {
        hopeless_ = long_ = 0;
    }
    return true;
}

// Of a smooth solution whose states all move; the fastest is named.
bool StepPace::judge_smooth(double reached, std::span<const double> x) {
    long_ = per_run_ > too_many ? long_ + 1 : 0;
    const bool fails = long_ >= most_windows && per_run_ > most_steps;
    if (long_ < hopeless_windows || (long_reported_ && !fails)) return true;
    std::vector<double> derivatives(x.size());
    if (rhs_.derivatives(reached, x, derivatives) != 0) return true;
    std::size_t fastest = 0;
    double largest = 0;
    for (std::size_t i = 0; i < now_.layout.state.size(); ++i) {
        const double rate =
            std::abs(derivatives[i]) / (limits_.absolute[i] + limits_.relative * std::abs(x[i]));
        if (rate > largest) {
            largest = rate;
            fastest = i;
        }
    }
    if (largest == 0) return true;
    const VariableIndex state = now_.partition.states[fastest];
    Diagnostic d =
        run_messages::too_many_steps(now_.model, now_.selector.stands_for(state),
                                     derivative_equation(now_.partition, state), per_run_, reached, fails);
    if (fails) return now_.fail(std::move(d));
    long_reported_ = true;
    now_.report(std::move(d));
    return true;
}

bool StepPace::judge(Integrator& integrator, double reached, std::span<const double> x) {
    const bool jumps = found_ >= fewest_found;
    if (!jumps) {
        hopeless_ = 0;
        return judge_smooth(reached, x);
    }
    long_ = 0;
    if (at_first_ == 0) {
        at_first_ = per_run_;
        integrator.expect_jumps();  // that may help
        return true;
    }
    if (per_run_ < at_first_) integrator.expect_jumps();
    hopeless_ = per_run_ > too_many ? hopeless_ + 1 : 0;
    const bool fails = hopeless_ >= hopeless_windows;
    if (reported_ && !fails) return true;
    const VariableIndex state = now_.partition.states[jump_->state];
    Diagnostic d = run_messages::derivative_jumps(
        now_.model,
        {now_.selector.stands_for(state), derivative_equation(now_.partition, state), jump_->before,
         jump_->after},
        per_run_, jump_->time, fails);
    if (fails) return now_.fail(std::move(d));
    reported_ = true;
    now_.report(std::move(d));
    return true;
}

// In the step, or beyond it where the solution goes.
std::optional<StepPace::Jump> StepPace::find_jump(double from, double to, std::span<const double> x) {
    auto found = jump_between(from, before_, to, {x.begin(), x.end()});
    std::vector<double> derivatives(x.size());
    const bool good = rhs_.derivatives(to, x, derivatives) == 0;
    if (!found && good) {
        const double ahead = steps_ahead * (to - from);
        std::vector<double> there(x.begin(), x.end());
        for (std::size_t i = 0; i < now_.layout.state.size(); ++i) there[i] += ahead * derivatives[i];
        found = jump_between(to, {x.begin(), x.end()}, to + ahead, std::move(there));
        rhs_.derivatives(to, x, derivatives);  // the values as at the end of the step
    }
    now_.stop = false;  // the run itself has not failed
    return found;
}

// The largest change of a derivative between two points, if it is a jump.
std::optional<StepPace::Jump> StepPace::jump_between(double t_left, std::vector<double> left, double t_right,
                                                     std::vector<double> right) {
    const std::size_t n = left.size();
    std::vector<double> middle(n), left_derivatives(n), right_derivatives(n), middle_derivatives(n);
    bool good = rhs_.derivatives(t_left, left, left_derivatives) == 0 &&
                rhs_.derivatives(t_right, right, right_derivatives) == 0;
    std::size_t state = 0;
    double largest = 0;
    for (std::size_t i = 0; i < now_.layout.state.size() && good; ++i) {
        const double change = std::abs(right_derivatives[i] - left_derivatives[i]);
        if (change < least_jump * std::max(std::abs(left_derivatives[i]), std::abs(right_derivatives[i])))
            continue;
        const double tolerance = limits_.absolute[i] + limits_.relative * std::abs(right[i]);
        const double scaled = change / tolerance;
        if (scaled * (t_right - t_left) > least_effect && scaled > largest) {
            largest = scaled;
            state = i;
        }
    }
    if (largest == 0) return std::nullopt;
    const double change = std::abs(right_derivatives[state] - left_derivatives[state]);
    int halvings = 0;
    for (; good && halvings < most_halvings; ++halvings) {
        const double t = t_left + (t_right - t_left) / 2;
        for (std::size_t i = 0; i < n; ++i) middle[i] = left[i] + (right[i] - left[i]) / 2;
        if ((t == t_left || t == t_right) && (middle == left || middle == right)) break;
        good = rhs_.derivatives(t, middle, middle_derivatives) == 0;
        const double at = middle_derivatives[state];
        const bool goes_left =
            std::abs(at - left_derivatives[state]) > std::abs(right_derivatives[state] - at);
        (goes_left ? t_right : t_left) = t;
        (goes_left ? right : left).swap(middle);
        (goes_left ? right_derivatives : left_derivatives).swap(middle_derivatives);
        good = good && std::abs(right_derivatives[state] - left_derivatives[state]) >= jump_left * change;
    }
    if (!good || halvings < fewest_halvings) return std::nullopt;
    return Jump{state, t_left, left_derivatives[state], right_derivatives[state]};
}

}  // namespace cutset

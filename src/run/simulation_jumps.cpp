// Where derivatives jump without an event (conditions in functions, noevent) and both sides push back to the
// jump, no method gets on: steps are as short as the tolerance over the jump. What looks like that is told
// from smooth but fast solutions by halving steps: a jump stays as large however near its two sides are.
#include <algorithm>
#include <cmath>

#include "run/run_messages.h"
#include "run/simulation.h"

namespace cutset {

namespace {

constexpr double many_steps = 5e5;    // in a run: then steps are looked at
constexpr int looked_at = 40;         // so many in a row
constexpr int fewest_found = 10;      // jumps in them: they are what limits the steps
constexpr double steps_ahead = 4;     // is looked beyond a step, since trials that jump are not accepted
constexpr double too_many = 1e9;      // in a run: no longer worth waiting for
constexpr int hopeless_windows = 10;  // in a row
constexpr int most_halvings = 60, fewest_halvings = 20;
constexpr double least_jump = 1e-3;  // of the derivative itself
// What a jump does to a state in a step, in tolerances: less is rounding, not what makes the step short.
constexpr double least_effect = 1e-5;
constexpr double as_long_as_allowed = 0.1;  // part of the longest step: then nothing else limits steps
constexpr double jump_left = 0.25;          // of the change over the whole step

}  // namespace

bool Simulation::watch_pace(Integrator& integrator, double from, double reached, std::span<const double> x) {
    if (pace_.looks > 0) {
        --pace_.looks;
        if (const auto jump = find_jump(from, reached, x)) {
            ++pace_.found;
            pace_.jump = jump;
        }
        return pace_.looks > 0 || judge_jumps(integrator);
    }
    const double part = (reached - pace_.begin) / (options_.stop - options_.start);
    pace_.per_run = static_cast<double>(pace_.steps) / std::max(part, 1e-300);
    const double mean_step = (reached - pace_.begin) / static_cast<double>(pace_.steps);
    pace_.steps = 0;
    pace_.begin = reached;
    if (pace_.per_run > many_steps && mean_step < as_long_as_allowed * pace_.longest) {
        pace_.looks = looked_at;
        pace_.found = 0;
    } else {
        pace_.hopeless = 0;
    }
    return true;
}

bool Simulation::judge_jumps(Integrator& integrator) {
    const bool jumps = pace_.found >= fewest_found;
    if (jumps && pace_.at_first == 0) {
        pace_.at_first = pace_.per_run;
        integrator.expect_jumps();  // that may help
        return true;
    }
    if (jumps && pace_.per_run < pace_.at_first) integrator.expect_jumps();
    pace_.hopeless = jumps && pace_.per_run > too_many ? pace_.hopeless + 1 : 0;
    const bool fails = pace_.hopeless >= hopeless_windows;
    if (!jumps || (pace_.told && !fails)) return true;
    const VariableIndex state = partition_.states[pace_.jump->state];
    Diagnostic d = run_messages::derivative_jumps(
        model_, {selector_.stands_for(state), rate_equation(state), pace_.jump->before, pace_.jump->after},
        pace_.per_run, pace_.jump->time, fails);
    if (fails) return fail(std::move(d));
    pace_.told = true;
    diagnostics_.report(std::move(d));
    return true;
}

// In the step, or beyond it where the solution goes.
std::optional<Simulation::RateJump> Simulation::find_jump(double from, double to, std::span<const double> x) {
    auto found = jump_between(from, pace_.before, to, {x.begin(), x.end()});
    std::vector<double> rates(x.size());
    const bool good = derivatives(to, x, rates) == 0;
    if (!found && good) {
        const double ahead = steps_ahead * (to - from);
        std::vector<double> there(x.begin(), x.end());
        for (std::size_t i = 0; i < layout_.state.size(); ++i) there[i] += ahead * rates[i];
        found = jump_between(to, {x.begin(), x.end()}, to + ahead, std::move(there));
        derivatives(to, x, rates);  // main_ as at the end of the step
    }
    stop_now_ = false;  // the run itself has not failed
    return found;
}

// The largest change of a derivative between two points, if it is a jump.
std::optional<Simulation::RateJump> Simulation::jump_between(double t_left, std::vector<double> left,
                                                             double t_right, std::vector<double> right) {
    const std::size_t n = left.size();
    std::vector<double> middle(n), left_rates(n), right_rates(n), middle_rates(n);
    bool good = derivatives(t_left, left, left_rates) == 0 && derivatives(t_right, right, right_rates) == 0;
    std::size_t state = 0;
    double largest = 0;
    for (std::size_t i = 0; i < layout_.state.size() && good; ++i) {
        const double change = std::abs(right_rates[i] - left_rates[i]);
        if (change < least_jump * std::max(std::abs(left_rates[i]), std::abs(right_rates[i]))) continue;
        const double tolerance = tolerances_[i] + smallest_crossing_ * std::abs(right[i]);
        const double scaled = change / tolerance;
        if (scaled * (t_right - t_left) > least_effect && scaled > largest) {
            largest = scaled;
            state = i;
        }
    }
    if (largest == 0) return std::nullopt;
    const double change = std::abs(right_rates[state] - left_rates[state]);
    int halvings = 0;
    for (; good && halvings < most_halvings; ++halvings) {
        const double t = t_left + (t_right - t_left) / 2;
        for (std::size_t i = 0; i < n; ++i) middle[i] = left[i] + (right[i] - left[i]) / 2;
        if ((t == t_left || t == t_right) && (middle == left || middle == right)) break;
        good = derivatives(t, middle, middle_rates) == 0;
        const double at = middle_rates[state];
        const bool goes_left = std::abs(at - left_rates[state]) > std::abs(right_rates[state] - at);
        (goes_left ? t_right : t_left) = t;
        (goes_left ? right : left).swap(middle);
        (goes_left ? right_rates : left_rates).swap(middle_rates);
        good = good && std::abs(right_rates[state] - left_rates[state]) >= jump_left * change;
    }
    if (!good || halvings < fewest_halvings) return std::nullopt;
    return RateJump{state, t_left, left_rates[state], right_rates[state]};
}

}  // namespace cutset

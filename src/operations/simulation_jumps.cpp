// Where derivatives jump without an event (conditions in functions, noevent) and both sides push back to the
// jump, no method gets on: steps are as short as the tolerance over the jump. What looks like that is told
// from smooth but fast solutions by halving steps: a jump stays as large however near its two sides are.
#include <algorithm>
#include <cmath>

#include "operations/run_messages.h"
#include "operations/simulation.h"

namespace cutset {

namespace {

constexpr double many_steps = 5e5;    // in a run: then steps are looked at
constexpr int looked_at = 40;         // so many in a row
constexpr double too_many = 1e9;      // in a run: no longer worth waiting for
constexpr int hopeless_windows = 10;  // in a row
constexpr int most_halvings = 60, fewest_halvings = 20;
constexpr double least_jump = 1e-3;  // of the derivative itself
constexpr double jump_left = 0.25;   // of the change over the whole step

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
    pace_.steps = 0;
    pace_.begin = reached;
    if (pace_.per_run > many_steps) {
        pace_.looks = looked_at;
        pace_.found = 0;
    } else {
        pace_.hopeless = 0;
    }
    return true;
}

bool Simulation::judge_jumps(Integrator& integrator) {
    if (pace_.found > 0 && pace_.at_first == 0) {
        pace_.at_first = pace_.per_run;
        integrator.expect_jumps();  // that may help
        return true;
    }
    if (pace_.found > 0 && pace_.per_run < pace_.at_first) integrator.expect_jumps();
    const bool hopeless = pace_.found > 0 && pace_.per_run > too_many;
    pace_.hopeless = hopeless ? pace_.hopeless + 1 : 0;
    const bool fails = pace_.hopeless >= hopeless_windows;
    if (pace_.found == 0 || (pace_.told && !fails)) return true;
    const VariableIndex state = partition_.states[pace_.jump->state];
    Diagnostic d = run_messages::derivative_jumps(
        model_, {selector_.stands_for(state), rate_equation(state), pace_.jump->before, pace_.jump->after},
        pace_.per_run, pace_.jump->time, fails);
    if (fails) return fail(std::move(d));
    pace_.told = true;
    diagnostics_.report(std::move(d));
    return true;
}

// The largest change of a derivative in the step, if it is a jump.
std::optional<Simulation::RateJump> Simulation::find_jump(double from, double to, std::span<const double> x) {
    const std::size_t states = layout_.state.size();
    std::vector<double> left = pace_.before, right(x.begin(), x.end()), middle(x.size());
    std::vector<double> left_rates(x.size()), right_rates(x.size()), middle_rates(x.size());
    double t_left = from, t_right = to;
    bool good = derivatives(t_left, left, left_rates) == 0 && derivatives(t_right, right, right_rates) == 0;
    std::size_t state = 0;
    double largest = 0;
    for (std::size_t i = 0; i < states && good; ++i) {
        const double change = std::abs(right_rates[i] - left_rates[i]);
        if (change < least_jump * std::max(std::abs(left_rates[i]), std::abs(right_rates[i]))) continue;
        const double scaled = change / (tolerances_[i] + smallest_crossing_ * std::abs(x[i]));
        if (scaled > largest) {
            largest = scaled;
            state = i;
        }
    }
    good = good && largest > 0;
    const double change = good ? std::abs(right_rates[state] - left_rates[state]) : 0;
    int halvings = 0;
    for (; good && halvings < most_halvings; ++halvings) {
        const double t = t_left + (t_right - t_left) / 2;
        for (std::size_t i = 0; i < x.size(); ++i) middle[i] = left[i] + (right[i] - left[i]) / 2;
        if ((t == t_left || t == t_right) && (middle == left || middle == right)) break;
        good = derivatives(t, middle, middle_rates) == 0;
        const double at = middle_rates[state];
        const bool goes_left = std::abs(at - left_rates[state]) > std::abs(right_rates[state] - at);
        (goes_left ? t_right : t_left) = t;
        (goes_left ? right : left).swap(middle);
        (goes_left ? right_rates : left_rates).swap(middle_rates);
        good = good && std::abs(right_rates[state] - left_rates[state]) >= jump_left * change;
    }
    derivatives(to, x, middle_rates);  // main_ as at the end of the step
    stop_now_ = false;                 // the run itself has not failed
    if (!good || halvings < fewest_halvings) return std::nullopt;
    return RateJump{state, t_left, left_rates[state], right_rates[state]};
}

}  // namespace cutset

#include "run/tolerances.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "run/step_limit.h"

namespace cutset {

namespace {

double local_tolerance(const Instant& now) {
    const SimulateOptions& options = now.options;
    const bool one_step = options.solver == Solver::Dopri || options.solver == Solver::Radau;
    double share = one_step ? 0.01 : 0.003;
    // Constraints without damping: errors of a phase grow with the square of the time, and a state counts for
    // several variables.
    if (!now.selector.empty()) share *= 0.03;
    return options.local_tolerance.value_or(
        std::min(options.tolerance, std::max(share * options.tolerance, 1e-13)));
}

double scale_of(const Instant& now, const GivenValues& given, VariableIndex state) {
    const Variable& variable = now.model.variables[now.selector.stands_for(state)];
    const double value = now.values[now.layout.variable[state.value]];
    double scale = 1;
    if (variable.nominal)
        scale = std::abs(*variable.nominal);
    else if (variable.minimum && variable.maximum)
        scale = std::max(std::abs(*variable.minimum), std::abs(*variable.maximum));
    else if ((variable.start || given.is_start_given(state)) && value != 0)
        scale = std::abs(value);
    return scale > 0 && std::isfinite(scale) ? scale : 1;
}

}  // namespace

Tolerances choose_tolerances(Instant& now, const GivenValues& given) {
    const double local = local_tolerance(now);
    Tolerances t{local, {}};
    std::vector<double>& scales = now.state.scales;
    scales.resize(now.partition.states.size(), 0);
    for (std::size_t i = 0; i < scales.size(); ++i) {
        if (!(scales[i] > 0)) scales[i] = scale_of(now, given, now.partition.states[i]);
        t.absolute.push_back(now.options.absolute ? *now.options.absolute : local * scales[i]);
    }
    // A derivative is as large as its state over the shortest time that matters; and it needs no accuracy of
    // its own, its state has it.
    const double short_time = 1e-4 * now.length();
    for (std::size_t i = 0; i < now.residuals.nominals().size(); ++i)
        t.absolute.push_back(local * now.residuals.nominals()[i] *
                             (now.residuals.orders()[i] > 0 ? std::max(1.0, 1 / short_time) : 1.0));
    if (t.absolute.empty()) t.absolute = {local};
    return t;
}

double longest_step(const Instant& now, const Environment& values) {
    double step = now.length() / fewest_steps(now.partition);
    for (Expr frequency : frequencies(now.partition))
        if (const auto omega = evaluate(frequency, values); omega && *omega != 0 && std::isfinite(*omega))
            step = std::min(step,
                            2 * std::numbers::pi / std::abs(*omega) / fewest_steps_of_period(now.partition));
    return step;
}

}  // namespace cutset

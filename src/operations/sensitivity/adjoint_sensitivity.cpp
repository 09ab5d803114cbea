#include "operations/sensitivity/adjoint_sensitivity.h"

#include <algorithm>
#include <cmath>

namespace cutset {

namespace {
constexpr std::size_t most_parts = 300;  // each keeps the values of all slots
}  // namespace

AdjointSensitivities::AdjointSensitivities(const Program& program, const SensitivitySettings& settings,
                                           std::vector<SensitivityParameter> parameters)
    : run_(program, settings), parameters_(std::move(parameters)) {}

void AdjointSensitivities::start(const Interpreter& values) {
    parts_.clear();
    start_values_.assign(values.values().begin(), values.values().end());
    for (Slot slot = 0; slot < run_.layout.slots; ++slot) run_.tape.set_varying(slot, false);
    for (const SensitivityParameter& p : parameters_)
        for (Slot slot : p.slots) run_.tape.set_varying(slot, true);
    // To know what varies.
    run_.take(values);
    run_.record({&run_.program.parameters, &run_.program.initial, &run_.program.clocks});
}

void AdjointSensitivities::continues(const Interpreter& values) {
    time_ = values[run_.layout.time];
    if (!good()) return;
    if (parts_.size() == most_parts) {
        run_.fail("there are many events");
        return;
    }
    run_.take(values);
    if (!run_.record({&run_.program.fixed, &run_.program.stepwise})) return;
    for (Slot slot : run_.layout.state) run_.tape.set_varying(slot, true);
    parts_.push_back({RunPath(run_.states), {values.values().begin(), values.values().end()}, {}, {}, {}});
}

void AdjointSensitivities::step(Integrator& integrator, double from, double to) {
    time_ = to;
    if (good()) parts_.back().path.add(integrator, from, to);
}

void AdjointSensitivities::event_comes(const Interpreter& values) {
    if (good()) parts_.back().before.assign(values.values().begin(), values.values().end());
}

void AdjointSensitivities::event_begins(const EventCause& cause) {
    if (!good()) return;
    if (cause.instants.size() + cause.clocks.size() + (cause.crossing ? 1 : 0) > 1)
        run_.fail("events coincide");
    parts_.back().cause = cause;
}

void AdjointSensitivities::whens(const Interpreter&, std::span<const std::size_t>,
                                 std::span<const Assignment> discrete, std::span<const Assignment> states,
                                 bool) {
    if (!discrete.empty() || !states.empty()) run_.fail("when clauses act");
}

void AdjointSensitivities::event_ends(const Interpreter& values, bool terminated) {
    if (!good()) return;
    if (terminated) {
        run_.fail("the model ends the run");
        return;
    }
    if (parts_.empty()) return;
    for (Slot slot : run_.layout.derivative) parts_.back().rates_after.push_back(values[slot]);
}

bool AdjointSensitivities::integrate(const Part& part, std::vector<double>& adjoints) {
    const std::size_t n = run_.states;
    if (n == 0 || part.path.empty()) return true;
    const Layout& layout = run_.layout;
    const Slot first_state = layout.state[0], first_rate = layout.derivative[0];
    run_.take(part.values);
    if (!run_.record({&run_.program.fixed, &run_.program.stepwise})) return false;
    std::vector<Slot> leaves;  // what stays as it is in this part
    for (Slot slot = 0; slot < layout.slots; ++slot)
        if (run_.tape.varies(slot) && (slot < first_state || slot >= first_state + n) &&
            (slot < first_rate || slot >= first_rate + n))
            leaves.push_back(slot);

    const double end = part.path.end();
    std::vector<double> work(layout.slots, 0);
    double at = std::numeric_limits<double>::quiet_NaN();
    // work := adjoints of all that f depends on, from those of f; false when that fails
    const auto hand_on = [&](double back, std::span<const double> l) {
        const double t = end - back;
        if (back != at) {
            run_.move_to(t, part.path);
            at = std::numeric_limits<double>::quiet_NaN();
            if (!run_.record({&run_.program.derivatives}, true)) return false;
            at = back;
        }
        std::fill(work.begin(), work.end(), 0.0);
        std::copy(l.begin(), l.end(), work.begin() + first_rate);
        run_.tape.backward(work);
        return true;
    };
    const double tolerance = std::clamp(0.03 * run_.settings.tolerance, 1e-12, 1e-4);
    std::vector<double> sizes(n, 0), l(adjoints.begin() + first_state, adjoints.begin() + first_state + n);
    part.path.largest(sizes);
    double total = 0;
    for (std::size_t i = 0; i < n; ++i)
        total = std::max(total, std::abs(l[i]) * (sizes[i] > 0 ? sizes[i] : 1));
    if (total == 0) return true;  // nothing depends on the states
    IvpProblem p;
    p.n = n;
    p.rhs = [&](double back, std::span<const double> now, std::span<double> rate) {
        if (!hand_on(back, now)) return -1;
        std::copy_n(work.begin() + first_state, n, rate.begin());
        return 0;
    };
    p.jacobian = run_.jacobian(1, true, [&](double back) {
        run_.move_to(end - back, part.path);
        at = std::numeric_limits<double>::quiet_NaN();
    });
    p.relative_tolerance = tolerance;
    p.absolute_tolerance.clear();
    for (std::size_t i = 0; i < n; ++i)
        p.absolute_tolerance.push_back(tolerance * total / (sizes[i] > 0 ? sizes[i] : 1));
    p.interrupt = run_.settings.interrupt;
    const auto integrator = make_integrator(Solver::Auto, std::move(p));
    const double length = end - part.path.begin();
    integrator->start(0, l);
    std::vector<double> sums(leaves.size(), 0);
    const auto add = [&](double back, double weight) {
        integrator->interpolate(back, l);
        if (!hand_on(back, l)) return false;
        for (std::size_t k = 0; k < leaves.size(); ++k) sums[k] += weight * work[leaves[k]];
        return true;
    };
    while (integrator->time() < length) {
        const StepResult step = integrator->step(length);
        if (step.status == StepStatus::Interrupted) return run_.fail("interrupted");
        if (step.status != StepStatus::Ok)
            return run_.fail("the adjoint equations could not be integrated: " +
                             integrator->failure_reason());
        // Lobatto's rule with four points, exact for degree five.
        const double h = step.time - step.from, place = 0.5 - 0.5 / std::sqrt(5.0);
        if (!add(step.from, h / 12) || !add(step.from + place * h, 5 * h / 12) ||
            !add(step.time - place * h, 5 * h / 12) || !add(step.time, h / 12))
            return false;
    }
    std::copy(integrator->state().begin(), integrator->state().end(), adjoints.begin() + first_state);
    for (std::size_t k = 0; k < leaves.size(); ++k) adjoints[leaves[k]] += sums[k];
    return true;
}

bool AdjointSensitivities::pass_event(const Part& part, std::vector<double>& adjoints) {
    const Layout& layout = run_.layout;
    double jump = 0;
    for (std::size_t i = 0; i < run_.states; ++i)
        jump += adjoints[layout.state[i]] * (part.before[layout.derivative[i]] - part.rates_after[i]);
    if (jump == 0) return true;
    if (part.cause.clock) {
        const auto [first, period] = layout.clock_parameters[*part.cause.clock];
        adjoints[first] += jump;
        adjoints[period] += jump * part.cause.tick;
        return true;
    }
    if (!part.cause.crossing && !part.cause.instant) return true;
    run_.take(part.before);
    run_.tape.set_varying(layout.time, true);
    std::vector<double> derivatives;
    for (Slot slot : layout.derivative) derivatives.push_back(part.before[slot]);
    if (part.cause.instant) {
        if (!run_.record({&run_.program.continuous, &run_.program.crossings}, true)) return false;
        adjoints[layout.instants[*part.cause.instant]] += jump;
    } else {
        if (!run_.record({&run_.program.continuous, &run_.program.crossings})) return false;
        const Slot g = layout.crossings[*part.cause.crossing];
        std::vector<double> along(layout.slots, 0);
        along[layout.time] = 1;
        for (std::size_t i = 0; i < run_.states; ++i) along[layout.state[i]] = derivatives[i];
        run_.tape.forward(along, 1);
        if (along[g] == 0) return run_.fail("a zero-crossing function only touches zero at an event");
        if (!run_.record({&run_.program.continuous, &run_.program.crossings}, true)) return false;
        adjoints[g] -= jump / along[g];
    }
    run_.tape.backward(adjoints);
    adjoints[layout.time] = 0;
    run_.tape.set_varying(layout.time, false);
    return true;
}

bool AdjointSensitivities::gradient(Slot output, std::span<double> by_parameter) {
    if (!good()) return false;
    if (parts_.empty()) return run_.fail("the run did not begin");
    std::vector<double> adjoints(run_.layout.slots, 0);
    // The initialization of the last gradient may have found states that nothing varies there.
    for (Slot slot : run_.layout.state) run_.tape.set_varying(slot, true);
    run_.take(parts_.back().values);
    if (!parts_.back().path.empty()) {
        run_.move_to(parts_.back().path.end(), parts_.back().path);
    }
    if (!run_.record({&run_.program.continuous, &run_.program.eliminated}, true)) return false;
    end_values_.assign(run_.values.values().begin(), run_.values.values().end());
    adjoints[output] = 1;
    run_.tape.backward(adjoints);
    for (std::size_t k = parts_.size(); k-- > 0;) {
        if (!integrate(parts_[k], adjoints)) return false;
        run_.take(parts_[k].values);
        if (!run_.record({&run_.program.stepwise}, true)) return false;
        run_.tape.backward(adjoints);
        if (k == 0) {
            if (!run_.record({&run_.program.fixed}, true)) return false;
            run_.tape.backward(adjoints);
        } else if (!pass_event(parts_[k - 1], adjoints)) {
            return false;
        }
    }
    run_.take(start_values_);
    if (!run_.record({&run_.program.parameters, &run_.program.initial, &run_.program.clocks}, true))
        return false;
    run_.tape.backward(adjoints);
    for (std::size_t j = 0; j < parameters_.size(); ++j) {
        by_parameter[j] = 0;
        for (Slot slot : parameters_[j].slots) by_parameter[j] += adjoints[slot];
    }
    run_.take(end_values_);
    return true;
}

}  // namespace cutset

#include "operations/sensitivity/forward_sensitivity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cutset {

namespace {
constexpr int most_rounds = 50;  // of when clauses whose values depend on each other
}  // namespace

ForwardSensitivities::ForwardSensitivities(const Program& program, const SensitivitySettings& settings,
                                           std::vector<SensitivityParameter> parameters,
                                           std::vector<Slot> outputs, std::vector<double> times)
    : run_(program, settings),
      parameters_(std::move(parameters)),
      outputs_(std::move(outputs)),
      times_(std::move(times)),
      width_(parameters_.size()),
      path_(program.layout.state.size()) {}

void ForwardSensitivities::copy_tangents(Slot to, Slot from) {
    std::copy_n(tangents(from), width_, tangents(to));
    run_.tape.set_varying(to, run_.tape.varies(from));
}

// pre(v) of the next event.
void ForwardSensitivities::keep_previous() {
    for (std::size_t v = 0; v < run_.layout.previous.size(); ++v)
        if (run_.layout.previous[v]) copy_tangents(run_.layout.previous[v], run_.layout.variable[v]);
}

bool ForwardSensitivities::run(std::initializer_list<const Section*> sections) {
    if (!run_.record(sections)) return false;
    run_.tape.forward(tangents_, width_);
    return true;
}

void ForwardSensitivities::start(const Interpreter& values) {
    if (!good()) return;
    // An initial value that is tried again begins anew.
    tangents_.assign(run_.layout.slots * width_, 0);
    for (Slot slot = 0; slot < run_.layout.slots; ++slot) run_.tape.set_varying(slot, false);
    shift_.assign(width_, 0);
    sizes_.assign(run_.states, 0);
    begun_ = false;
    for (std::size_t j = 0; j < width_; ++j)
        for (Slot slot : parameters_[j].slots) {
            tangents(slot)[j] = 1;
            run_.tape.set_varying(slot, true);
        }
    run_.take(values);
    if (!run({&run_.program.parameters, &run_.program.initial, &run_.program.clocks})) return;
    keep_previous();
}

void ForwardSensitivities::continues(const Interpreter& values) {
    if (!good()) return;
    run_.take(values);
    time_ = values[run_.layout.time];
    if (!begun_ && !run({&run_.program.fixed})) return;
    if (!run({&run_.program.stepwise})) return;
    for (Slot slot : run_.layout.state) run_.tape.set_varying(slot, true);
    if (!begun_) write_until(nullptr, -std::numeric_limits<double>::infinity(), time_);
    begun_ = true;
    path_.clear();
}

void ForwardSensitivities::step(Integrator& integrator, double from, double to) {
    time_ = to;
    if (good()) path_.add(integrator, from, to);
}

SensitivityRow ForwardSensitivities::outputs_at(double t) {
    SensitivityRow row;
    row.time = t;
    if (!run({&run_.program.continuous, &run_.program.eliminated})) return row;
    for (Slot slot : outputs_) {
        row.values.push_back(run_.values[slot]);
        row.derivatives.insert(row.derivatives.end(), tangents(slot), tangents(slot) + width_);
    }
    return row;
}

// Rows in (from, to], with the derivatives of the states from the integrator, or as they are.
void ForwardSensitivities::write_until(Integrator* integrator, double from, double to) {
    const auto first = std::upper_bound(times_.begin(), times_.end(), from);
    for (auto at = first; at != times_.end() && *at <= to && good(); ++at) {
        if (!path_.empty()) run_.move_to(*at, path_);
        if (integrator) integrator->interpolate(*at, {tangents(run_.layout.state[0]), run_.states * width_});
        rows_.push_back(outputs_at(*at));
    }
}

// The derivatives of the states over the path recorded since the last event; they end in their slots.
bool ForwardSensitivities::integrate() {
    if (!good() || path_.empty()) return good();
    const std::size_t n = run_.states;
    if (n == 0 || width_ == 0) {
        write_until(nullptr, path_.begin(), path_.end());
        run_.move_to(path_.end(), path_);
        return good();
    }
    path_.largest(sizes_);
    const double tolerance = std::clamp(0.03 * run_.settings.tolerance, 1e-12, 1e-4);
    IvpProblem p;
    p.n = n * width_;
    double at = std::numeric_limits<double>::quiet_NaN();  // of the tape
    p.rhs = [&](double t, std::span<const double> s, std::span<double> ds) {
        if (t != at) {
            run_.move_to(t, path_);
            at = std::numeric_limits<double>::quiet_NaN();
            if (!run_.record({&run_.program.derivatives})) return -1;
            at = t;
        }
        std::copy(s.begin(), s.end(), tangents(run_.layout.state[0]));
        run_.tape.forward(tangents_, width_);
        std::copy_n(tangents(run_.layout.derivative[0]), n * width_, ds.begin());
        return 0;
    };
    p.jacobian = run_.jacobian(width_, false, [&](double t) {
        run_.move_to(t, path_);
        at = std::numeric_limits<double>::quiet_NaN();
    });
    p.relative_tolerance = tolerance;
    p.absolute_tolerance.clear();
    for (std::size_t i = 0; i < n; ++i)
        for (const SensitivityParameter& parameter : parameters_)
            p.absolute_tolerance.push_back(tolerance * (sizes_[i] > 0 ? sizes_[i] : 1) / parameter.size);
    p.interrupt = run_.settings.interrupt;
    const std::vector<double> before(tangents(run_.layout.state[0]),
                                     tangents(run_.layout.state[0]) + n * width_);
    const auto integrator = make_integrator(Solver::Auto, std::move(p));
    integrator->start(path_.begin(), before);
    while (integrator->time() < path_.end()) {
        const StepResult step = integrator->step(path_.end());
        if (step.status == StepStatus::Interrupted) return run_.fail("interrupted");
        if (step.status != StepStatus::Ok)
            return run_.fail("the derivatives could not be integrated: " + integrator->failure_reason());
        write_until(integrator.get(), step.from, step.time);
        at = std::numeric_limits<double>::quiet_NaN();
        if (!good()) return false;
    }
    std::copy(integrator->state().begin(), integrator->state().end(), tangents(run_.layout.state[0]));
    run_.move_to(path_.end(), path_);
    return true;
}

void ForwardSensitivities::event_comes(const Interpreter& values) {
    if (!integrate()) return;
    run_.take(values);
}

// Whether something else comes at the time of the event that moves otherwise when the parameters change.
bool ForwardSensitivities::comes_apart(const EventCause& cause) const {
    const Layout& layout = run_.layout;
    const auto differs = [&](std::size_t j, double shift) {
        return std::abs(shift - shift_[j]) > 1e-9 * (std::abs(shift) + std::abs(shift_[j]));
    };
    for (std::size_t j = 0; j < width_; ++j) {
        for (std::size_t i : cause.instants)
            if (differs(j, tangents_[layout.instants[i] * width_ + j])) return true;
        for (const auto& [clock, tick] : cause.clocks) {
            const auto [first, period] = layout.clock_parameters[clock];
            if (differs(j, tangents_[first * width_ + j] + tick * tangents_[period * width_ + j]))
                return true;
        }
    }
    return false;
}

void ForwardSensitivities::event_begins(const EventCause& cause) {
    if (!good()) return;
    const Layout& layout = run_.layout;
    // At the place where the event was found; its own switch has not changed yet.
    const std::vector<double> derivatives(run_.derivatives().begin(), run_.derivatives().end());
    shift_.assign(width_, 0);
    run_.tape.set_varying(layout.time, true);
    if (cause.crossing || cause.instant) {
        if (!run({&run_.program.continuous, &run_.program.crossings})) return;
        if (cause.instant) {
            std::copy_n(tangents(layout.instants[*cause.instant]), width_, shift_.begin());
        } else {
            // The same tape in the direction of the motion itself.
            const Slot g = layout.crossings[*cause.crossing];
            std::vector<double> along(layout.slots, 0);
            along[layout.time] = 1;
            for (std::size_t i = 0; i < run_.states; ++i) along[layout.state[i]] = derivatives[i];
            run_.tape.forward(along, 1);
            for (std::size_t j = 0; j < width_; ++j) {
                const double by_parameter = tangents(g)[j];
                if (by_parameter == 0) continue;
                shift_[j] = -by_parameter / along[g];
                if (!std::isfinite(shift_[j])) {
                    run_.fail("a zero-crossing function only touches zero at an event");
                    return;
                }
            }
        }
    } else if (cause.clock) {
        const auto [first, period] = layout.clock_parameters[*cause.clock];
        for (std::size_t j = 0; j < width_; ++j)
            shift_[j] = tangents(first)[j] + cause.tick * tangents(period)[j];
    }
    if (comes_apart(cause)) {
        run_.jumps = true;
        run_.fail(
            fmt::format("at time {:.6g} two events coincide that these parameters move apart, and what "
                        "follows depends on which comes first",
                        run_.values[layout.time]));
        return;
    }
    for (std::size_t i = 0; i < run_.states; ++i)
        for (std::size_t j = 0; j < width_; ++j) tangents(layout.state[i])[j] += derivatives[i] * shift_[j];
    std::copy(shift_.begin(), shift_.end(), tangents(layout.time));
    if (!run({&run_.program.continuous, &run_.program.eliminated})) return;
    keep_previous();
}

void ForwardSensitivities::whens(const Interpreter& values, std::span<const std::size_t> active,
                                 std::span<const Assignment> discrete, std::span<const Assignment> states,
                                 bool jumps) {
    if (!good()) return;
    run_.take(values);
    std::vector<const Section*> sections = {&run_.program.continuous};
    for (std::size_t w : active) sections.push_back(&run_.program.when_actions[w]);
    for (int round = 0;; ++round) {
        if (!run_.tape.record(sections, run_.values)) {
            run_.fail(run_.tape.problem());
            return;
        }
        run_.tape.forward(tangents_, width_);
        bool changed = false;
        for (const Assignment& a : discrete) {
            changed = changed || !std::equal(tangents(a.to), tangents(a.to) + width_, tangents(a.from));
            copy_tangents(a.to, a.from);
        }
        if (!changed || round == most_rounds) break;
    }
    std::vector<double> restarted;
    std::vector<bool> varies;
    for (const Assignment& a : states) {
        restarted.insert(restarted.end(), tangents(a.from), tangents(a.from) + width_);
        varies.push_back(run_.tape.varies(a.from));
    }
    if (jumps && !run({&run_.program.jump})) return;
    for (std::size_t k = 0; k < states.size(); ++k) {
        std::copy_n(restarted.begin() + static_cast<std::ptrdiff_t>(k * width_), width_,
                    tangents(states[k].to));
        run_.tape.set_varying(states[k].to, varies[k]);
    }
    keep_previous();
}

void ForwardSensitivities::event_ends(const Interpreter& values, bool terminated) {
    if (!good()) return;
    run_.take(values);
    if (terminated) {
        end_ = outputs_at(values[run_.layout.time]);
        ended_ = true;
    }
    for (std::size_t i = 0; i < run_.states; ++i) {
        const double rate = values[run_.layout.derivative[i]];
        for (std::size_t j = 0; j < width_; ++j)
            if (shift_[j] != 0) tangents(run_.layout.state[i])[j] -= rate * shift_[j];
    }
    std::fill_n(tangents(run_.layout.time), width_, 0.0);
    run_.tape.set_varying(run_.layout.time, false);
    shift_.assign(width_, 0);
    path_.clear();
}

bool ForwardSensitivities::finish() {
    if (!begun_ && !ended_) return run_.fail("the run did not begin");
    if (!integrate()) return false;
    if (!ended_) end_ = outputs_at(time_);
    path_.clear();
    return good();
}

}  // namespace cutset

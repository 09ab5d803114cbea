#include <algorithm>
#include <vector>

#include "operations/run_messages.h"
#include "operations/simulation.h"

namespace cutset {

bool Simulation::run_section(const Section& section) {
    loops_.set_robust(true);
    if (main_.run(section)) return true;
    if (main_.error())
        diagnostics_.report(run_messages::run_error(*main_.error(), time()));
    else if (loops_.failure())
        diagnostics_.report(run_messages::loop_failed(model_, *loops_.failure()->loop, main_,
                                                      loops_.failure()->reason, time()));
    return false;
}

bool Simulation::report_not_finite(const Section& section, double at) {
    if (const auto what = main_.explain_non_finite(section))
        return fail(run_messages::not_finite(model_, *what, at));
    return true;
}

// Beyond a crossing that is not located yet the frozen switches may leave a loop without solution
// (sign(i)*i**2 = u for u < 0), or an expression without value (if h > 0 then sqrt(h) else 0); then the
// equations of the far side count, so that the crossing can be found.
bool Simulation::run_continuous() {
    const auto finite = [&] {
        return std::all_of(layout_.derivative.begin(), layout_.derivative.end(),
                           [&](Slot slot) { return std::isfinite(main_[slot]); });
    };
    const bool ran = solve_sticking(main_);
    if (state_switches_.empty() || main_.error() || (ran && finite())) return ran;
    main_.set_live_switches(true);
    const bool solved = main_.run(program_.continuous);
    main_.set_live_switches(false);
    if (ran && !(solved && finite())) return main_.run(program_.continuous);
    return solved;
}

bool Simulation::evaluate() {
    loops_.set_robust(true);
    if (!run_continuous() && !run_section(program_.continuous)) return false;
    for (std::size_t i = 0; i < layout_.derivative.size(); ++i) {
        if (std::isfinite(main_[layout_.derivative[i]])) continue;
        if (!report_not_finite(program_.continuous, time())) return false;
        return fail(run_messages::value_not_finite(model_, partition_.states[i], time()));
    }
    return true;
}

void Simulation::set_states(Interpreter& values, std::span<const double> x) {
    for (std::size_t i = 0; i < x.size(); ++i) values[layout_.state[i]] = x[i];
}

std::vector<double> Simulation::states() const {
    std::vector<double> x(layout_.state.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = main_[layout_.state[i]];
    return x;
}

// The value of switch i for the crossing values now in main_.
double Simulation::switch_value(std::size_t i) const {
    const Switch& s = partition_.switches[i];
    const double c = main_[layout_.crossings[i]];
    if (s.instant) {
        const double instant = main_[layout_.instants[i]];
        if (std::isfinite(instant) && slope_[i] != 0) {
            const bool after = time() >= instant || same_instant(time(), instant);
            const double side = after ? slope_[i] : -slope_[i];
            if (s.node->op == Op::Sign) return side > 0 ? 1 : -1;
            return s.node->op == Op::NotEqual || (s.node->op != Op::Equal && side < 0);
        }
    }
    if (const auto f = forced_.find(i); f != forced_.end() && f->second.crossing == c) return f->second.value;
    switch (s.node->op) {
        case Op::Less:
            return c < 0;
        case Op::LessEqual:
            return c <= 0;
        case Op::Equal:
            return c == 0;
        case Op::NotEqual:
            return c != 0;
        case Op::Sign:
            return (c > 0) - (c < 0);
        default:
            return std::trunc(c);
    }
}

// Runs `section` again until the switches have the values that it leads to.
bool Simulation::settle_switches(const Section& section) {
    std::vector<const Switch*> changing;
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
        const bool ran = &section == &program_.continuous ? evaluate() : run_section(section);
        if (!ran || !run_section(program_.crossings)) return false;
        if (iteration == 0) measure_time_switches();
        changing.clear();
        for (std::size_t i = 0; i < partition_.switches.size(); ++i) {
            if (stuck_[i]) continue;
            const double value = switch_value(i);
            if (value == main_[layout_.switches[i]] || std::isnan(value)) continue;
            main_[layout_.switches[i]] = value;
            changing.push_back(&partition_.switches[i]);
        }
        if (changing.empty()) return true;
    }
    return fail(run_messages::switches_do_not_settle(model_, changing, time()));
}

// A time switch's crossing is linear in time; its slope tells the value on either side of its instant.
void Simulation::measure_time_switches() {
    if (time_switches_.empty()) return;
    Interpreter probe = main_;
    probe[layout_.time] = time() + 1;
    if (!probe.run(program_.crossings)) return;
    for (std::size_t i : time_switches_)
        slope_[i] = probe[layout_.crossings[i]] - main_[layout_.crossings[i]];
}

// A relation whose two sides are exactly equal takes the side that they
// move to: a few short Euler steps tell which.
bool Simulation::look_ahead() {
    std::vector<std::size_t> open;
    for (std::size_t i : state_switches_)
        if (const Op op = partition_.switches[i].node->op;
            (op == Op::Less || op == Op::LessEqual) && main_[layout_.crossings[i]] == 0)
            open.push_back(i);
    if (open.empty()) return true;
    Interpreter probe = main_;
    const double h = 1e-8 * (options_.stop - options_.start);
    bool changed = false;
    std::vector<std::size_t> turned;
    for (int step = 0; step < 4 && !open.empty(); ++step) {
        probe[layout_.time] += h;
        for (std::size_t k = 0; k < layout_.state.size(); ++k)
            probe[layout_.state[k]] += h * probe[layout_.derivative[k]];
        if (!probe.run(program_.continuous) || !probe.run(program_.crossings)) break;
        std::erase_if(open, [&](std::size_t i) {
            const double c = probe[layout_.crossings[i]];
            if (c == 0 || std::isnan(c)) return false;
            if ((main_[layout_.switches[i]] != 0) != (c < 0)) turned.push_back(i);
            changed |= main_[layout_.switches[i]] != (c < 0);
            main_[layout_.switches[i]] = c < 0;
            return true;
        });
    }
    if (!changed) return true;
    for (std::size_t i : turned) forced_[i] = {main_[layout_.switches[i]], main_[layout_.crossings[i]]};
    if (!evaluate() || !run_section(program_.crossings)) return false;
    // On that side the equations must not drive it back: then it would switch without end.
    std::vector<const Switch*> driven_back;
    Interpreter after = main_;
    after[layout_.time] += h;
    for (std::size_t k = 0; k < layout_.state.size(); ++k)
        after[layout_.state[k]] += h * after[layout_.derivative[k]];
    if (after.run(program_.continuous) && after.run(program_.crossings))
        for (std::size_t i : turned)
            if (const double c = after[layout_.crossings[i]];
                c != 0 && !std::isnan(c) && (c < 0) != (main_[layout_.switches[i]] != 0))
                driven_back.push_back(&partition_.switches[i]);
    return driven_back.empty() || fail(run_messages::switches_do_not_settle(model_, driven_back, time()));
}

// Whether a crossing was passed without being located: it was exactly zero at a restart, or crossed twice in
// one step.
std::optional<std::size_t> Simulation::disagreeing_switch() const {
    for (std::size_t i : state_switches_) {
        const double c = main_[layout_.crossings[i]], value = main_[layout_.switches[i]];
        const Op op = partition_.switches[i].node->op;
        if (muted_[i] || stuck_[i]) continue;
        if (op == Op::Sign && (c * value < 0 || (c != 0 && value == 0))) return i;
        if ((op == Op::Less || op == Op::LessEqual) && c != 0 && !std::isnan(c) && (c < 0) != (value != 0))
            return i;
        if (op == Op::Truncate && std::abs(c - std::trunc(c)) > 1e-9 && std::trunc(c) != value) return i;
    }
    return std::nullopt;
}

}  // namespace cutset

#include "run/mode_entry.h"

#include <algorithm>
#include <cmath>

namespace cutset {

namespace {

constexpr double short_time = 1e-7;  // of the run: what happens just after an instant is looked at there
constexpr int short_steps = 4;

}  // namespace

std::vector<EquationIndex> ModeEntry::failed_equations() const {
    const Instant& now = parts_.now;
    std::vector<EquationIndex> equations;
    const auto add = [&](const Block& block) {
        for (const SolvedEquation& s : block.inner)
            if (!s.from_initial) equations.push_back(s.equation);
        for (const ResidualEquation& r : block.residuals)
            if (!r.from_initial) equations.push_back(r.equation);
    };
    const auto is_finite = [&](const Unknown& u) {
        if (u.order == 0) return std::isfinite(now.values[now.layout.variable[u.variable.value]]);
        const auto& states = now.partition.states;
        const auto state = std::find(states.begin(), states.end(), u.variable);
        return state == states.end() ||
               std::isfinite(now.values[now.layout.derivative[std::size_t(state - states.begin())]]);
    };
    for (const Block& block : now.partition.blocks) {
        const bool failed = now.loops.failure() && now.loops.failure()->loop->block->torn == block.torn;
        const bool finite = std::all_of(block.inner.begin(), block.inner.end(),
                                        [&](const SolvedEquation& s) { return is_finite(s.unknown); }) &&
                            std::all_of(block.torn.begin(), block.torn.end(), is_finite);
        if (failed || !finite) add(block);
        if (!finite) break;
    }
    return equations;
}

std::string ModeEntry::failure() const {
    if (parts_.now.loops.failure()) return parts_.now.loops.failure()->reason;
    for (const Diagnostic& d : trial_.held().all())
        if (d.severity == Severity::Error) return d.message;
    return "";
}

Handover ModeEntry::hand_over() {
    Instant& now = parts_.now;
    const Layout& layout = now.layout;
    const std::size_t n = now.partition.source->variables.size();
    const bool leaving = parts_.whens.leaving();
    Handover h;
    h.time = now.time();
    h.starting = now.values[layout.starting] != 0;
    h.next_output = now.state.next_output;
    if (!leaving) h.failed = failed_equations();
    // Where the equations failed, what they compute is what it was before the event.
    Interpreter after = now.values;
    if (!leaving && trial_.before()) {
        after = trial_.before()->values;
        for (Slot slot : layout.state) after[slot] = now.values[slot];
        for (VariableIndex v{0}; v < now.model.variables.end_index(); ++v.value)
            if (now.model.variables[v].variability == Variability::Discrete)
                after[layout.variable[v.value]] = now.values[layout.variable[v.value]];
    } else {
        after.run(now.program.continuous);
    }
    after.run(now.program.eliminated);
    for (std::size_t v = 0; v < n; ++v) {
        h.values.push_back(after[layout.variable[v]]);
        const Slot previous = layout.previous[v];
        h.previous.push_back(previous ? std::optional(now.values[previous]) : std::nullopt);
    }
    h.sizes.resize(n);
    for (std::size_t v = 0; v < n; ++v) h.sizes[v] = std::abs(h.values[v]);
    const std::vector<VariableIndex>& states = now.partition.states;
    const std::vector<double>& largest = parts_.largest_states;
    for (std::size_t k = 0; k < states.size() && k < largest.size(); ++k)
        if (const std::size_t v = now.selector.stands_for(states[k]).value; v < n)
            h.sizes[v] = std::max(h.sizes[v], largest[k]);
    for (VariableIndex v(static_cast<std::uint32_t>(n)); v < now.model.variables.end_index(); ++v.value)
        h.by_name.emplace_back(now.model.path(v), after[layout.variable[v.value]]);
    for (std::size_t k = 0; k < states.size(); ++k)
        h.by_name.emplace_back(derivative_name(now.model.path(states[k])), after[layout.derivative[k]]);
    h.when_held.assign(now.state.when_held.begin(),
                       now.state.when_held.begin() + std::ptrdiff_t(now.partition.source->whens.size()));
    h.invalid = now.state.invalid;
    for (std::size_t i = 0; i < now.state.clocks.size(); ++i)
        h.clocks.push_back(
            {now.partition.clocks[i].node, now.state.clocks[i], now.values[layout.clocks[i]] != 0});
    h.ahead = h.values;
    if (leaving && move_ahead(after) && after.run(now.program.eliminated))
        for (std::size_t v = 0; v < n; ++v) h.ahead[v] = after[layout.variable[v]];
    return h;
}

// A moment later, by short Euler steps.
bool ModeEntry::move_ahead(Interpreter& values) const {
    const double dt = short_time * parts_.now.length();
    for (int step = 0; step < short_steps; ++step) {
        move_along(values, dt);
        if (!values.run(parts_.now.program.continuous) || !parts_.equations.finite(values)) return false;
    }
    return true;
}

Handover ModeEntry::hand_over_start() {
    Instant& now = parts_.now;
    const std::size_t n = now.partition.source->variables.size();
    Handover h;
    h.failed = failed_equations();
    now.values = trial_.before()->values;
    now.values[now.layout.time] = h.time = now.options.start;
    h.starting = true;
    h.next_output = 1;
    now.values.run(parts_.given.parameters());
    parts_.initialization.set_starts(now.values);
    for (std::size_t v = 0; v < n; ++v) h.values.push_back(now.values[now.layout.variable[v]]);
    h.ahead = h.values;
    h.previous.assign(h.values.begin(), h.values.end());
    for (double x : h.values) h.sizes.push_back(std::max(std::abs(x), 1e-6));
    for (const DerivativeStart& s : now.model.derivative_starts)
        if (const auto value = evaluate(s.start.value, parts_.initialization.environment()))
            h.by_name.emplace_back(nth_derivative_name(now.model.path(s.variable), s.order), *value);
    h.when_held.assign(now.partition.source->whens.size(), false);
    h.invalid.assign(now.model.validities.size(), false);
    if (parts_.times.wait_for_start() || !parts_.times.start_clocks()) return h;
    for (std::size_t i = 0; i < now.state.clocks.size(); ++i) {
        ClockState next = now.state.clocks[i];
        const bool due = same_instant(next.next(), h.time) || next.next() == h.time;
        if (due) ++next.ticks;
        h.clocks.push_back({now.partition.clocks[i].node, next, due});
    }
    return h;
}

// Whether a clock waits for what initialization finds.
bool ModeEntry::clocks_begin_at(const Handover& from) const {
    return from.starting && parts_.times.wait_for_start();
}

// Time, discrete variables, clocks, guesses.
bool ModeEntry::take(const Handover& from) {
    Instant& now = parts_.now;
    const Layout& layout = now.layout;
    now.values.clear_error();
    now.values[layout.time] = from.time;
    now.values[layout.starting] = from.starting;
    for (std::size_t v = 0; v < from.values.size(); ++v) {
        if (now.model.variables[VariableIndex(static_cast<std::uint32_t>(v))].variability >=
            Variability::Discrete)
            now.values[layout.variable[v]] = std::isfinite(from.values[v]) ? from.values[v] : 0;
        if (layout.previous[v]) now.values[layout.previous[v]] = from.previous[v].value_or(from.values[v]);
    }
    if (now.state.clocks.empty() && !clocks_begin_at(from) && !parts_.times.start_clocks()) return false;
    now.state.when_held = from.when_held;
    now.state.invalid = from.invalid;
    now.state.next_output = from.next_output;
    for (std::size_t i = 0; i < now.state.clocks.size(); ++i)
        for (const Handover::Ticking& t : from.clocks)
            if (t.node == now.partition.clocks[i].node) {
                now.state.clocks[i] = t.state;
                now.values[layout.clocks[i]] = t.now;
            }
    for (std::size_t i : std::vector<std::size_t>(parts_.sliding.list())) parts_.sliding.end(i);
    SwitchMemory& switches = now.state.switches;
    std::fill(switches.offset.begin(), switches.offset.end(), 0);
    std::fill(switches.left.begin(), switches.left.end(), false);
    switches.forced.clear();
    now.state.scales.clear();
    parts_.whens.go_on();
    trial_.mode_found();
    entered_ = true;
    parts_.crossings.forget_beginning();
    now.loops.forget_past();
    now.loops.keep_last(now.values);
    now.state.tables_left.resize(now.model.callees.size(), false);
    return true;
}

ModeEntry::Outcome ModeEntry::enter(const Handover& from) {
    Instant& now = parts_.now;
    Switches& switches = parts_.switches;
    if (!take(from)) return Outcome::Failed;
    const auto value_of = [&](VariableIndex v, const std::vector<double>& values) {
        return v.value < values.size() ? values[v.value] : from.named(now.model.path(v));
    };
    const auto set = [&](const std::vector<double>& values) {
        for (VariableIndex v{0}; v < now.model.variables.end_index(); ++v.value)
            if (now.model.variables[v].variability == Variability::Continuous)
                if (const std::optional<double> value = value_of(v, values); value && std::isfinite(*value))
                    now.values[now.layout.variable[v.value]] = *value;
    };
    set(from.ahead);
    if (!now.values.run(now.program.crossings)) return Outcome::Failed;
    switches.measure_time_events();
    std::vector<double> ahead;
    for (std::size_t i = 0; i < now.partition.switches.size(); ++i) ahead.push_back(switches.value(i));
    set(from.values);
    if (!now.selector.choose(now.values) || !now.values.run(now.program.crossings)) return Outcome::Failed;
    for (std::size_t i = 0; i < now.partition.switches.size(); ++i) {
        now.condition(i) = switches.near_zero(i) ? ahead[i] : switches.value(i);
        if (switches.near_zero(i)) now.state.switches.forced.set(i, {ahead[i], now.crossing(i)});
        now.values[now.layout.switches_before[i]] = now.condition(i);
    }
    now.other_modes = true;
    return trial_.event_on_entry() ? Outcome::Entered : Outcome::Failed;
}

ModeEntry::Outcome ModeEntry::enter_mode(const Handover& from, std::span<const ValueBefore> before,
                                         std::size_t exits, std::vector<std::size_t>& disagreeing,
                                         std::vector<Jump>& jumps) {
    Instant& now = parts_.now;
    WhenClauses& whens = parts_.whens;
    disagreeing.clear();
    jumps.clear();
    whens.set_exits(exits);
    now.values[now.layout.time] = from.time;
    if (!now.run_section(parts_.given.parameters())) return Outcome::Failed;
    if (!take(from)) return Outcome::Failed;
    for (const ValueBefore& b : before)
        now.values[now.layout.variable[b.variable.value]] =
            b.order == 0 ? from.values[b.of.value]
                         : from.named(nth_derivative_name(now.model.path(b.of), b.order)).value_or(0);
    if (!solve_initial()) return Outcome::Failed;
    if (clocks_begin_at(from)) {
        if (!parts_.times.start_clocks()) return Outcome::Failed;
        parts_.times.mark_ticks_at_start();
    }
    list_jumps(from, before, jumps);
    if (!parts_.sliding.solve(now.values, now.program.continuous) || !parts_.equations.finite(now.values) ||
        !now.values.run(now.program.crossings))
        return Outcome::Failed;

    // Whether its conditions hold, and go on to hold.
    Interpreter ahead = now.values;
    if (!move_ahead(ahead)) return Outcome::Failed;
    ahead.set_live_switches(true);
    if (!ahead.run(now.program.crossings) || !ahead.run(now.program.conditions)) return Outcome::Failed;
    disagreeing = whens.open_exits(ahead);
    if (!disagreeing.empty()) return Outcome::Disagrees;
    take_sides(ahead);
    if (!now.values.run(now.program.conditions)) return Outcome::Failed;
    if (from.starting && !act_at_start(exits)) return Outcome::Failed;
    // None of the exits may be open from the beginning: it would never be taken.
    now.state.when_held.resize(exits);
    now.state.when_held.resize(now.model.whens.size(), false);
    disagreeing = whens.open_exits(now.values);
    if (!disagreeing.empty()) return Outcome::Disagrees;
    if (!parts_.events.run_on_entry()) return Outcome::Failed;
    if (whens.leaving()) {
        if (!now.values.run(now.program.conditions)) return Outcome::Failed;
        disagreeing = whens.open_exits(now.values);
        return disagreeing.empty() ? Outcome::Failed : Outcome::Disagrees;
    }
    parts_.outputs.follow();
    now.values[now.layout.starting] = 0;
    return Outcome::Entered;
}

bool ModeEntry::act_at_start(std::size_t exits) {
    if (!parts_.now.model.whens_together) {
        parts_.whens.hold_at_start(exits);
        return true;
    }
    bool changed = false;
    if (!parts_.whens.act_at_start(changed)) return false;
    parts_.now.values[parts_.now.layout.starting] = 0;
    return true;
}

// What is not differentiated follows; conditions that the mode leaves open are found with it.
bool ModeEntry::solve_initial() {
    Instant& now = parts_.now;
    now.loops.set_robust(true);
    now.values.set_live_switches(true);
    bool solved = now.values.run(now.program.initial);
    now.values.set_live_switches(false);
    solved = solved && now.values.run(now.program.crossings);
    if (!solved && now.values.error()) return false;
    parts_.switches.measure_time_events();
    if (solved)
        for (std::size_t i = 0; i < now.partition.switches.size(); ++i)
            now.condition(i) = parts_.switches.value(i);
    std::vector<std::size_t> involved;
    return parts_.settling.settle_quietly(now.program.initial, involved) == Settling::Outcome::Done &&
           parts_.equations.finite(now.values) && now.selector.choose(now.values) &&
           now.values.run(now.program.eliminated);
}

void ModeEntry::list_jumps(const Handover& from, std::span<const ValueBefore> before,
                           std::vector<Jump>& jumps) const {
    const Instant& now = parts_.now;
    for (const ValueBefore& b : before) {
        if (b.order > 0) continue;
        const double to = now.values[now.layout.variable[b.of.value]], old = from.values[b.of.value];
        const Variable& variable = now.model.variables[b.of];
        const double size = std::max(from.sizes[b.of.value], std::abs(variable.nominal.value_or(0)));
        if (!(std::abs(to - old) <= std::max(10 * now.options.tolerance, 1e-6) * std::max(size, 1e-12)))
            jumps.push_back({b.of, old, to});
    }
}

// A zero-crossing function that is zero but for rounding has the side that it moves to.
void ModeEntry::take_sides(const Interpreter& ahead) {
    Instant& now = parts_.now;
    for (std::size_t i : parts_.structure.state) {
        if (!parts_.switches.near_zero(i)) continue;
        const double c = now.crossing(i), later = ahead[now.layout.crossings[i]];
        if (later == 0) continue;
        const double value = parts_.structure.is_sign(i) ? (later > 0 ? 1 : -1) : later < 0;
        now.condition(i) = value;
        now.state.switches.forced.set(i, {value, c});
        if (c * later < 0) now.state.switches.offset[i] = -c;
    }
    for (std::size_t i = 0; i < now.partition.switches.size(); ++i)
        now.values[now.layout.switches_before[i]] = now.condition(i);
}

}  // namespace cutset

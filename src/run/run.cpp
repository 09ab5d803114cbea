#include "run/run.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "run/run_messages.h"
#include "run/run_time.h"

namespace cutset {

bool Run::begin() {
    bool good = false;
    {
        const UnwaitedStopwatch watch(now_.options.measure_times ? &summary().times.initialise : nullptr,
                                      now_.options);
        summary().time = now_.options.start;
        good = trial_.initialize() && write_first_row();
        now_.state.next_output = 1;
    }
    return ready(good);
}

bool Run::ready(bool good) {
    if (good && parts_.whens.terminated()) summary().outcome = RunOutcome::Terminated;
    return good && !now_.stop;
}

bool Run::begin_in_mode(bool found) {
    trial_.mode_found();
    if (found) {
        trial_.report_held_warnings();
        return begin_results();
    }
    now_.state = *trial_.before();
    now_.other_modes = false;
    const bool good = begin();
    now_.other_modes = true;
    return good;
}

bool Run::begin_results() {
    check_tables(parts_);
    return parts_.outputs.begin();
}

bool Run::write_first_row() {
    return now_.run_section(now_.program.eliminated) &&
           now_.report_not_finite(now_.program.eliminated, now_.time()) && begin_results() &&
           parts_.outputs.write_now();
}

bool Run::begin_from(const RunPoint& from) {
    const UnwaitedStopwatch watch(now_.options.measure_times ? &summary().times.initialise : nullptr,
                                  now_.options);
    summary().time = from.time;
    return ready(take_point(from) && settle_at(from) && write_first_row());
}

// Where another mode was not found the event is tried again, with its messages.
bool Run::begin_from_in_mode(bool found) {
    trial_.mode_found();
    if (!found) return trial_.retry_event() && write_first_row();
    trial_.report_held_warnings();
    return begin_results();
}

bool Run::integrate() {
    return Integration(parts_, trial_, modes_, resumed_, std::exchange(memory_, nullptr)).run();
}

RunSummary Run::finish(bool good) {
    if (!good) {
        summary().outcome = RunOutcome::Failed;
        if (summary().rows > 0) summary().time = parts_.outputs.last_time();
    }
    return summary();
}

void Run::compute_point() {
    now_.loops.set_robust(true);
    now_.values.clear_error();
    if (parts_.equations.run() && now_.values.run(now_.program.crossings) &&
        now_.values.run(now_.program.conditions))
        now_.values.run(now_.program.eliminated);
    now_.values.clear_error();
}

RunPoint Run::point() {
    compute_point();
    const RunState& state = now_.state;
    RunPoint point;
    point.time = now_.time();
    for (Slot slot : now_.layout.variable) point.values.push_back(now_.values[slot]);
    for (Slot slot : now_.layout.derivative) point.derivatives.push_back(now_.values[slot]);
    for (Slot slot : now_.layout.previous) point.previous.push_back(slot ? now_.values[slot] : 0);
    for (std::size_t i = 0; i < now_.partition.switches.size(); ++i)
        point.switches.push_back({now_.condition(i), state.sliding.weights[i], state.switches.offset[i],
                                  state.switches.largest[i], parts_.sliding.holds(i),
                                  parts_.sliding.is_algebraic(i), state.switches.muted[i] != 0});
    point.clocks = state.clocks;
    point.when_held.assign(state.when_held.begin(), state.when_held.end());
    point.when_held.resize(now_.model.whens.size());
    point.invalid = state.invalid;
    point.tables_left = state.tables_left;
    point.delays = state.delays;
    point.scales = state.scales;
    point.scales.resize(now_.partition.states.size(), 0);
    point.changed = parts_.good.disturbed();
    return point;
}

RunPoint Run::point_of(Run& mode) {
    mode.compute_point();
    mode.trial_.forget();
    const Handover from = mode.modes_.hand_over();
    const std::unordered_map<std::string, double> names(from.by_name.begin(), from.by_name.end());
    const auto named = [&](const std::string& name) {
        const auto found = names.find(name);
        return found == names.end() ? 0.0 : found->second;
    };
    RunPoint point;
    point.time = from.time;
    point.values = from.values;
    point.previous.assign(now_.model.variables.size(), 0);
    for (std::size_t v = 0; v < from.previous.size(); ++v)
        point.previous[v] = from.previous[v].value_or(from.values[v]);
    for (VariableIndex v(static_cast<std::uint32_t>(from.values.size()));
         v < now_.model.variables.end_index(); ++v.value)
        point.values.push_back(named(now_.model.path(v)));
    for (VariableIndex x : now_.partition.states)
        point.derivatives.push_back(named(derivative_name(now_.model.path(x))));
    point.switches.resize(now_.partition.switches.size());
    for (std::size_t i = 0; i < now_.partition.switches.size(); ++i)
        point.switches[i].largest = now_.state.switches.largest[i];
    point.clocks = now_.state.clocks;
    for (std::size_t i = 0; i < point.clocks.size(); ++i)
        for (const Handover::Ticking& t : from.clocks)
            if (t.node == now_.partition.clocks[i].node) point.clocks[i] = t.state;
    point.when_held.assign(from.when_held.begin(), from.when_held.end());
    point.when_held.resize(now_.model.whens.size());
    point.invalid = from.invalid;
    point.tables_left = now_.state.tables_left;
    point.scales = now_.state.scales;
    point.scales.resize(now_.partition.states.size(), 0);
    point.changed = mode.parts_.good.disturbed();
    return point;
}

Handover Run::hand_over(const RunPoint& from) const {
    const std::size_t n = now_.partition.source->variables.size();
    Handover h;
    h.time = from.time;
    h.next_output = now_.state.next_output;
    h.values.assign(from.values.begin(), from.values.begin() + std::ptrdiff_t(n));
    for (VariableIndex v{0}; v.value < n; ++v.value)  // with the parameters as they are now
        if (now_.model.variables[v].variability <= Variability::Parameter)
            h.values[v.value] = now_.values[now_.layout.variable[v.value]];
    h.ahead = h.values;
    for (std::size_t v = 0; v < n; ++v) {
        h.previous.push_back(now_.layout.previous[v] ? std::optional(from.values[v]) : std::nullopt);
        h.sizes.push_back(std::abs(h.values[v]));
    }
    for (VariableIndex v(static_cast<std::uint32_t>(n)); v < now_.model.variables.end_index(); ++v.value)
        h.by_name.emplace_back(now_.model.path(v), from.values[v.value]);
    for (std::size_t k = 0; k < now_.partition.states.size(); ++k)
        h.by_name.emplace_back(derivative_name(now_.model.path(now_.partition.states[k])),
                               from.derivatives[k]);
    h.when_held.assign(now_.state.when_held.begin(),
                       now_.state.when_held.begin() + std::ptrdiff_t(now_.partition.source->whens.size()));
    h.invalid = now_.state.invalid;
    for (std::size_t i = 0; i < now_.state.clocks.size(); ++i)
        h.clocks.push_back({now_.partition.clocks[i].node, now_.state.clocks[i], false});
    return h;
}

bool Run::take_point(const RunPoint& from) {
    RunState& state = now_.state;
    now_.values[now_.layout.time] = from.time;
    now_.values[now_.layout.starting] = 0;
    now_.values.set_live_switches(false);
    if (!now_.run_section(parts_.given.parameters()) ||
        !now_.report_not_finite(parts_.given.parameters(), from.time))
        return false;
    parts_.switches.reset();
    now_.equations_known = false;
    for (VariableIndex v{0}; v < now_.model.variables.end_index(); ++v.value) {
        if (now_.model.variables[v].variability >= Variability::Discrete)
            now_.values[now_.layout.variable[v.value]] = from.values[v.value];
        if (now_.layout.previous[v.value])
            now_.values[now_.layout.previous[v.value]] = from.previous[v.value];
    }
    for (std::size_t k = 0; k < now_.layout.derivative.size(); ++k)
        now_.values[now_.layout.derivative[k]] = from.derivatives[k];
    now_.selector.take(now_.values);
    for (std::size_t i = 0; i < now_.partition.switches.size(); ++i) {
        const RunPoint::SwitchState& s = from.switches[i];
        now_.condition(i) = now_.values[now_.layout.switches_before[i]] = s.value;
        state.sliding.weights[i] = s.weight;
        state.switches.offset[i] = s.offset;
        state.switches.largest[i] = s.largest;
        state.sliding.on[i] = s.sliding;
        state.sliding.algebraic[i] = s.algebraic;
        state.switches.muted[i] = s.muted;
        if (s.sliding) state.sliding.list.push_back(i);
    }
    if (!parts_.times.start_clocks()) return false;
    parts_.times.continue_clocks(from.clocks);
    state.when_held.assign(from.when_held.begin(), from.when_held.end());
    state.invalid = from.invalid;
    state.tables_left = from.tables_left;
    state.delays = from.delays;
    state.scales = from.scales;
    resumed_ = true;
    parts_.outputs.begin_after(from.time);
    return true;
}

// Whether something is to be solved anew at the point.
bool Run::differs(const RunPoint& from) const {
    if (from.changed || !from.moved.empty()) return true;
    for (VariableIndex v{0}; v < now_.model.variables.end_index(); ++v.value)
        if (now_.model.variables[v].variability <= Variability::Parameter &&
            now_.values[now_.layout.variable[v.value]] != from.values[v.value])
            return true;
    return false;
}

bool Run::settle_at(const RunPoint& from) {
    if (!differs(from)) {
        if (!parts_.equations.evaluate() || !now_.run_section(now_.program.crossings) ||
            !now_.run_section(now_.program.conditions))
            return false;
        parts_.switches.measure_time_events();
        parts_.outputs.follow();
        return true;
    }
    std::vector<VariableIndex> overruled;
    if (!from.moved.empty() && !now_.selector.restart(now_.values, from.moved, overruled)) return false;
    if (!overruled.empty())
        now_.report(run_messages::reinit_overruled(now_.model, overruled, from.moved, now_.time()));
    if (!trial_.event()) return false;
    return parts_.times.record_delays(now_.time());
}

}  // namespace cutset

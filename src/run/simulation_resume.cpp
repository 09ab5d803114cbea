// Where a run stands, and going on from there.
//
// What changed in between (parameters, states that were set) acts like an event: states keep their values,
// everything else follows anew. Without a change the run goes on as if it had not stopped; only the
// integrator begins anew.
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "run/run_messages.h"
#include "run/simulation.h"

namespace cutset {

// The program's section without what writes the slots of `held`.
Section Simulation::holding(const Section& section,
                            const std::vector<std::pair<VariableIndex, double>>& held) const {
    Section own = section;
    own.number = ~std::uint32_t(0);  // machine code knows nothing of it
    std::vector<Slot> slots;
    for (const auto& [v, value] : held) slots.push_back(layout_.variable[v.value]);
    std::sort(slots.begin(), slots.end());
    for (Instruction& i : own.instructions)
        if (i.code != Code::Jump && i.code != Code::JumpFalse && i.code != Code::Solve &&
            std::binary_search(slots.begin(), slots.end(), i.to))
            i = {Code::Copy, Op::Number, i.to, i.to, 0};
    return own;
}

const Section& Simulation::parameters_section() {
    if (options_.given.empty()) return program_.parameters;
    if (!held_parameters_) held_parameters_ = holding(program_.parameters, options_.given);
    return *held_parameters_;
}

const Section& Simulation::initial_section() {
    if (options_.given_starts.empty()) return program_.initial;
    if (!held_initial_) held_initial_ = holding(program_.initial, options_.given_starts);
    return *held_initial_;
}

void Simulation::set_given_starts(Interpreter& values) const {
    for (const auto& [v, value] : options_.given_starts) {
        values[layout_.variable[v.value]] = value;
        if (layout_.previous[v.value]) values[layout_.previous[v.value]] = value;
    }
}

bool Simulation::is_start_given(VariableIndex v) const {
    const auto& starts = options_.given_starts;
    const auto at = std::lower_bound(starts.begin(), starts.end(), v,
                                     [](const auto& start, VariableIndex x) { return start.first < x; });
    return at != starts.end() && at->first == v;
}

std::vector<double> Simulation::parameter_values() {
    main_[layout_.time] = options_.start;
    main_.run(parameters_section());
    std::vector<double> values;
    for (Slot slot : layout_.variable) values.push_back(main_[slot]);
    return values;
}

// The present place is good: it can be gone back to when what follows fails.
void Simulation::keep_place(double at, std::span<const double> x) {
    if (!options_.keep_point) return;
    kept_time_ = at;
    kept_states_.assign(x.begin(), x.end());
}

// After a failure or an interruption: back to where the run was good, discrete variables included.
void Simulation::return_to_place(bool in_event) {
    if (!options_.keep_point) return;
    main_[layout_.time] = kept_time_;
    set_states(main_, kept_states_);
    if (!in_event) return;
    for (VariableIndex v{0}; v < model_.variables.end_index(); ++v.value)
        if (const Slot previous = layout_.previous[v.value];
            previous && model_.variables[v].variability == Variability::Discrete)
            main_[layout_.variable[v.value]] = main_[previous];
    for (std::size_t i = 0; i < partition_.switches.size(); ++i)
        main_[layout_.switches[i]] = main_[layout_.switches_before[i]];
    place_disturbed_ = true;
}

void Simulation::compute_place() {
    loops_.set_robust(true);
    main_.clear_error();
    if (run_continuous() && main_.run(program_.crossings) && main_.run(program_.conditions))
        main_.run(program_.eliminated);
    main_.clear_error();
}

RunPoint Simulation::stand() {
    compute_place();
    RunPoint point;
    point.time = time();
    for (Slot slot : layout_.variable) point.values.push_back(main_[slot]);
    for (Slot slot : layout_.derivative) point.derivatives.push_back(main_[slot]);
    for (Slot slot : layout_.previous) point.previous.push_back(slot ? main_[slot] : 0);
    for (std::size_t i = 0; i < partition_.switches.size(); ++i)
        point.switches.push_back({main_[layout_.switches[i]], weights_[i], offset_[i], largest_crossing_[i],
                                  sliding_[i] != 0, algebraic_[i] != 0, muted_[i] != 0});
    point.clocks = clocks_;
    point.when_held.assign(when_held_.begin(), when_held_.end());
    point.when_held.resize(model_.whens.size());
    point.invalid = invalid_;
    point.tables_left = table_reported_;
    point.delays = delays_;
    point.scales = scales_;
    point.scales.resize(partition_.states.size(), 0);
    point.changed = place_disturbed_;
    return point;
}

// The same from a mode, whose variables are those of the model as it came and others by name.
RunPoint Simulation::stand_in(Simulation& mode) {
    mode.compute_place();
    mode.attempt_.reset();
    const Handover from = mode.hand_over();
    std::unordered_map<std::string, double> names(from.by_name.begin(), from.by_name.end());
    RunPoint point;
    point.time = from.time;
    point.values = from.values;
    point.previous.assign(model_.variables.size(), 0);
    for (std::size_t v = 0; v < from.previous.size(); ++v)
        point.previous[v] = from.previous[v].value_or(from.values[v]);
    const auto named = [&](const std::string& name) {
        const auto found = names.find(name);
        return found == names.end() ? 0.0 : found->second;
    };
    for (VariableIndex v(static_cast<std::uint32_t>(from.values.size())); v < model_.variables.end_index();
         ++v.value)
        point.values.push_back(named(model_.path(v)));
    for (VariableIndex x : partition_.states)
        point.derivatives.push_back(named(derivative_name(model_.path(x))));
    point.switches.resize(partition_.switches.size());
    for (std::size_t i = 0; i < partition_.switches.size(); ++i)
        point.switches[i].largest = largest_crossing_[i];
    point.clocks = clocks_;
    for (std::size_t i = 0; i < clocks_.size(); ++i)
        for (const Handover::Ticking& t : from.clocks)
            if (t.node == partition_.clocks[i].node) point.clocks[i] = t.state;
    point.when_held.assign(from.when_held.begin(), from.when_held.end());
    point.when_held.resize(model_.whens.size());
    point.invalid = from.invalid;
    point.tables_left = table_reported_;
    point.scales = scales_;
    point.scales.resize(partition_.states.size(), 0);
    point.changed = mode.place_disturbed_;
    return point;
}

Handover Simulation::hand_over(const RunPoint& from) const {
    const std::size_t n = partition_.source->variables.size();
    Handover h;
    h.time = from.time;
    h.next_output = next_output_;
    h.values.assign(from.values.begin(), from.values.begin() + std::ptrdiff_t(n));
    for (VariableIndex v{0}; v.value < n; ++v.value)  // with the parameters as they are now
        if (model_.variables[v].variability <= Variability::Parameter)
            h.values[v.value] = main_[layout_.variable[v.value]];
    h.ahead = h.values;
    for (std::size_t v = 0; v < n; ++v) {
        h.previous.push_back(layout_.previous[v] ? std::optional(from.values[v]) : std::nullopt);
        h.sizes.push_back(std::abs(h.values[v]));
    }
    for (VariableIndex v(static_cast<std::uint32_t>(n)); v < model_.variables.end_index(); ++v.value)
        h.by_name.emplace_back(model_.path(v), from.values[v.value]);
    for (std::size_t k = 0; k < partition_.states.size(); ++k)
        h.by_name.emplace_back(derivative_name(model_.path(partition_.states[k])), from.derivatives[k]);
    h.when_held.assign(when_held_.begin(),
                       when_held_.begin() + std::ptrdiff_t(partition_.source->whens.size()));
    h.invalid = invalid_;
    for (std::size_t i = 0; i < clocks_.size(); ++i)
        h.clocks.push_back({partition_.clocks[i].node, clocks_[i], false});
    return h;
}

// The point as it is; parameters are those of this run.
bool Simulation::take_point(const RunPoint& from) {
    main_[layout_.time] = from.time;
    main_[layout_.starting] = 0;
    main_.set_live_switches(false);
    if (!run_section(parameters_section()) || !report_not_finite(parameters_section(), from.time))
        return false;
    clocks_.clear();
    if (!prepare_clocks()) return false;
    prepare();
    for (VariableIndex v{0}; v < model_.variables.end_index(); ++v.value) {
        if (model_.variables[v].variability >= Variability::Discrete)
            main_[layout_.variable[v.value]] = from.values[v.value];
        if (layout_.previous[v.value]) main_[layout_.previous[v.value]] = from.previous[v.value];
    }
    for (std::size_t k = 0; k < layout_.derivative.size(); ++k)
        main_[layout_.derivative[k]] = from.derivatives[k];
    selector_.take(main_);
    for (std::size_t i = 0; i < partition_.switches.size(); ++i) {
        const RunPoint::SwitchState& s = from.switches[i];
        main_[layout_.switches[i]] = main_[layout_.switches_before[i]] = s.value;
        weights_[i] = s.weight;
        offset_[i] = s.offset;
        largest_crossing_[i] = s.largest;
        sliding_[i] = s.sliding;
        algebraic_[i] = s.algebraic;
        muted_[i] = s.muted;
        if (s.sliding) sliding_list_.push_back(i);
    }
    output_weights_ = weights_;
    // A clock whose parameters changed goes on with its first tick after this instant.
    for (std::size_t i = 0; i < clocks_.size(); ++i) {
        ClockState& clock = clocks_[i];
        if (clock.first == from.clocks[i].first && clock.period == from.clocks[i].period) {
            clock.ticks = from.clocks[i].ticks;
            continue;
        }
        clock.ticks = std::max(0.0, std::floor((from.time - clock.first) / clock.period) - 1);
        while (clock.next() < from.time || same_instant(clock.next(), from.time)) ++clock.ticks;
    }
    when_held_.assign(from.when_held.begin(), from.when_held.end());
    invalid_ = from.invalid;
    table_reported_ = from.tables_left;
    delays_ = from.delays;
    scales_ = from.scales;
    resumed_ = true;
    next_output_ = 0;
    if (!options_.every_step) {
        std::size_t beyond = output_count();  // output points up to here lie after the present time
        while (next_output_ < beyond) {
            const std::size_t middle = next_output_ + (beyond - next_output_) / 2;
            if (const double t = output_time(middle); t > from.time && !same_instant(t, from.time))
                beyond = middle;
            else
                next_output_ = middle + 1;
        }
    }
    return true;
}

// Whether something is to be solved anew at the point.
bool Simulation::differs(const RunPoint& from) const {
    if (from.changed || !from.moved.empty()) return true;
    for (VariableIndex v{0}; v < model_.variables.end_index(); ++v.value)
        if (model_.variables[v].variability <= Variability::Parameter &&
            main_[layout_.variable[v.value]] != from.values[v.value])
            return true;
    return false;
}

bool Simulation::settle_at(const RunPoint& from) {
    if (!differs(from)) {
        if (!evaluate() || !run_section(program_.crossings) || !run_section(program_.conditions))
            return false;
        measure_time_switches();
        copy_to_output();
        return true;
    }
    std::vector<VariableIndex> overruled;
    if (!from.moved.empty() && !selector_.restart(main_, from.moved, overruled)) return false;
    if (!overruled.empty())
        diagnostics_.report(run_messages::reinit_overruled(model_, overruled, from.moved, time()));
    if (!attempt_event()) return false;
    record_delays(time());
    return true;
}

bool Simulation::write_first_row() {
    return run_section(program_.eliminated) && report_not_finite(program_.eliminated, time()) &&
           begin_results() && write_row(main_);
}

bool Simulation::begin_from(const RunPoint& from) {
    const Stopwatch watch(measured(summary_.times.initialise));
    const double waited_before = waited(options_);
    summary_.time = from.time;
    const bool good = take_point(from) && settle_at(from) && write_first_row();
    summary_.times.initialise -= waited(options_) - waited_before;
    if (good && terminated_) summary_.outcome = RunOutcome::Terminated;
    return good && !stop_now_;
}

// The event of begin_from needed another mode, which was found, or not: then it is told what is wrong.
bool Simulation::begin_after_change(bool found) {
    wants_mode_ = false;
    if (!found) return retry() && write_first_row();
    for (const Diagnostic& d : held_.all())
        if (d.severity != Severity::Error) diagnostics_.report(d);
    return begin_results();
}

}  // namespace cutset

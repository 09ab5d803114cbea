// Entering and leaving a mode, from the side of one run. What is continuous is handed on by value; the rest
// follows from the equations of the mode that is entered.
#include <algorithm>
#include <cmath>
#include <map>

#include "run/run_messages.h"
#include "run/simulation.h"
#include "transform/fix_conditions.h"

namespace cutset {

// All that an event changes.
struct Simulation::Attempt {
    Interpreter main;
    ForcedSwitches forced;
    Flags when_held, sliding, algebraic, left;
    std::vector<bool> invalid;
    std::vector<std::size_t> sliding_list;
    std::vector<double> weights, offset;
    std::vector<ClockState> clocks;
};

namespace {

constexpr double short_time = 1e-7;  // of the run: what happens just after an instant is looked at there
constexpr int short_steps = 4;

}  // namespace

// The event at the present time. Where it fails and another mode may help, its messages are held back.
bool Simulation::attempt_event() {
    const bool in_mode = exits_ < model_.whens.size();  // which may have no equations beyond its end
    if (!modes_ && !in_mode) {
        if (!event()) return false;
        wants_mode_ = leaving_;
        return !leaving_;
    }
    attempt_ = std::make_shared<Attempt>(Attempt{main_, forced_, when_held_, sliding_, algebraic_, left_,
                                                 invalid_, sliding_list_, weights_, offset_, clocks_});
    Diagnostics* const real = diagnostics_.to;
    held_ = {};
    diagnostics_.to = &held_;
    const bool good = event() && (leaving_ || finite(main_));
    diagnostics_.to = real;
    if (!good && !main_.error() && !stop_now_) {
        wants_mode_ = true;
        leaving_ = false;
        return false;
    }
    for (const Diagnostic& d : held_.all()) real->report(d);
    wants_mode_ = leaving_;
    return good && !leaving_;
}

bool Simulation::attempt_start() {
    if (!modes_) return initialise();
    const Interpreter fresh = main_;
    Diagnostics* const real = diagnostics_.to;
    held_ = {};
    diagnostics_.to = &held_;
    const bool good = initialise();
    diagnostics_.to = real;
    wants_mode_ = !good && !main_.error() && !stop_now_ && partition_.source->initial_equations.empty();
    if (wants_mode_) {
        attempt_ = std::make_shared<Attempt>(Attempt{fresh, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}});
        return false;
    }
    for (const Diagnostic& d : held_.all()) real->report(d);
    return good;
}

bool Simulation::begin_after(bool found) {
    wants_mode_ = false;
    if (found) {
        for (const Diagnostic& d : held_.all())
            if (d.severity != Severity::Error) diagnostics_.report(d);
        return begin_results();
    }
    main_ = attempt_->main;
    modes_ = false;
    const bool good = begin();
    modes_ = true;
    return good;
}

bool Simulation::retry() {
    main_ = attempt_->main;
    forced_ = attempt_->forced;
    when_held_ = attempt_->when_held;
    sliding_ = attempt_->sliding;
    algebraic_ = attempt_->algebraic;
    left_ = attempt_->left;
    invalid_ = attempt_->invalid;
    sliding_list_ = attempt_->sliding_list;
    weights_ = attempt_->weights;
    offset_ = attempt_->offset;
    clocks_ = attempt_->clocks;
    modes_ = wants_mode_ = leaving_ = false;
    const bool good = event();
    modes_ = true;
    return good;
}

std::vector<EquationIndex> Simulation::failed_equations() {
    std::vector<EquationIndex> equations;
    const auto add = [&](const Block& block) {
        for (const SolvedEquation& s : block.inner)
            if (!s.from_initial) equations.push_back(s.equation);
        for (const ResidualEquation& r : block.residuals)
            if (!r.from_initial) equations.push_back(r.equation);
    };
    const auto is_finite = [&](const Unknown& u) {
        if (u.order == 0) return std::isfinite(main_[layout_.variable[u.variable.value]]);
        const auto state = std::find(partition_.states.begin(), partition_.states.end(), u.variable);
        return state == partition_.states.end() ||
               std::isfinite(main_[layout_.derivative[std::size_t(state - partition_.states.begin())]]);
    };
    for (const Block& block : partition_.blocks) {
        const bool failed = loops_.failure() && loops_.failure()->loop->block->torn == block.torn;
        const bool finite = std::all_of(block.inner.begin(), block.inner.end(),
                                        [&](const SolvedEquation& s) { return is_finite(s.unknown); }) &&
                            std::all_of(block.torn.begin(), block.torn.end(), is_finite);
        if (failed || !finite) add(block);
        if (!finite) break;
    }
    return equations;
}

std::string Simulation::failure() const {
    if (loops_.failure()) return loops_.failure()->reason;
    for (const Diagnostic& d : held_.all())
        if (d.severity == Severity::Error) return d.message;
    return "";
}

Handover Simulation::hand_over() {
    const std::size_t n = partition_.source->variables.size();
    Handover h;
    h.time = time();
    h.starting = main_[layout_.starting] != 0;
    h.next_output = next_output_;
    if (!leaving_) h.failed = failed_equations();
    // Where the equations failed, what they compute is what it was before the event.
    Interpreter after = main_;
    if (!leaving_ && attempt_) {
        after = attempt_->main;
        for (Slot slot : layout_.state) after[slot] = main_[slot];
        for (VariableIndex v{0}; v < model_.variables.end_index(); ++v.value)
            if (model_.variables[v].variability == Variability::Discrete)
                after[layout_.variable[v.value]] = main_[layout_.variable[v.value]];
    } else {
        after.run(program_.continuous);
    }
    after.run(program_.eliminated);
    for (std::size_t v = 0; v < n; ++v) {
        h.values.push_back(after[layout_.variable[v]]);
        const Slot previous = layout_.previous[v];
        h.previous.push_back(previous ? std::optional(main_[previous]) : std::nullopt);
    }
    h.sizes.resize(n);
    for (std::size_t v = 0; v < n; ++v) h.sizes[v] = std::abs(h.values[v]);
    for (std::size_t k = 0; k < partition_.states.size() && k < largest_.size(); ++k)
        if (const std::size_t v = selector_.stands_for(partition_.states[k]).value; v < n)
            h.sizes[v] = std::max(h.sizes[v], largest_[k]);
    for (VariableIndex v(static_cast<std::uint32_t>(n)); v < model_.variables.end_index(); ++v.value)
        h.by_name.emplace_back(model_.path(v), after[layout_.variable[v.value]]);
    for (std::size_t k = 0; k < partition_.states.size(); ++k)
        h.by_name.emplace_back(derivative_name(model_.path(partition_.states[k])),
                               after[layout_.derivative[k]]);
    h.when_held.assign(when_held_.begin(),
                       when_held_.begin() + std::ptrdiff_t(partition_.source->whens.size()));
    h.invalid = invalid_;
    for (std::size_t i = 0; i < clocks_.size(); ++i)
        h.clocks.push_back({partition_.clocks[i].node, clocks_[i], main_[layout_.clocks[i]] != 0});
    // A moment later.
    h.ahead = h.values;
    if (leaving_) {
        const double dt = short_time * (options_.stop - options_.start);
        bool good = true;
        for (int step = 0; step < short_steps && good; ++step) {
            after[layout_.time] += dt;
            for (std::size_t k = 0; k < layout_.state.size(); ++k)
                after[layout_.state[k]] += dt * after[layout_.derivative[k]];
            good = after.run(program_.continuous) && finite(after);
        }
        if (good && after.run(program_.eliminated))
            for (std::size_t v = 0; v < n; ++v) h.ahead[v] = after[layout_.variable[v]];
    }
    return h;
}

// Starts as the values before.
Handover Simulation::hand_over_start() {
    const std::size_t n = partition_.source->variables.size();
    Handover h;
    h.failed = failed_equations();
    main_ = attempt_->main;
    main_[layout_.time] = h.time = options_.start;
    h.starting = true;
    h.next_output = 1;
    main_.run(parameters_section());
    set_guesses(main_);
    for (std::size_t v = 0; v < n; ++v) h.values.push_back(main_[layout_.variable[v]]);
    h.ahead = h.values;
    h.previous.assign(h.values.begin(), h.values.end());
    for (double x : h.values) h.sizes.push_back(std::max(std::abs(x), 1e-6));
    for (const DerivativeStart& s : model_.derivative_starts)
        if (const auto value = cutset::evaluate(s.start.value, start_environment())) {
            std::string name = model_.path(s.variable);
            for (std::uint32_t k = 0; k < s.order; ++k) name = derivative_name(name);
            h.by_name.emplace_back(name, *value);
        }
    h.when_held.assign(partition_.source->whens.size(), false);
    h.invalid.assign(model_.validities.size(), false);
    clocks_.clear();
    if (!prepare_clocks()) return h;
    for (std::size_t i = 0; i < clocks_.size(); ++i) {
        const bool now = same_instant(clocks_[i].next(), h.time) || clocks_[i].next() == h.time;
        ClockState next = clocks_[i];
        if (now) ++next.ticks;
        h.clocks.push_back({partition_.clocks[i].node, next, now});
    }
    return h;
}

// Time, discrete variables, clocks, guesses.
void Simulation::take(const Handover& from) {
    main_.clear_error();
    main_[layout_.time] = from.time;
    main_[layout_.starting] = from.starting;
    for (std::size_t v = 0; v < from.values.size(); ++v) {
        if (model_.variables[VariableIndex(static_cast<std::uint32_t>(v))].variability >=
            Variability::Discrete)
            main_[layout_.variable[v]] = std::isfinite(from.values[v]) ? from.values[v] : 0;
        if (layout_.previous[v]) main_[layout_.previous[v]] = from.previous[v].value_or(from.values[v]);
    }
    when_held_ = from.when_held;
    invalid_ = from.invalid;
    next_output_ = from.next_output;
    for (std::size_t i = 0; i < clocks_.size(); ++i)
        for (const Handover::Ticking& t : from.clocks)
            if (t.node == partition_.clocks[i].node) {
                clocks_[i] = t.state;
                main_[layout_.clocks[i]] = t.now;
            }
    for (std::size_t i : std::vector<std::size_t>(sliding_list_)) sliding_[i] = false;
    sliding_list_.clear();
    std::fill(offset_.begin(), offset_.end(), 0);
    std::fill(left_.begin(), left_.end(), false);
    forced_.clear();
    scales_.clear();
    leaving_ = wants_mode_ = terminated_ = false;
    modes_entered_ = true;
    crossings_begin_.clear();
    loops_.forget_past();
    table_reported_.resize(model_.callees.size(), false);
}

Simulation::Entry Simulation::enter(const Handover& from) {
    take(from);
    const auto value_of = [&](VariableIndex v, const std::vector<double>& values) -> std::optional<double> {
        if (v.value < values.size()) return values[v.value];
        const std::string name = model_.path(v);
        for (const auto& [known, value] : from.by_name)
            if (known == name) return value;
        return std::nullopt;
    };
    const auto set = [&](const std::vector<double>& values) {
        for (VariableIndex v{0}; v < model_.variables.end_index(); ++v.value)
            if (model_.variables[v].variability == Variability::Continuous)
                if (const auto value = value_of(v, values); value && std::isfinite(*value))
                    main_[layout_.variable[v.value]] = *value;
    };
    set(from.ahead);
    if (!main_.run(program_.crossings)) return Entry::Failed;
    measure_time_switches();
    std::vector<double> ahead;
    for (std::size_t i = 0; i < partition_.switches.size(); ++i) ahead.push_back(switch_value(i));
    set(from.values);
    if (!selector_.choose(main_) || !main_.run(program_.crossings)) return Entry::Failed;
    for (std::size_t i = 0; i < partition_.switches.size(); ++i) {
        main_[layout_.switches[i]] = near_surface(i) ? ahead[i] : switch_value(i);
        if (near_surface(i)) forced_.set(i, {ahead[i], main_[layout_.crossings[i]]});
        main_[layout_.switches_before[i]] = main_[layout_.switches[i]];
    }
    modes_ = true;
    keep_previous_ = true;
    const bool good = attempt_event();
    keep_previous_ = false;
    wants_mode_ = false;
    return good ? Entry::Entered : Entry::Failed;
}

Simulation::Entry Simulation::enter_mode(const Handover& from, std::span<const ValueBefore> before,
                                         std::size_t exits, std::vector<std::size_t>& disagreeing,
                                         std::vector<Jump>& jumps) {
    disagreeing.clear();
    jumps.clear();
    exits_ = exits;
    main_[layout_.time] = from.time;
    if (!run_section(parameters_section())) return Entry::Failed;
    if (slope_.empty()) prepare();
    if (clocks_.empty() && !prepare_clocks()) return Entry::Failed;
    take(from);
    const auto value_before = [&](const ValueBefore& b) {
        if (b.order == 0) return from.values[b.of.value];
        std::string name = model_.path(b.of);
        for (std::uint32_t k = 0; k < b.order; ++k) name = derivative_name(name);
        for (const auto& [known, value] : from.by_name)
            if (known == name) return value;
        return 0.0;
    };
    for (const ValueBefore& b : before) main_[layout_.variable[b.variable.value]] = value_before(b);

    // What is not differentiated follows; switches that the mode leaves open are found with it.
    loops_.set_robust(true);
    main_.set_live_switches(true);
    bool solved = main_.run(program_.initial);
    main_.set_live_switches(false);
    solved = solved && main_.run(program_.crossings);
    if (!solved && main_.error()) return Entry::Failed;
    measure_time_switches();
    if (solved)
        for (std::size_t i = 0; i < partition_.switches.size(); ++i)
            main_[layout_.switches[i]] = switch_value(i);
    std::vector<std::size_t> involved;
    if (settle_quietly(program_.initial, involved) != Settling::Done) return Entry::Failed;
    if (!finite(main_) || !selector_.choose(main_) || !main_.run(program_.eliminated)) return Entry::Failed;
    for (const ValueBefore& b : before) {
        if (b.order > 0) continue;
        const double to = main_[layout_.variable[b.of.value]], old = from.values[b.of.value];
        const Variable& variable = model_.variables[b.of];
        const double size = std::max(from.sizes[b.of.value], std::abs(variable.nominal.value_or(0)));
        if (!(std::abs(to - old) <= std::max(10 * options_.tolerance, 1e-6) * std::max(size, 1e-12)))
            jumps.push_back({b.of, old, to});
    }
    if (!solve_sliding(main_, program_.continuous) || !finite(main_) || !main_.run(program_.crossings))
        return Entry::Failed;

    // Whether its conditions hold, and go on to hold.
    Interpreter ahead = main_;
    const double dt = short_time * (options_.stop - options_.start);
    for (int step = 0; step < short_steps; ++step) {
        ahead[layout_.time] += dt;
        for (std::size_t k = 0; k < layout_.state.size(); ++k)
            ahead[layout_.state[k]] += dt * ahead[layout_.derivative[k]];
        if (!ahead.run(program_.continuous) || !finite(ahead)) return Entry::Failed;
    }
    ahead.set_live_switches(true);
    if (!ahead.run(program_.crossings) || !ahead.run(program_.conditions)) return Entry::Failed;
    for (std::size_t w = exits_; w < model_.whens.size(); ++w)
        if (ahead[layout_.when_conditions[w]] != 0) disagreeing.push_back(w - exits_);
    if (!disagreeing.empty()) return Entry::Disagrees;

    // A crossing that is zero but for rounding has the side that it moves to.
    for (std::size_t i : state_switches_) {
        if (!near_surface(i)) continue;
        const double c = main_[layout_.crossings[i]], later = ahead[layout_.crossings[i]];
        if (later == 0) continue;
        const double value = is_sign(i) ? (later > 0 ? 1 : -1) : later < 0;
        main_[layout_.switches[i]] = value;
        forced_.set(i, {value, c});
        if (c * later < 0) offset_[i] = -c;
    }
    for (std::size_t i = 0; i < partition_.switches.size(); ++i)
        main_[layout_.switches_before[i]] = main_[layout_.switches[i]];
    if (!main_.run(program_.conditions)) return Entry::Failed;
    if (from.starting) hold_at_start(exits_);
    // None of the exits may be open from the beginning: it would never be taken.
    when_held_.resize(exits_);
    for (std::size_t w = exits_; w < model_.whens.size(); ++w) {
        when_held_.push_back(false);
        if (main_[layout_.when_conditions[w]] != 0) disagreeing.push_back(w - exits_);
    }
    if (!disagreeing.empty()) return Entry::Disagrees;
    keep_previous_ = true;
    const bool good = event();
    keep_previous_ = false;
    if (!good) return Entry::Failed;
    if (leaving_) {
        if (!main_.run(program_.conditions)) return Entry::Failed;
        for (std::size_t w = exits_; w < model_.whens.size(); ++w)
            if (main_[layout_.when_conditions[w]] != 0) disagreeing.push_back(w - exits_);
        return disagreeing.empty() ? Entry::Failed : Entry::Disagrees;
    }
    main_[layout_.starting] = 0;
    return Entry::Entered;
}

// The columns of another run of the same model, by name.
void Simulation::write_columns_of(const Simulation& first) {
    std::map<std::string, Slot> slots;
    for (VariableIndex v{0}; v < model_.variables.end_index(); ++v.value)
        slots.emplace(model_.path(v), layout_.variable[v.value]);
    for (std::size_t k = 0; k < partition_.states.size(); ++k)
        slots.emplace(derivative_name(model_.path(partition_.states[k])), layout_.derivative[k]);
    result_.slots.assign(1, layout_.time);
    for (ColumnIndex c(1); c < first.result_.columns.end_index(); ++c.value) {
        const Column& column = first.result_.columns[c];
        if (!column.stored()) continue;
        const auto found = slots.find(column.name);
        result_.slots.push_back(found == slots.end() ? no_slot : found->second);
    }
    row_.assign(result_.slots.size(), 0);
}

bool Simulation::write_after_entry() {
    return output_.run(program_.eliminated) && write_row(output_);
}

}  // namespace cutset

#include <algorithm>
#include <vector>

#include "run/continuous_inputs.h"
#include "run/run_messages.h"
#include "run/simulation.h"

namespace cutset {

namespace {

constexpr double without_progress = 1e-6;  // part of the run in which many events are too many

}  // namespace

bool Simulation::prepare_clocks() {
    for (std::size_t i = 0; i < partition_.clocks.size(); ++i) {
        ClockState clock{main_[layout_.clock_parameters[i].first], main_[layout_.clock_parameters[i].second],
                         0};
        if (!(clock.period > 0) || !std::isfinite(clock.first))
            return fail(run_messages::bad_clock({}, clock.first, clock.period));
        clock.ticks = std::max(0.0, std::ceil((options_.start - clock.first) / clock.period - 1e-9));
        clocks_.push_back(clock);
    }
    return true;
}

// What is kept by switch.
void Simulation::prepare() {
    for (auto* list : {&state_switches_, &time_switches_, &branch_switches_, &loop_switches_,
                       &uncertain_switches_, &switched_loops_, &sliding_list_})
        list->clear();
    unknown_slots_.clear();
    forced_.resize(partition_.switches.size());
    firings_.clear();
    slope_.assign(partition_.switches.size(), 0);
    kinks_.assign(partition_.switches.size(), {});
    muted_.assign(partition_.switches.size(), false);
    switch_ops_.clear();
    simple_.clear();
    all_simple_ = true;
    for (const Switch& s : partition_.switches) {
        switch_ops_.push_back(s.node->op);
        simple_.push_back(s.node->op == Op::Less && !s.instant);
        all_simple_ = all_simple_ && simple_.back();
    }
    sliding_.assign(partition_.switches.size(), false);
    algebraic_.assign(partition_.switches.size(), false);
    weights_.assign(partition_.switches.size(), 0);
    output_weights_ = weights_;
    offset_.assign(partition_.switches.size(), 0);
    largest_crossing_.assign(partition_.switches.size(), 0);
    firings_.resize(2 * partition_.switches.size());
    peaks_.assign(firings_.size(), 0);
    left_.assign(partition_.switches.size(), false);
    for (std::size_t i = 0; i < partition_.switches.size(); ++i)
        (partition_.switches[i].instant ? time_switches_ : state_switches_).push_back(i);
    std::vector<bool> iterated(model_.variables.size(), false);
    for (const Block& block : partition_.blocks)
        for (const Unknown& u : block.torn)
            if (block.kind == BlockKind::Nonlinear && u.order == 0) iterated[u.variable.value] = true;
    for (std::size_t i : state_switches_) {
        const Switch& s = partition_.switches[i];
        if (s.crossing->op != Op::Variable || s.crossing->order != 0 || !iterated[s.crossing->index] ||
            s.kink)
            continue;
        if (const Op op = s.node->op; op == Op::Sign || op == Op::Less || op == Op::LessEqual)
            branch_switches_.push_back(i);
    }

    prepare_whens();
    slopes_known_ = false;
    inputs_ = continuous_inputs(program_);
    std::vector<bool> read(layout_.slots), is_state(layout_.slots);
    for (Slot slot : layout_.state) is_state[slot] = true;
    discrete_inputs_.clear();
    for (Slot slot : inputs_) {
        read[slot] = true;
        if (!is_state[slot]) discrete_inputs_.push_back(slot);
    }
    acts_.clear();
    for (Slot slot : layout_.switches) acts_.push_back(read[slot]);
    repeatable_ =
        partition_.delays.empty() && branch_switches_.empty() && selector_.empty() && residuals_.empty();
    equations_known_ = false;
    for (const std::vector<Slot>* list :
         {&layout_.switches, &layout_.switches_before, &layout_.crossings, &layout_.when_conditions})
        CUTSET_ASSERT(list->empty() || list->back() - list->front() + 1 == list->size());
    find_switched_loops();
}

bool Simulation::initialise() {
    clocks_.clear();
    when_held_.clear();
    main_[layout_.time] = options_.start;
    if (!run_section(parameters_section()) || !report_not_finite(parameters_section(), options_.start))
        return false;
    if (!prepare_clocks()) return false;
    prepare();
    set_guesses(main_);
    if (!partition_.zero_starts.empty())
        diagnostics_.report(run_messages::zero_start(model_, partition_.zero_starts));
    main_[layout_.starting] = 1;
    main_.set_live_switches(true);  // the first values of the switches come from the equations themselves
    if (!solve_start() || !run_section(program_.crossings)) return false;
    main_.set_live_switches(false);
    measure_time_switches();
    for (std::size_t i = 0; i < partition_.switches.size(); ++i) main_[layout_.switches[i]] = switch_value(i);
    if (!settle_switches(initial_section()) || !report_not_finite(initial_section(), options_.start) ||
        !check_start())
        return false;
    if (!selector_.choose(main_)) return false;
    keep_values_before();
    for (std::size_t i = 0; i < partition_.switches.size(); ++i)
        main_[layout_.switches_before[i]] = main_[layout_.switches[i]];

    // At the start only conditions with `sample` or `start()` act.
    for (std::size_t i = 0; i < clocks_.size(); ++i)
        if (same_instant(clocks_[i].next(), options_.start) || clocks_[i].next() == options_.start)
            main_[layout_.clocks[i]] = 1;
    // A comparison of the time with the start itself, time > 0, changes on the way out of it.
    bool changes = false;
    for (std::size_t i : time_switches_) {
        const Op op = partition_.switches[i].node->op;
        if (main_[layout_.crossings[i]] != 0 || (op != Op::Less && op != Op::LessEqual)) continue;
        main_[layout_.switches[i]] = op == Op::LessEqual;
        changes = true;
    }
    for (int iteration = 0; changes && iteration < most_iterations; ++iteration) {
        if (!run_section(program_.continuous) || !run_section(program_.crossings)) return false;
        changes = false;
        for (std::size_t i : state_switches_) {
            const double value = switch_value(i);
            if (value == main_[layout_.switches[i]] || std::isnan(value)) continue;
            main_[layout_.switches[i]] = value;
            changes = true;
        }
    }
    if (!run_section(program_.conditions)) return false;
    hold_at_start(model_.whens.size());
    for (std::size_t i = 0; i < partition_.delays.size(); ++i)
        delays_.record(i, options_.start, main_[layout_.delay_arguments[i]]);
    invalid_.assign(model_.validities.size(), false);
    table_reported_.assign(model_.callees.size(), false);
    if (options_.observer) options_.observer->start(main_);
    if (!event()) return false;
    record_delays(options_.start);
    main_[layout_.starting] = 0;
    if (!evaluate()) return false;
    if (options_.observer) options_.observer->event_ends(main_, terminated_);
    return true;
}

// At the start a condition that holds does not act, unless it has `sample` or `start()`.
void Simulation::hold_at_start(std::size_t whens) {
    when_held_.clear();
    for (std::size_t i = 0; i < whens; ++i) {
        bool acts_at_start = false;
        for_each_node(model_.whens[i].condition,
                      [&](Expr e) { acts_at_start |= e->op == Op::Sample || e->op == Op::Starting; });
        when_held_.push_back(!acts_at_start && main_[layout_.when_conditions[i]] != 0);
    }
}

// The loops of the continuous equations that contain switches, and those switches.
void Simulation::find_switched_loops() {
    std::vector<bool> inside(partition_.switches.size());
    for (const Instruction& solve : program_.continuous.instructions) {
        if (solve.code != Code::Solve) continue;
        const Loop& loop = program_.loops[solve.a];
        bool switched = false;
        for (const Instruction& i : loop.residual.instructions)
            if (i.code == Code::Switch) inside[i.a] = switched = true;
        if (switched && !loop.linear) switched_loops_.push_back(solve.a);
    }
    const std::vector<bool> from_loops = slots_from_loops();
    for (std::size_t i : state_switches_) {
        const Op op = partition_.switches[i].node->op;
        if (partition_.switches[i].kink || (op != Op::Less && op != Op::LessEqual && op != Op::Sign))
            continue;
        if (inside[i]) loop_switches_.push_back(i);
        if (inside[i] || from_loops[layout_.crossings[i]]) uncertain_switches_.push_back(i);
    }
    std::vector<bool> eliminated(model_.variables.size());
    for (const Eliminated& e : partition_.eliminated) eliminated[e.variable.value] = true;
    for (VariableIndex v{0}; v < model_.variables.end_index(); ++v.value)
        if (model_.variables[v].variability == Variability::Continuous && !eliminated[v.value])
            unknown_slots_.push_back(layout_.variable[v.value]);
}

// By slot, after the equations and the crossings ran: whether its value depends on the solution of a loop.
std::vector<bool> Simulation::slots_from_loops() const {
    std::vector<bool> found(layout_.slots);
    const auto pass = [&](const Section& section) {
        for (const Instruction& i : section.instructions) {
            if (i.code == Code::Solve) {
                const Loop& loop = program_.loops[i.a];
                for (Slot slot : loop.torn) found[slot] = true;
                for (const Instruction& inner : loop.residual.instructions)
                    for_each_slot(inner, program_.calls, [&](Slot slot, bool written) {
                        if (written) found[slot] = true;
                    });
                continue;
            }
            bool any = false;
            for_each_slot(i, program_.calls, [&](Slot slot, bool written) {
                if (written)
                    found[slot] = any;
                else
                    any = any || found[slot];
            });
        }
    };
    pass(program_.continuous);
    pass(program_.crossings);
    return found;
}

double Simulation::next_time_event() const {
    double next = never;
    for (std::size_t i : time_switches_) {
        const double instant = main_[layout_.instants[i]];
        if (std::isfinite(instant) && instant > time() && !same_instant(instant, time()))
            next = std::min(next, instant);
    }
    for (const ClockState& clock : clocks_) next = std::min(next, clock.next());
    for (std::size_t i = 0; i < partition_.delays.size(); ++i)
        next = std::min(next, delays_.next_jump(i) + main_[layout_.delay_durations[i]]);
    return next;
}

// The event iteration at the present time. Before: states are the left limits, fired switches are in forced_.
// After: states, discrete variables and switches agree with the equations, and the output interpreter has
// them too.
bool Simulation::event() {
    struct Forget {
        bool& known;
        ~Forget() { known = false; }
    } forget{equations_known_};
    for (std::size_t i = 0; i < clocks_.size() && !keep_previous_; ++i) {
        const bool ticks = clocks_[i].next() <= time() || same_instant(clocks_[i].next(), time());
        main_[layout_.clocks[i]] = ticks;
        if (ticks) ++clocks_[i].ticks;
    }
    // time = 2 holds at that instant.
    for (std::size_t i : time_switches_)
        if (const Op op = partition_.switches[i].node->op; (op == Op::Equal || op == Op::NotEqual) &&
                                                           main_[layout_.starting] == 0 &&
                                                           same_instant(main_[layout_.instants[i]], time())) {
            main_[layout_.switches[i]] = op == Op::Equal;
            forced_.set(i, {main_[layout_.switches[i]], main_[layout_.crossings[i]]});
        }
    pass_delayed_jumps();
    if (!keep_previous_) keep_values_before();
    for (int round = 0;; ++round) {
        if (!when_clauses()) return false;
        if (leaving_) return true;
        for (std::size_t i = 0; i < clocks_.size(); ++i) main_[layout_.clocks[i]] = 0;
        // An equality holds for an instant only.
        for (std::size_t i : forced_.list())
            if (const Op op = partition_.switches[i].node->op; op == Op::Equal || op == Op::NotEqual)
                main_[layout_.switches[i]] = op == Op::NotEqual;
        main_[layout_.starting] = 0;
        if (!equations_known()) {
            if (!evaluate() || !run_section(program_.crossings)) return false;
            note_equations();
        }
        if (!run_section(program_.conditions)) return false;
        hold_conditions();
        if (!try_sliding() || !look_ahead() || !run_section(program_.conditions)) return false;
        // A condition that becomes true on the way out of this instant acts here too.
        std::optional<std::size_t> fresh;
        for (std::size_t i = 0; i < when_held_.size() && !fresh; ++i)
            if (main_[layout_.when_conditions[i]] != 0 && !when_held_[i]) fresh = i;
        if (!fresh) {
            hold_conditions();
            break;
        }
        if (round == most_iterations) {
            std::vector<std::string> variables;
            for (const WhenAction& action : model_.whens[*fresh].actions) {
                if (const auto* assign = std::get_if<WhenAssign>(&action))
                    variables.push_back(model_.path(assign->target));
                if (const auto* reinit = std::get_if<WhenReinit>(&action))
                    variables.push_back(model_.path(reinit->target));
            }
            return fail(run_messages::whens_do_not_settle(model_, variables,
                                                          model_.whens[*fresh].origin.where, time()));
        }
    }
    if (!layout_.switches.empty())
        std::copy_n(&main_[layout_.switches[0]], layout_.switches.size(), &main_[layout_.switches_before[0]]);
    settle_on_sides();
    forced_.clear();
    check_validity();
    copy_to_output();
    return true;
}

void Simulation::copy_to_output() {
    output_.take_values(main_);
    output_weights_ = weights_;
}

// Chooses other states where those at hand have become a bad choice: an event without a jump.
bool Simulation::renew_states() {
    if (!selector_.renew(main_)) return false;
    copy_to_output();
    return true;
}

void Simulation::check_validity() {
    for (std::size_t i = 0; i < model_.validities.size(); ++i) {
        const bool holds = main_[layout_.validity[i]] != 0;
        if (!holds && !invalid_[i]) {
            diagnostics_.report(
                run_messages::left_validity(model_, model_.validities[i], time(), options_.strict));
            if (options_.strict) stop_now_ = true;
        }
        invalid_[i] = !holds;
    }
}

void Simulation::watch_tables() {
    for (Interpreter* values : {&main_, &output_})
        for (CalleeIndex c : values->take_tables_left())
            if (!table_reported_[c.value]) {
                table_reported_[c.value] = true;
                // One without a name counts the pieces of another.
                if (const auto* table = std::get_if<TableData>(&model_.callees[c]);
                    table && !table->name.empty())
                    diagnostics_.report(run_messages::table_left(*table, time()));
            }
}

void Simulation::record_delays(double at) {
    for (std::size_t i = 0; i < partition_.delays.size(); ++i)
        delays_.record(i, at, main_[layout_.delay_arguments[i]], at - main_[layout_.delay_durations[i]]);
    pass_delayed_jumps();  // of a delay by 0
}

void Simulation::pass_delayed_jumps() {
    for (std::size_t i = 0; i < partition_.delays.size(); ++i) {
        const auto comes_out = [&] { return delays_.next_jump(i) + main_[layout_.delay_durations[i]]; };
        while (comes_out() <= time() || same_instant(comes_out(), time())) delays_.pass(i);
    }
}

// Counts events in a row without progress. A kink that does nothing but follow rounding errors is watched no
// more, and ends nothing: the equations are the same on both sides. Any other switch that does so ends the
// run, and so does one whose instants come ever faster and pile up.
bool Simulation::storm(double at) {
    const double span = options_.stop - options_.start;
    bool kinks_only = !fired_now_.empty();
    for (std::size_t i : fired_now_) {
        if (partition_.switches[i].kink) {
            count_kink(i, at);
            continue;
        }
        kinks_only = false;
        if (!count_firing(i, at)) return false;
    }
    if (kinks_only) return true;
    if (storm_events_ == 0 || at - storm_start_ > without_progress * span) {
        storm_start_ = at;
        storm_events_ = 0;
    }
    if (++storm_events_ < storm_length) return true;
    const Switch* relation =
        last_fired_ < partition_.switches.size() ? &partition_.switches[last_fired_] : nullptr;
    return fail(run_messages::event_storm(model_, relation, storm_events_, storm_start_, at));
}

void Simulation::count_kink(std::size_t i, double at) {
    constexpr std::size_t most = 100;
    const double span = options_.stop - options_.start;
    KinkCount& k = kinks_[i];
    if (k.recent == 0 || at - k.since > without_progress * span) {
        k.since = at;
        k.recent = 0;
    }
    ++k.recent;
    ++k.all;
    if (k.recent > most || (k.all > most && double(k.all) > 1e4 * (at - options_.start) / span))
        muted_[i] = true;
}

// The instants at which one switch goes one way.
bool Simulation::count_firing(std::size_t i, double at) {
    constexpr std::size_t in_a_row = 12;  // intervals of which each is shorter than the last
    constexpr std::size_t often = 500;
    const double span = options_.stop - options_.start;
    Firing& f = firings_[2 * i + (main_[layout_.switches[i]] > 0)];
    const double interval = at - f.last;
    if (f.count > 0 && f.interval > 0 && interval < 0.995 * f.interval) {
        if (f.shorter == 0) {
            f.first = f.last - f.interval;
            f.longest = f.interval;
        }
        ++f.shorter;
    } else if (f.count > 1) {
        f.shorter = 0;
    }
    if (f.count > 0) f.interval = interval;
    f.last = at;
    if (f.count++ % often == 0) {
        const double rate = static_cast<double>(often) / (at - f.window);
        if (f.count > often && rate * span > 2e4 && !f.reported && !sliding_[i]) {
            firings_[2 * i].reported = firings_[2 * i + 1].reported = true;
            diagnostics_.report(
                run_messages::chattering(model_, partition_.switches[i], often, f.window, at));
        }
        f.window = at;
    }
    // What happens between two instants is below what the tolerance can tell.
    double& peak = peaks_[static_cast<std::size_t>(&f - firings_.data())];
    const bool small = peak < smallest_crossing_ * largest_crossing_[i];
    peak = 0;
    if (f.shorter < in_a_row || !(interval < 1e-3 * span) || !small) return true;
    if (rest_on_surfaces()) return true;
    const double ratio = std::pow(interval / f.longest, 1 / static_cast<double>(f.shorter));
    const double rest = interval * ratio / (1 - ratio);
    std::vector<std::pair<std::string, double>> restarted;
    for (const WhenClause& when : model_.whens) {
        bool contains = false;
        for_each_node(when.condition, [&](Expr e) { contains |= e == partition_.switches[i].node; });
        if (!contains) continue;
        for (const WhenAction& action : when.actions)
            if (const auto* reinit = std::get_if<WhenReinit>(&action))
                restarted.emplace_back(model_.path(reinit->target),
                                       main_[layout_.variable[reinit->target.value]]);
    }
    return fail(run_messages::events_accumulate(model_, partition_.switches[i], f.shorter + 2, f.first, at,
                                                ratio, at + rest, restarted));
}

}  // namespace cutset

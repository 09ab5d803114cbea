#include "operations/simulate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "generate/interpreter.h"
#include "operations/delay_buffer.h"
#include "operations/loop_solver.h"
#include "operations/result_columns.h"
#include "operations/run_messages.h"

namespace cutset {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr int most_iterations = 100;        // of switches and of when clauses at one instant
constexpr std::size_t storm_length = 2000;  // events in a row without progress

// Two instants that differ by rounding only are one.
bool same_instant(double a, double b) {
    return std::isfinite(a) && std::isfinite(b) &&
           std::abs(a - b) <= 1e-13 * std::max(std::abs(a), std::abs(b));
}

class Simulation {
  public:
    Simulation(const Program& program, const SimulateOptions& options, RowSink& sink,
               Diagnostics& diagnostics)
        : program_(program),
          partition_(*program.partition),
          model_(partition_.model),
          layout_(program.layout),
          options_(options),
          sink_(sink),
          diagnostics_(diagnostics),
          delays_(partition_.delays.size()),
          loops_(program, model_),
          output_loops_(program, model_),
          main_(program, {&loops_, &delays_, options.allow_external}),
          output_(program, {&output_loops_, &delays_, options.allow_external}) {}

    RunSummary run();

  private:
    // ---- one instant
    bool run_section(const Section& section);
    bool report_not_finite(const Section& section, double time);
    bool evaluate();  // continuous equations at the present time and states
    void set_states(Interpreter& values, std::span<const double> x);
    std::vector<double> states() const;
    double switch_value(std::size_t i) const;
    bool settle_switches(const Section& section);
    void measure_time_switches();
    bool look_ahead();
    bool switches_disagree() const;

    // ---- the run
    bool initialise();
    bool prepare_clocks();
    bool integrate();
    bool event();
    bool when_clauses();
    void check_validity();
    void watch_tables();
    void record_delays(double time);
    double next_time_event() const;
    bool write_row(Interpreter& values);
    bool write_output(double t);
    bool storm(double time);
    bool run_continuous();
    bool try_continuous(double t, std::span<const double> x);
    int derivatives(double t, std::span<const double> x, std::span<double> dx);
    int crossings(double t, std::span<const double> x, std::span<double> g);
    bool integration_failed(const Integrator& integrator);
    IvpProblem problem();

    bool fail(Diagnostic d) {
        diagnostics_.report(std::move(d));
        return false;
    }
    double time() const { return main_[layout_.time]; }
    double output_time(std::size_t i) const;
    std::size_t output_count() const;

    const Program& program_;
    const Partition& partition_;
    const FlatModel& model_;
    const Layout& layout_;
    const SimulateOptions& options_;
    RowSink& sink_;
    Diagnostics& diagnostics_;
    DelayBuffer delays_;
    NumericLoopSolver loops_, output_loops_;
    Interpreter main_, output_;

    ResultLayout result_;
    std::vector<double> row_;
    std::size_t next_output_ = 0;
    RunSummary summary_;

    struct ClockState {
        double first = 0, period = 0;
        double ticks = 0;  // number of the next tick
        double next() const { return first + ticks * period; }
    };
    std::vector<ClockState> clocks_;
    std::vector<std::size_t> state_switches_, time_switches_;  // numbers of switches
    std::vector<double> slope_;                                // by switch: of the crossing of a time switch
    struct Forced {
        double value, crossing;
    };
    std::map<std::size_t, Forced> forced_;  // switches whose crossing was located at this instant
    std::vector<bool> when_held_;           // by when clause: its condition before this event
    std::vector<bool> invalid_;             // by validity: left and reported
    std::vector<bool> table_reported_;
    bool terminated_ = false;
    std::size_t storm_events_ = 0;
    double storm_start_ = 0;
    std::size_t last_fired_ = std::size_t(-1);  // the switch of the last state event
    std::vector<std::size_t> kinks_;            // by switch: events of a kink
    std::vector<bool> muted_;                   // by switch: no longer watched
    std::vector<double> bad_states_;            // where derivatives were last not finite
    double bad_time_ = 0;
    bool stop_now_ = false;  // an error that no shorter step cures
};

// ---- one instant

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
// (sign(i)*i**2 = u for u < 0); then the equations of the far side count, so that the crossing can be found.
bool Simulation::run_continuous() {
    if (main_.run(program_.continuous)) return true;
    if (main_.error() || state_switches_.empty()) return false;
    main_.set_live_switches(true);
    const bool solved = main_.run(program_.continuous);
    main_.set_live_switches(false);
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

// A relation whose two sides are exactly equal takes the side that they move to: a few short Euler steps tell
// which.
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
bool Simulation::switches_disagree() const {
    for (std::size_t i : state_switches_) {
        const double c = main_[layout_.crossings[i]], value = main_[layout_.switches[i]];
        const Op op = partition_.switches[i].node->op;
        if (muted_[i]) continue;
        if ((op == Op::Less || op == Op::LessEqual) && c != 0 && !std::isnan(c) && (c < 0) != (value != 0))
            return true;
        if (op == Op::Truncate && std::abs(c - std::trunc(c)) > 1e-9 && std::trunc(c) != value) return true;
    }
    return false;
}

// ---- initialisation

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

bool Simulation::initialise() {
    main_[layout_.time] = options_.start;
    if (!run_section(program_.parameters) || !report_not_finite(program_.parameters, options_.start))
        return false;
    if (!prepare_clocks()) return false;
    slope_.assign(partition_.switches.size(), 0);
    kinks_.assign(partition_.switches.size(), 0);
    muted_.assign(partition_.switches.size(), false);
    for (std::size_t i = 0; i < partition_.switches.size(); ++i)
        (partition_.switches[i].instant ? time_switches_ : state_switches_).push_back(i);

    // Guesses and the values of discrete variables before the first event.
    Environment environment;
    environment.leaf = [&](Expr leaf) -> std::optional<double> {
        if (leaf->op == Op::Time) return options_.start;
        if (leaf->op == Op::Variable && leaf->order == 0) return main_[layout_.variable[leaf->index]];
        return std::nullopt;
    };
    for (VariableIndex v{0}; v < model_.variables.end_index(); ++v.value) {
        const Variable& variable = model_.variables[v];
        if (variable.variability == Variability::Discrete && variable.binding) {
            if (const auto value = cutset::evaluate(variable.binding, environment))
                main_[layout_.variable[v.value]] = *value;
        } else if (variable.variability == Variability::Continuous && variable.start) {
            if (const auto value = cutset::evaluate(variable.start->value, environment))
                main_[layout_.variable[v.value]] = *value;
        }
        if (layout_.previous[v.value]) main_[layout_.previous[v.value]] = main_[layout_.variable[v.value]];
    }

    if (!partition_.zero_starts.empty())
        diagnostics_.report(run_messages::zero_start(model_, partition_.zero_starts));
    main_[layout_.starting] = 1;
    main_.set_live_switches(true);  // the first values of the switches come from the equations themselves
    if (!run_section(program_.initial) || !run_section(program_.crossings)) return false;
    main_.set_live_switches(false);
    measure_time_switches();
    for (std::size_t i = 0; i < partition_.switches.size(); ++i) main_[layout_.switches[i]] = switch_value(i);
    if (!settle_switches(program_.initial) || !report_not_finite(program_.initial, options_.start))
        return false;
    for (VariableIndex v{0}; v < model_.variables.end_index(); ++v.value)
        if (layout_.previous[v.value]) main_[layout_.previous[v.value]] = main_[layout_.variable[v.value]];

    // At the start only conditions with `sample` or `start()` act.
    for (std::size_t i = 0; i < clocks_.size(); ++i)
        if (same_instant(clocks_[i].next(), options_.start) || clocks_[i].next() == options_.start)
            main_[layout_.clocks[i]] = 1;
    if (!run_section(program_.conditions)) return false;
    for (std::size_t i = 0; i < model_.whens.size(); ++i) {
        bool acts_at_start = false;
        for_each_node(model_.whens[i].condition,
                      [&](Expr e) { acts_at_start |= e->op == Op::Sample || e->op == Op::Starting; });
        when_held_.push_back(!acts_at_start && main_[layout_.when_conditions[i]] != 0);
    }
    for (std::size_t i = 0; i < partition_.delays.size(); ++i)
        delays_.record(i, options_.start, main_[layout_.delay_arguments[i]]);
    invalid_.assign(model_.validities.size(), false);
    table_reported_.assign(model_.callees.size(), false);
    if (!event()) return false;
    main_[layout_.starting] = 0;
    return evaluate();
}

// ---- events

double Simulation::next_time_event() const {
    double next = never;
    for (std::size_t i : time_switches_) {
        const double instant = main_[layout_.instants[i]];
        if (std::isfinite(instant) && instant > time() && !same_instant(instant, time()))
            next = std::min(next, instant);
    }
    for (const ClockState& clock : clocks_) next = std::min(next, clock.next());
    return next;
}

// The event iteration at the present time. Before: states are the left limits, fired switches are in forced_.
// After: states, discrete variables and switches agree with the equations, and the output interpreter has
// them too.
bool Simulation::event() {
    for (std::size_t i = 0; i < clocks_.size(); ++i) {
        const bool ticks = clocks_[i].next() <= time() || same_instant(clocks_[i].next(), time());
        main_[layout_.clocks[i]] = ticks;
        if (ticks) ++clocks_[i].ticks;
    }
    for (std::size_t v = 0; v < layout_.previous.size(); ++v)
        if (layout_.previous[v]) main_[layout_.previous[v]] = main_[layout_.variable[v]];
    for (int round = 0;; ++round) {
        if (!when_clauses()) return false;
        for (std::size_t i = 0; i < clocks_.size(); ++i) main_[layout_.clocks[i]] = 0;
        // An equality holds for an instant only.
        for (auto& [i, f] : forced_)
            if (const Op op = partition_.switches[i].node->op; op == Op::Equal || op == Op::NotEqual)
                main_[layout_.switches[i]] = op == Op::NotEqual;
        main_[layout_.starting] = 0;
        const auto hold = [&] {
            for (std::size_t i = 0; i < when_held_.size(); ++i)
                when_held_[i] = main_[layout_.when_conditions[i]] != 0;
        };
        if (!evaluate() || !run_section(program_.crossings) || !run_section(program_.conditions))
            return false;
        hold();
        if (!look_ahead() || !run_section(program_.conditions)) return false;
        // A condition that becomes true on the way out of this instant acts here too.
        std::optional<std::size_t> fresh;
        for (std::size_t i = 0; i < when_held_.size() && !fresh; ++i)
            if (main_[layout_.when_conditions[i]] != 0 && !when_held_[i]) fresh = i;
        if (!fresh) {
            hold();
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
    forced_.clear();
    check_validity();
    output_ = main_;
    output_.set_hooks({&output_loops_, &delays_, options_.allow_external});
    return true;
}

bool Simulation::when_clauses() {
    std::map<VariableIndex, Span> set_by;  // for the note on two clauses that set one variable
    for (int round = 0;; ++round) {
        // Discrete values of all active clauses, until they agree with each other.
        std::vector<bool> active(model_.whens.size(), false);
        std::vector<std::string> changing;
        Span changing_where;
        for (int iteration = 0;; ++iteration) {
            if (!settle_switches(program_.continuous) || !run_section(program_.conditions)) return false;
            changing.clear();
            set_by.clear();
            for (std::size_t w = 0; w < model_.whens.size(); ++w) {
                if (main_[layout_.when_conditions[w]] != 0 && !when_held_[w]) active[w] = true;
                if (!active[w]) continue;
                if (!run_section(program_.when_actions[w])) return false;
                for (std::size_t a = 0; a < model_.whens[w].actions.size(); ++a) {
                    const auto* assign = std::get_if<WhenAssign>(&model_.whens[w].actions[a]);
                    if (!assign) continue;
                    const Slot target = layout_.variable[assign->target.value];
                    const double value = main_[layout_.when_values[w][a]];
                    if (!std::isfinite(value)) {
                        if (!report_not_finite(program_.when_actions[w], time())) return false;
                        return fail(run_messages::value_not_finite(model_, assign->target, time()));
                    }
                    if (const auto [it, fresh] = set_by.emplace(assign->target, assign->origin.where);
                        !fresh && it->second.begin != assign->origin.where.begin && iteration == 0)
                        diagnostics_.report(run_messages::set_twice(
                            model_, assign->target, assign->origin.where, it->second, time()));
                    if (main_[target] == value) continue;
                    main_[target] = value;
                    changing.push_back(model_.path(assign->target));
                    changing_where = assign->origin.where;
                }
            }
            if (changing.empty()) break;
            if (iteration == most_iterations)
                return fail(run_messages::whens_do_not_settle(model_, changing, changing_where, time()));
        }
        if (std::find(active.begin(), active.end(), true) == active.end()) return true;

        // All reinit values were computed with the states as they are; now they change together.
        std::vector<std::pair<Slot, double>> restarts;
        for (std::size_t w = 0; w < model_.whens.size(); ++w) {
            if (!active[w]) continue;
            for (std::size_t a = 0; a < model_.whens[w].actions.size(); ++a) {
                if (const auto* reinit = std::get_if<WhenReinit>(&model_.whens[w].actions[a])) {
                    restarts.emplace_back(layout_.variable[reinit->target.value],
                                          main_[layout_.when_values[w][a]]);
                } else if (const auto* end = std::get_if<WhenTerminate>(&model_.whens[w].actions[a])) {
                    if (!terminated_) diagnostics_.report(run_messages::terminated(*end, model_, time()));
                    terminated_ = true;
                }
            }
        }
        for (const auto& [slot, value] : restarts) main_[slot] = value;
        for (std::size_t w = 0; w < when_held_.size(); ++w)
            when_held_[w] = main_[layout_.when_conditions[w]] != 0;
        for (std::size_t v = 0; v < layout_.previous.size(); ++v)
            if (layout_.previous[v]) main_[layout_.previous[v]] = main_[layout_.variable[v]];
        if (round == most_iterations)
            return fail(run_messages::whens_do_not_settle(model_, {"the states"}, {}, time()));
    }
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
                if (const auto* table = std::get_if<TableData>(&model_.callees[c]))
                    diagnostics_.report(run_messages::table_left(*table, time()));
            }
}

void Simulation::record_delays(double at) {
    for (std::size_t i = 0; i < partition_.delays.size(); ++i) {
        delays_.record(i, at, main_[layout_.delay_arguments[i]]);
        delays_.forget_before(i, at - main_[layout_.delay_durations[i]]);
    }
}

// Counts events in a row without progress. A kink that does nothing but follow rounding errors is watched no
// more; any other switch that does so ends the run.
bool Simulation::storm(double at) {
    if (last_fired_ < partition_.switches.size() && partition_.switches[last_fired_].kink &&
        ++kinks_[last_fired_] > 100 &&
        kinks_[last_fired_] > 1e4 * (at - options_.start) / (options_.stop - options_.start))
        muted_[last_fired_] = true;
    if (storm_events_ == 0 || at - storm_start_ > 1e-6 * (options_.stop - options_.start)) {
        storm_start_ = at;
        storm_events_ = 0;
    }
    if (++storm_events_ < storm_length) return true;
    const Switch* relation =
        last_fired_ < partition_.switches.size() ? &partition_.switches[last_fired_] : nullptr;
    return fail(run_messages::event_storm(model_, relation, storm_events_, storm_start_, at));
}

// ---- output

std::size_t Simulation::output_count() const {
    if (options_.step)
        return static_cast<std::size_t>(
                   std::floor((options_.stop - options_.start) / *options_.step + 1e-9)) +
               1;
    return std::max<std::size_t>(options_.points, 2);
}

double Simulation::output_time(std::size_t i) const {
    if (options_.step) return options_.start + static_cast<double>(i) * *options_.step;
    const std::size_t last = output_count() - 1;
    if (i >= last) return options_.stop;
    return options_.start +
           (options_.stop - options_.start) * (static_cast<double>(i) / static_cast<double>(last));
}

bool Simulation::write_row(Interpreter& values) {
    bool finite = true;
    for (std::size_t i = 0; i < row_.size(); ++i) {
        row_[i] = values[result_.slots[i]];
        finite &= std::isfinite(row_[i]);
    }
    if (!finite) {
        for (const Section* section : {&program_.continuous, &program_.eliminated})
            if (const auto what = values.explain_non_finite(*section))
                return fail(run_messages::not_finite(model_, *what, row_[0]));
        for (VariableIndex v{0}; v < model_.variables.end_index(); ++v.value)
            if (!std::isfinite(values[layout_.variable[v.value]]))
                return fail(run_messages::value_not_finite(model_, v, row_[0]));
    }
    if (const auto problem = sink_.row(row_)) return fail(run_messages::result_problem(*problem, row_[0]));
    ++summary_.rows;
    return true;
}

// ---- integration

// The continuous equations at a point that the integrator tries.
bool Simulation::try_continuous(double t, std::span<const double> x) {
    loops_.set_robust(false);
    main_[layout_.time] = t;
    set_states(main_, x);
    main_.clear_error();
    return run_continuous();
}

int Simulation::derivatives(double t, std::span<const double> x, std::span<double> dx) {
    if (!try_continuous(t, x)) {
        if (main_.error() && main_.error()->code != "table-range") {
            stop_now_ = true;
            return -1;
        }
        bad_time_ = t;
        bad_states_.assign(x.begin(), x.end());
        return 1;
    }
    bool finite = true;
    for (std::size_t i = 0; i < dx.size(); ++i) {
        dx[i] = main_[layout_.derivative[i]];
        finite &= std::isfinite(dx[i]);
    }
    if (!finite) {
        bad_time_ = t;
        bad_states_.assign(x.begin(), x.end());
    }
    return finite ? 0 : 1;
}

int Simulation::crossings(double t, std::span<const double> x, std::span<double> g) {
    if (!try_continuous(t, x) || !main_.run(program_.crossings)) {
        bad_time_ = t;
        bad_states_.assign(x.begin(), x.end());
        return 1;
    }
    for (std::size_t k = 0; k < state_switches_.size(); ++k) {
        const std::size_t i = state_switches_[k];
        const double c = main_[layout_.crossings[i]];
        if (muted_[i]) {
            g[k] = 1;
        } else if (partition_.switches[i].node->op == Op::Truncate) {
            const double n = main_[layout_.switches[i]];
            const double low = n > 0 ? n : n - 1, high = n < 0 ? n : n + 1;
            g[k] = (c - low) * (high - c);
        } else {
            g[k] = c;
        }
    }
    return 0;
}

IvpProblem Simulation::problem() {
    IvpProblem p;
    p.n = layout_.state.size();
    p.rhs = [this](double t, std::span<const double> x, std::span<double> dx) {
        return derivatives(t, x, dx);
    };
    p.roots = state_switches_.size();
    p.root_functions = [this](double t, std::span<const double> x, std::span<double> g) {
        return crossings(t, x, g);
    };
    // The integrator bounds the error of one step; over a run errors add up, in oscillations without damping
    // to a hundred of them. The user's tolerance is about the result.
    const double local = std::min(options_.tolerance, std::max(0.01 * options_.tolerance, 1e-13));
    p.relative_tolerance = local;
    p.absolute_tolerance.clear();
    for (VariableIndex v : partition_.states) {
        const Variable& variable = model_.variables[v];
        double scale = 1;
        if (variable.nominal) {
            scale = std::abs(*variable.nominal);
        } else if (variable.minimum && variable.maximum) {
            scale = std::max(std::abs(*variable.minimum), std::abs(*variable.maximum));
        } else if (variable.start && main_[layout_.variable[v.value]] != 0) {
            scale = std::abs(main_[layout_.variable[v.value]]);
        }
        if (!(scale > 0) || !std::isfinite(scale)) scale = 1;
        p.absolute_tolerance.push_back(options_.absolute ? *options_.absolute : local * scale);
    }
    if (p.absolute_tolerance.empty()) p.absolute_tolerance = {local};
    for (const auto slot : layout_.delay_durations)
        if (main_[slot] > 0) p.max_step = std::min(p.max_step, main_[slot]);
    if (p.n == 0) p.max_step = std::min(p.max_step, (options_.stop - options_.start) / 1000);
    p.interrupt = options_.interrupt;
    return p;
}

// One output point; the states are in the output interpreter.
bool Simulation::write_output(double t) {
    output_[layout_.time] = t;
    output_.clear_error();
    if (!output_.run(program_.continuous) || !output_.run(program_.eliminated)) {
        if (output_.error()) return fail(run_messages::run_error(*output_.error(), t));
        return fail(run_messages::loop_failed(model_, *output_loops_.failure()->loop, output_,
                                              output_loops_.failure()->reason, t));
    }
    return write_row(output_);
}

bool Simulation::integration_failed(const Integrator& integrator) {
    if (main_.error() && stop_now_) return fail(run_messages::run_error(*main_.error(), main_[layout_.time]));
    if (!bad_states_.empty() || (layout_.state.empty() && bad_time_ != 0)) {
        main_[layout_.time] = bad_time_;
        set_states(main_, bad_states_);
        main_.clear_error();
        if (!main_.run(program_.continuous)) {
            if (main_.error()) return fail(run_messages::run_error(*main_.error(), bad_time_));
            if (loops_.failure())
                return fail(run_messages::loop_failed(model_, *loops_.failure()->loop, main_,
                                                      loops_.failure()->reason, bad_time_));
        } else if (const auto what = main_.explain_non_finite(program_.continuous)) {
            return fail(run_messages::not_finite(model_, *what, bad_time_));
        }
    }
    std::optional<VariableIndex> state;
    const SolvedEquation* equation = nullptr;
    if (const auto limiting = integrator.limiting_state(); limiting && *limiting < partition_.states.size()) {
        state = partition_.states[*limiting];
        for (const Block& block : partition_.blocks)
            for (const SolvedEquation& solved : block.inner)
                if (solved.unknown == Unknown{*state, 1}) equation = &solved;
    }
    return fail(
        run_messages::solver_failed(model_, integrator.failure_reason(), state, equation, integrator.time()));
}

bool Simulation::integrate() {
    IvpProblem ivp = problem();
    const double longest_step = ivp.max_step;
    std::unique_ptr<Integrator> integrator = make_integrator(options_.solver, std::move(ivp));
    CUTSET_ASSERT(integrator != nullptr);  // the caller has checked the name
    const bool watch_steps = !model_.validities.empty() || !partition_.delays.empty();
    std::vector<double> x = states(), inside(x.size());
    integrator->start(time(), x);
    while (time() < options_.stop && !terminated_ && !stop_now_) {
        const double event_time = next_time_event();
        double until = std::min(options_.stop, event_time);
        // The history of delays must reach the start of each step; a model without states has no steps of its
        // own.
        if (!partition_.delays.empty()) until = std::min(until, time() + longest_step);
        bad_states_.clear();
        const StepResult step = integrator->step(until);
        summary_.integrator = integrator->statistics();
        summary_.time = step.time;
        if (step.status == StepStatus::Failed) return integration_failed(*integrator);
        if (step.status == StepStatus::Interrupted) {
            summary_.outcome = RunOutcome::Interrupted;
            return true;
        }
        const bool time_event = event_time <= step.time || same_instant(event_time, step.time);
        bool is_event = step.status == StepStatus::Root || time_event;
        if (!is_event && !state_switches_.empty()) {
            main_[layout_.time] = step.time;
            set_states(main_, integrator->state());
            if (!evaluate() || !run_section(program_.crossings)) return false;
            is_event = switches_disagree();
        }

        // Output points passed, from the interpolant. At an event its own two rows stand for them.
        for (; next_output_ < output_count(); ++next_output_) {
            const double t = output_time(next_output_);
            const bool at_end = t == step.time || same_instant(t, step.time);
            if (t > step.time && !at_end) break;
            if (at_end && is_event) continue;
            if (at_end)
                std::copy(integrator->state().begin(), integrator->state().end(), inside.begin());
            else
                integrator->interpolate(t, inside);
            set_states(output_, inside);
            if (!write_output(t)) return false;
        }
        if (!partition_.delays.empty()) {
            // Points inside the step keep the history smooth.
            constexpr int parts = 8;
            for (int k = 1; k < parts; ++k) {
                const double t = step.from + (step.time - step.from) * k / parts;
                integrator->interpolate(t, inside);
                main_[layout_.time] = t;
                set_states(main_, inside);
                if (main_.run(program_.continuous) && main_.run(program_.conditions)) record_delays(t);
            }
        }
        x.assign(integrator->state().begin(), integrator->state().end());
        main_[layout_.time] = step.time;
        set_states(main_, x);
        if (watch_steps || is_event || !program_.loops.empty()) {
            if (!evaluate() || !run_section(program_.conditions)) return false;
            record_delays(step.time);
            if (!is_event) check_validity();
        }
        watch_tables();
        if (is_event) {
            ++summary_.events;
            if (!storm(step.time)) return false;
            if (!run_section(program_.crossings) || !run_section(program_.eliminated) || !write_row(main_))
                return false;
            if (step.status == StepStatus::Root)
                for (std::size_t k = 0; k < state_switches_.size(); ++k) {
                    if (step.roots[k] == 0) continue;
                    const std::size_t i = state_switches_[k];
                    const double c = main_[layout_.crossings[i]];
                    const double n = main_[layout_.switches[i]];
                    double value = 0;
                    switch (partition_.switches[i].node->op) {
                        case Op::Less:
                        case Op::LessEqual:
                            value = step.roots[k] < 0;
                            break;
                        case Op::Equal:
                            value = 1;
                            break;
                        case Op::NotEqual:
                            value = 0;
                            break;
                        default:
                            value = c - n > (n > 0 ? 0.5 : n < 0 ? -0.5 : 0) ? n + 1 : n - 1;
                            break;
                    }
                    forced_[i] = {value, c};
                    main_[layout_.switches[i]] = value;
                    last_fired_ = i;
                }
            if (!event()) return false;
            record_delays(step.time);
            if (!output_.run(program_.eliminated) || !write_row(output_)) return false;
            x = states();
            integrator->start(step.time, x, integrator->last_step());
        }
        if (options_.progress) options_.progress(step.time);
    }
    if (stop_now_) return false;
    summary_.outcome = terminated_ ? RunOutcome::Terminated : RunOutcome::Finished;
    return true;
}

RunSummary Simulation::run() {
    summary_.time = options_.start;
    bool good = initialise();
    if (good) {
        watch_tables();
        good = run_section(program_.eliminated);
        output_ = main_;
        output_.set_hooks({&output_loops_, &delays_, options_.allow_external});
        result_ = result_layout(main_, options_.states_only);
        row_.resize(result_.slots.size());
        if (const auto problem = sink_.begin(result_.columns)) {
            diagnostics_.report(run_messages::result_problem(*problem, options_.start));
            good = false;
        }
    }
    good = good && write_row(main_);
    next_output_ = 1;
    if (good && stop_now_) good = false;
    if (good && terminated_) summary_.outcome = RunOutcome::Terminated;
    if (good && !terminated_) good = integrate();
    if (!good) summary_.outcome = RunOutcome::Failed;
    return summary_;
}

}  // namespace

RunSummary simulate(const Program& program, const SimulateOptions& options, RowSink& sink,
                    Diagnostics& diagnostics) {
    return Simulation(program, options, sink, diagnostics).run();
}

}  // namespace cutset

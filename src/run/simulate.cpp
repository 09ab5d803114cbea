#include "run/simulate.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "base/finite.h"
#include "run/run_messages.h"
#include "run/simulation.h"
#include "run/step_limit.h"

namespace cutset {

namespace {

// A stopwatch that stands while the run waits for machine code.
class UnwaitedStopwatch {
  public:
    UnwaitedStopwatch(double* sum, const SimulateOptions& options)
        : sum_(sum), options_(options), waited_before_(sum ? waited(options) : 0), watch_(sum) {}
    ~UnwaitedStopwatch() {
        if (sum_) *sum_ -= waited(options_) - waited_before_;
    }
    UnwaitedStopwatch(const UnwaitedStopwatch&) = delete;
    UnwaitedStopwatch& operator=(const UnwaitedStopwatch&) = delete;

  private:
    double* sum_;
    const SimulateOptions& options_;
    double waited_before_;
    Stopwatch watch_;
};

// The iterated unknown of a loop that has this slot.
std::optional<Unknown> iterated_unknown(const Program& program, Slot slot) {
    for (const Loop& loop : program.loops)
        for (std::size_t i = 0; i < loop.torn.size(); ++i)
            if (loop.torn[i] == slot) return loop.block->torn[i];
    return std::nullopt;
}

}  // namespace

JacobianKind jacobian_for(Solver solver) {
    if (solver == Solver::Ida) return JacobianKind::StatesAndLoops;
    return describe(solver).needs_matrix ? JacobianKind::States : JacobianKind::None;
}

// The end is always an output point.
std::size_t Simulation::output_count() const {
    if (options_.step)
        return static_cast<std::size_t>(std::ceil((options_.stop - options_.start) / *options_.step - 1e-9)) +
               1;
    return std::max<std::size_t>(options_.points, 2);
}

double Simulation::output_time(std::size_t i) const {
    const std::size_t last = output_count() - 1;
    if (i >= last) return options_.stop;
    if (options_.step) return options_.start + static_cast<double>(i) * *options_.step;
    return options_.start +
           (options_.stop - options_.start) * (static_cast<double>(i) / static_cast<double>(last));
}

bool Simulation::write_row(Interpreter& values) {
    bool finite = true;
    for (std::size_t i = 0; i < row_.size(); ++i) {
        if (result_.slots[i] == no_slot) {
            row_[i] = std::numeric_limits<double>::quiet_NaN();
            continue;
        }
        row_[i] = values[result_.slots[i]] + 0.0;  // negative zeros are nobody's concern
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

// One output point; the states are in the output interpreter.
bool Simulation::write_output(double t) {
    output_[layout_.time] = t;
    output_.clear_error();
    if (!solve_sliding(output_, program_.continuous) || !output_.run(program_.eliminated)) {
        if (output_.error()) return fail(run_messages::run_error(*output_.error(), t));
        return fail(run_messages::loop_failed(model_, *output_loops_.failure()->loop, output_,
                                              output_loops_.failure()->reason, t));
    }
    return write_row(output_);
}

const SolvedEquation* Simulation::rate_equation(VariableIndex state) const {
    const SolvedEquation* equation = nullptr;
    for (const Block& block : partition_.blocks)
        for (const SolvedEquation& solved : block.inner)
            if (solved.unknown == Unknown{state, 1}) equation = &solved;
    return equation;
}

bool Simulation::integration_failed(const Integrator& integrator) {
    const auto failed = [&](Diagnostic d) {
        if (describe(options_.solver).fixed_step)
            run_messages::add_fixed_step(d, name_of(options_.solver), integrator.failure_reason());
        return fail(std::move(d));
    };
    if (main_.error() && stop_now_) return fail(run_messages::run_error(*main_.error(), main_[layout_.time]));
    if (!bad_states_.empty() || (layout_.state.empty() && bad_time_ != 0)) {
        main_[layout_.time] = bad_time_;
        set_states(main_, bad_states_);
        main_.clear_error();
        if (!main_.run(program_.continuous)) {
            if (main_.error()) return failed(run_messages::run_error(*main_.error(), bad_time_));
            if (loops_.failure())
                return failed(run_messages::loop_failed(model_, *loops_.failure()->loop, main_,
                                                        loops_.failure()->reason, bad_time_));
        } else if (const auto what = main_.explain_non_finite(program_.continuous)) {
            return failed(run_messages::not_finite(model_, *what, bad_time_));
        }
    }
    std::optional<VariableIndex> state;
    std::optional<Unknown> iterated;
    const SolvedEquation* equation = nullptr;
    const auto limiting = integrator.limiting_state();
    if (limiting && *limiting >= partition_.states.size()) {
        const std::size_t i = *limiting - partition_.states.size();
        if (i < residuals_.unknowns().size()) iterated = iterated_unknown(program_, residuals_.unknowns()[i]);
    } else if (limiting) {
        state = partition_.states[*limiting];
        equation = rate_equation(*state);
        state = selector_.stands_for(*state);
    }
    return failed(run_messages::solver_failed(model_, integrator.failure_reason(), state, iterated, equation,
                                              integrator.time()));
}

// Tables over time, inputs from files among them, have breakpoints that no step may pass unseen.
void Simulation::collect_breakpoints() {
    if (std::none_of(model_.callees.begin(), model_.callees.end(),
                     [](const auto& callee) { return std::holds_alternative<TableData>(callee); }))
        return;
    const auto look = [&](Expr root) {
        for_each_node(root, [&](Expr e) {
            if (e->op != Op::Apply) return;
            const auto* table = std::get_if<TableData>(&model_.callees[e->callee()]);
            if (!table) return;
            for (std::size_t k = 0; k < e->argument_count; ++k) {
                if (e->arg(k)->op != Op::Time) continue;
                const std::vector<double>& x = k == 0 ? table->x : table->y;
                for (std::size_t i = 0; i < x.size(); ++i) {
                    if (i > 0 && same_instant(x[i], x[i - 1])) {
                        jumps_.push_back(x[i - 1]);
                        continue;
                    }
                    breakpoints_.push_back(x[i]);
                }
            }
        });
    };
    for (const Block& block : partition_.blocks) {
        for (const SolvedEquation& s : block.inner) look(s.value);
        for (const ResidualEquation& r : block.residuals) look(r.residual);
    }
    for (const Eliminated& e : partition_.eliminated) look(e.value);
    std::sort(breakpoints_.begin(), breakpoints_.end());
    breakpoints_.erase(std::unique(breakpoints_.begin(), breakpoints_.end()), breakpoints_.end());
    std::sort(jumps_.begin(), jumps_.end());
}

double Simulation::next_breakpoint() const {
    for (auto at = std::upper_bound(breakpoints_.begin(), breakpoints_.end(), time());
         at != breakpoints_.end(); ++at)
        if (!same_instant(*at, time())) return *at;
    return never;
}

// A state that stays near its absolute tolerance is not accurate.
void Simulation::warn_of_tolerances() {
    std::vector<VariableIndex> small;
    for (std::size_t i = 0; i < largest_.size(); ++i)
        if (largest_[i] > 0 && largest_[i] < 1e4 * tolerances_[i])
            small.push_back(selector_.stands_for(partition_.states[i]));
    if (!small.empty()) diagnostics_.report(run_messages::small_states(model_, small));
}

// The iterated unknowns of loops as they are now.
void Simulation::read_tracked(std::vector<double>& values) const {
    values.resize(tracked_.size());
    for (std::size_t k = 0; k < tracked_.size(); ++k) values[k] = main_[tracked_[k]];
}

bool Simulation::output_is_due(double reached) const {
    if (options_.every_step) return true;
    if (next_output_ >= output_count()) return false;
    const double t = output_time(next_output_);
    return t <= reached || same_instant(t, reached);
}

// Output points up to the time reached, from the interpolant. At an event its own two rows stand for them.
bool Simulation::write_outputs(Integrator& integrator, double from, double reached, std::span<const double> x,
                               bool is_event) {
    if (options_.every_step) {
        if (is_event) return true;
        set_states(output_, x);
        return write_output(reached);
    }
    std::vector<double> inside;
    for (; next_output_ < output_count(); ++next_output_) {
        const double t = output_time(next_output_);
        const bool at_end = t == reached || same_instant(t, reached);
        if (at_end && is_event) continue;
        if (t > reached) break;  // an event may come within rounding, before it
        inside.resize(x.size());
        if (at_end)
            std::copy(x.begin(), x.end(), inside.begin());
        else
            integrator.interpolate(t, inside);
        set_states(output_, inside);
        // Between the solutions at the ends of the step, not at that of the last output point: a loop may
        // have several.
        const double part = reached > from ? std::clamp((t - from) / (reached - from), 0.0, 1.0) : 1;
        for (std::size_t k = 0; k < tracked_.size(); ++k)
            output_[tracked_[k]] = tracked_before_[k] + part * (tracked_after_[k] - tracked_before_[k]);
        if (!write_output(t)) return false;
    }
    return true;
}

// The equations at the end of a step at which the loops cannot be solved from their solutions at its
// beginning: by points in between, ever more of them.
bool Simulation::approach(Integrator& integrator, double from, double to, std::span<const double> x) {
    std::vector<double> inside(x.size());
    bool good = false;
    for (int parts = 4; parts <= 256 && !good && !main_.error(); parts *= 4) {
        for (std::size_t k = 0; k < tracked_.size(); ++k) main_[tracked_[k]] = tracked_before_[k];
        good = true;
        for (int k = 1; k <= parts && good; ++k) {
            main_[layout_.time] = k == parts ? to : from + (to - from) * k / parts;
            if (k < parts) integrator.interpolate(main_[layout_.time], inside);
            set_states(main_, k < parts ? std::span<const double>(inside) : x);
            good = run_continuous() && all_finite(rates_found());
        }
    }
    main_[layout_.time] = to;
    set_states(main_, x);
    return good;
}

// Points inside the step keep the history of delays smooth.
void Simulation::record_inside(Integrator& integrator, double from, double to) {
    constexpr int parts = 8;
    std::vector<double> inside(layout_.state.size() + residuals_.unknowns().size());
    for (int k = 1; k < parts; ++k) {
        const double t = from + (to - from) * k / parts;
        integrator.interpolate(t, inside);
        if ((plain() && try_rates(program_.past, t, inside)) ||
            (try_continuous(t, inside) && main_.run(program_.conditions)))
            record_delays(t);
    }
}

// The first of those that fired, one that is more than a kink if there is one; else what was due.
EventCause Simulation::cause_of_event(double reached) const {
    EventCause cause;
    for (std::size_t i : time_switches_)
        if (same_instant(main_[layout_.instants[i]], reached)) cause.instants.push_back(i);
    for (std::size_t i = 0; i < clocks_.size(); ++i)
        if (same_instant(clocks_[i].next(), reached)) cause.clocks.emplace_back(i, clocks_[i].ticks);
    for (std::size_t i : fired_now_)
        if (!cause.crossing || (partition_.switches[*cause.crossing].kink && !partition_.switches[i].kink))
            cause.crossing = i;
    if (cause.crossing) return cause;
    if (!cause.instants.empty()) {
        cause.instant = cause.instants.back();
    } else if (!cause.clocks.empty()) {
        cause.clock = cause.clocks.back().first;
        cause.tick = cause.clocks.back().second;
    }
    return cause;
}

void Simulation::tell_what_cannot_be_followed() {
    if (!sliding_list_.empty())
        options_.observer->cannot_follow(
            "a switch is held at the surface where it changes (friction that sticks)");
    if (!partition_.delays.empty()) options_.observer->cannot_follow("the model has delays");
    if (!selector_.empty())
        options_.observer->cannot_follow("which variables are states is chosen during the run");
    if (modes_entered_) options_.observer->cannot_follow("the equations change during the run");
}

namespace {
// Whether a validity can change without an event: its relations are not all switches.
bool validities_need_steps(const Partition& partition) {
    std::unordered_set<Expr> switches;  // looked up only
    for (const Switch& s : partition.switches) switches.insert(s.node);
    std::vector<Expr> open;
    for (const Validity& v : partition.model.validities) open.push_back(v.condition);
    while (!open.empty()) {
        const Expr e = open.back();
        open.pop_back();
        if (switches.contains(e)) continue;
        if (e->op != Op::And && e->op != Op::Or && e->op != Op::Not) return true;
        for (std::size_t k = 0; k < e->argument_count; ++k) open.push_back(e->arg(k));
    }
    return false;
}

// Whether the derivatives need all nonlinear loops.
bool rates_solve_all(const Program& program) {
    std::vector<bool> solved(program.loops.size());
    for (const Instruction& i : program.rates.instructions)
        if (i.code == Code::Solve) solved[i.a] = true;
    return std::all_of(program.continuous.instructions.begin(), program.continuous.instructions.end(),
                       [&](const Instruction& i) {
                           return i.code != Code::Solve || program.loops[i.a].linear || solved[i.a];
                       });
}

constexpr double fewest_loop_solutions = 1000;  // in a run of a model without states

// x := the states; `largest` follows their sizes.
void take_states(std::span<const double> states, std::vector<double>& x, std::vector<double>& largest) {
    x.resize(states.size());
    for (std::size_t i = 0; i < largest.size(); ++i) {
        const double v = x[i] = states[i], size = std::abs(v);
        largest[i] = largest[i] < size ? size : largest[i];
    }
    std::copy(states.begin() + static_cast<std::ptrdiff_t>(largest.size()), states.end(),
              x.begin() + static_cast<std::ptrdiff_t>(largest.size()));
}
}  // namespace

bool Simulation::integrate() {
    std::unique_ptr<Integrator> integrator;
    const bool good = integrate_with(integrator);
    if (!integrator) return good;
    summary_.integrator = integrator->statistics();
    summary_.loop_solutions = loops_.statistics().nonlinear;
    summary_.loop_iterations = loops_.statistics().iterations;
    summary_.loop_factorisations = loops_.statistics().factorisations;
    for (const SolverSwitch& s : integrator->switches()) summary_.switches.push_back(s);
    return good;
}

bool Simulation::integrate_with(std::unique_ptr<Integrator>& integrator) {
    IvpProblem ivp = problem();
    if (ivp.n > 22000 && !ivp.jacobian && describe(options_.solver).needs_matrix)
        return fail(run_messages::too_many_states(ivp.n, name_of(options_.solver)));
    const double longest_step = ivp.max_step;
    tolerances_ = ivp.absolute_tolerance;
    integrator = make_integrator(options_.solver, std::move(ivp));
    CUTSET_ASSERT(integrator != nullptr);  // the caller has checked the name
    summary_.first_method = integrator->first_method();
    const bool watch_steps = validities_need_steps(partition_) || !partition_.delays.empty();
    std::vector<double> x = states();
    tracked_.clear();
    breakpoints_.clear();
    jumps_.clear();
    collect_breakpoints();
    equations_for_crossings_ = crossings_need_equations(partition_);
    largest_.assign(layout_.state.size(), 0);
    for (const Instruction& i : program_.continuous.instructions)
        if (i.code == Code::Solve && !program_.loops[i.a].linear)
            tracked_.insert(tracked_.end(), program_.loops[i.a].torn.begin(), program_.loops[i.a].torn.end());
    const bool loops_in_rates = rates_solve_all(program_);
    const bool has_tables = std::any_of(model_.callees.begin(), model_.callees.end(),
                                        [](const Callee& c) { return std::holds_alternative<TableData>(c); });
    std::vector<double> inputs_before(inputs_.size());
    double event_time = next_time_event();
    if (!run_section(program_.fixed) || !run_section(program_.stepwise)) return false;
    if (options_.observer) {
        tell_what_cannot_be_followed();
        options_.observer->continues(main_);
    }
    watch_crossings();
    loops_.keep_place(main_);
    pace_.steps = pace_.looks = 0;
    pace_.begin = time();
    pace_.longest = longest_step;
    integrator->start(time(), x);
    while (time() < options_.stop && !terminated_ && !stop_now_) {
        if (!partition_.delays.empty()) event_time = next_time_event();
        if (same_instant(event_time, options_.stop)) event_time = options_.stop;
        double until = std::min({options_.stop, event_time, next_breakpoint()});
        // The history of delays must reach the start of each step; a model without states has no steps of its
        // own.
        if (!partition_.delays.empty()) until = std::min(until, time() + longest_step);
        // A system for variables that nothing integrates is followed in small steps, so that it stays on its
        // branch.
        if (layout_.state.empty() && !tracked_.empty()) {
            const double part = (options_.stop - options_.start) / fewest_loop_solutions;
            const double passed = std::floor((time() - options_.start) / part + 1e-6);
            until = std::min(until, options_.start + (passed + 1) * part);
        }
        if (same_instant(until, options_.stop) && !std::binary_search(jumps_.begin(), jumps_.end(), until))
            until = options_.stop;
        bad_states_.clear();
        read_tracked(tracked_before_);
        keep_place(time(), x);
        if (pace_.looks > 0) pace_.before = x;
        const StepResult step = integrator->step(until);
        summary_.time = step.time;
        if (step.status == StepStatus::Failed) {
            integration_failed(*integrator);
            return_to_place(false);
            return false;
        }
        if (step.status == StepStatus::Interrupted) {
            summary_.outcome = RunOutcome::Interrupted;
            return_to_place(false);
            return true;
        }
        double reached = step.time;
        bool root = step.status == StepStatus::Root;
        take_states(integrator->state(), x, largest_);
        if ((++pace_.steps >= pace_window || pace_.looks > 0) &&
            !watch_pace(*integrator, step.from, reached, x))
            return false;
        bool is_event = root || event_time <= reached || same_instant(event_time, reached) ||
                        std::binary_search(jumps_.begin(), jumps_.end(), reached);
        bool missed = false;
        if (!state_switches_.empty() && find_missed_crossing(*integrator, step, reached, x)) {
            is_event = missed = true;
            root = root && reached == step.time;
        }
        main_[layout_.time] = reached;
        // Loops at the end of the step: where something looks at their solutions or decides about them, and
        // where the derivatives do not need them, to stay on their branch.
        const bool looks = is_event || watch_steps || !loops_in_rates || output_is_due(reached) ||
                           !selector_.empty() || layout_.state.empty() || !plain() || !loop_switches_.empty();
        if (looks || options_.observer || !tracked_.empty() || !state_switches_.empty()) set_states(main_, x);
        bool evaluated = false;
        if (looks && !tracked_.empty()) {
            loops_.set_robust(true);
            evaluated = (run_continuous() && all_finite(rates_found())) ||
                        approach(*integrator, step.from, reached, x);
            read_tracked(tracked_after_);
            if (!evaluated) tracked_after_ = tracked_before_;
        }
        {
            const UnwaitedStopwatch watch(output_is_due(reached) ? measured(summary_.times.output) : nullptr,
                                          options_);
            if (!write_outputs(*integrator, step.from, reached, x, is_event)) return false;
        }
        if (!partition_.delays.empty()) {
            record_inside(*integrator, step.from, reached);
            main_[layout_.time] = reached;
            set_states(main_, x);
            evaluated = false;
        }
        if (watch_steps || is_event || (looks && !tracked_.empty()) || !selector_.empty()) {
            if (!(evaluated || evaluate()) || !run_section(program_.conditions)) return false;
            record_delays(reached);
            if (!is_event) check_validity();
        }
        if (options_.observer) options_.observer->step(*integrator, step.from, reached);
        if (is_event)
            loops_.forget_past();
        else
            loops_.accepted(reached);
        if (has_tables) watch_tables();
        if (is_event) {
            const UnwaitedStopwatch watch(measured(summary_.times.events), options_);
            ++summary_.events;
            note_sizes();
            if (!run_section(program_.crossings) || !run_section(program_.eliminated) || !write_row(main_))
                return false;
            note_equations();
            const bool slid = !sliding_list_.empty();
            for (std::size_t k = 0; k < inputs_.size(); ++k) inputs_before[k] = main_[inputs_[k]];
            if (options_.observer) options_.observer->event_comes(main_);
            if (root) force_switches(step.roots);
            if (missed) force_missed();
            if (!storm(reached)) return false;
            // A kink, a jump of a table, a delay or sliding is not seen in the inputs.
            bool goes_on =
                !missed && !slid && partition_.delays.empty() &&
                !std::binary_search(jumps_.begin(), jumps_.end(), reached) &&
                std::none_of(fired_now_.begin(), fired_now_.end(), [&](std::size_t i) {
                    return partition_.switches[i].kink || partition_.switches[i].node->op == Op::Truncate;
                });
            if (options_.observer) options_.observer->event_begins(cause_of_event(reached));
            fired_now_.clear();
            // A table that jumps has its new value one unit in the last place later.
            if (std::binary_search(jumps_.begin(), jumps_.end(), reached)) {
                reached = std::nextafter(reached, never);
                main_[layout_.time] = reached;
            }
            keep_place(reached, x);
            if (!attempt_event()) {
                if (!wants_mode_) return_to_place(true);
                return wants_mode_;
            }
            if (options_.observer) options_.observer->event_ends(main_, terminated_);
            loops_.keep_place(main_);
            event_time = next_time_event();
            record_delays(reached);
            if (!output_.run(program_.eliminated) || !write_row(output_)) return false;
            read_states(x);
            if (!run_section(program_.stepwise)) return false;
            watch_crossings();
            crossings_begin_ = watch_.now;
            goes_on = goes_on && sliding_list_.empty();
            for (std::size_t k = 0; k < inputs_.size() && goes_on; ++k)
                goes_on = inputs_before[k] == main_[inputs_[k]];
            if (options_.observer && !terminated_) {
                tell_what_cannot_be_followed();
                options_.observer->continues(main_);
            }
            if (!goes_on) integrator->start(reached, x, integrator->last_step());
        } else if (renew_states()) {
            x = states();
            watch_crossings();
            if (!run_section(program_.stepwise)) return false;  // which states are chosen is discrete
            integrator->start(reached, x, integrator->last_step());
        }
        if (options_.progress) options_.progress(reached);
    }
    if (stop_now_) return false;
    if ((!modes_ || !modes_entered_) && !resumed_) warn_of_tolerances();
    summary_.outcome = terminated_ ? RunOutcome::Terminated : RunOutcome::Finished;
    return true;
}

bool Simulation::begin() {
    const Stopwatch watch(measured(summary_.times.initialise));
    const double waited_before = waited(options_);
    summary_.time = options_.start;
    const bool good = attempt_start() && run_section(program_.eliminated) &&
                      report_not_finite(program_.eliminated, options_.start) && begin_results() &&
                      write_row(main_);
    next_output_ = 1;
    summary_.times.initialise -= waited(options_) - waited_before;
    if (good && terminated_) summary_.outcome = RunOutcome::Terminated;
    return good && !stop_now_;
}

bool Simulation::begin_results() {
    watch_tables();
    // Constant columns are written once, not looked at row by row.
    if (!run_section(program_.eliminated)) return false;
    copy_to_output();
    result_ = result_layout(main_, options_.states_only, options_.internal_columns);
    row_.resize(result_.slots.size());
    if (const auto problem = sink_.begin(result_.columns))
        return fail(run_messages::no_result_file(*problem));
    return true;
}

RunSummary Simulation::finish(bool good) {
    if (!good) {
        summary_.outcome = RunOutcome::Failed;
        if (summary_.rows > 0) summary_.time = row_[0];
    }
    return summary_;
}

}  // namespace cutset

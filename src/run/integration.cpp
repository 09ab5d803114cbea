#include "run/integration.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/finite.h"
#include "run/run_messages.h"
#include "run/run_observer.h"
#include "run/run_time.h"
#include "run/tolerances.h"

namespace cutset {

namespace {

// At the edge of a domain: so many steps, of this part of the run each, are too many.
constexpr int many_edge_steps = 100;
constexpr double shortest_edge_step = 1e-10;

constexpr std::size_t most_dense_states = 22000;  // with a full Jacobian
constexpr double fewest_loop_solutions = 1000;    // in a run of a model without states

// The tearing variable of a loop that has this slot.
std::optional<Unknown> tearing_variable(const Program& program, Slot slot) {
    for (const Loop& loop : program.loops)
        for (std::size_t i = 0; i < loop.torn.size(); ++i)
            if (loop.torn[i] == slot) return loop.block->torn[i];
    return std::nullopt;
}

// Whether the derivatives need all nonlinear loops.
bool derivatives_solve_all(const Program& program) {
    std::vector<bool> solved(program.loops.size());
    for (const Instruction& i : program.derivatives.instructions)
        if (i.code == Code::Solve) solved[i.a] = true;
    return std::all_of(program.continuous.instructions.begin(), program.continuous.instructions.end(),
                       [&](const Instruction& i) {
                           return i.code != Code::Solve || program.loops[i.a].linear || solved[i.a];
                       });
}

// A state that becomes so much larger than ever before, and than its nominal value, in one step is looked at.
constexpr double large_leap = 1e3;
constexpr double largest_defect = 0.5;  // of the way that it goes

// x := the states; `largest` follows their sizes. Whether one of them leaps.
bool take_states(std::span<const double> states, std::vector<double>& x, std::vector<double>& largest) {
    x.resize(states.size());
    bool leaps = false;
    for (std::size_t i = 0; i < largest.size(); ++i) {
        const double v = x[i] = states[i], size = std::abs(v), before = largest[i];
        leaps |= size > large_leap * before;
        largest[i] = before < size ? size : before;
    }
    std::copy(states.begin() + static_cast<std::ptrdiff_t>(largest.size()), states.end(),
              x.begin() + static_cast<std::ptrdiff_t>(largest.size()));
    return leaps;
}

}  // namespace

bool Integration::run() {
    const bool good = start() && run_steps();
    if (integrator_) add_statistics();
    return good;
}

bool Integration::run_steps() {
    while (now_.time() < now_.options.stop && !parts_.whens.terminated() && !now_.stop) {
        if (is_to_stand()) return stand_still();
        Step step;
        if (const Progress progress = take_step(step); progress != Progress::Goes)
            return progress == Progress::Ends;
        find_missed(step);
        find_delayed_jump(step);
        solve_loops_at_end(step);
        if (step.loops_solved && !step.evaluated) {
            step.evaluated = parts_.equations.evaluate();
            if (!step.evaluated) {
                write_until_lost(step);
                return false;
            }
        }
        if (!now_.partition.delays.empty() && !record_step(step)) return false;
        if (!write_outputs(step) || !finish_step(step)) return false;
        if (step.is_event) {
            if (const Progress progress = handle_event(step); progress != Progress::Goes)
                return progress == Progress::Ends;
        } else if (!renew_states(step)) {
            return false;
        }
        if (now_.options.progress) now_.options.progress(step.reached);
        if (now_.options.checkpoint_due && now_.options.checkpoint_due()) take_checkpoint();
    }
    if (now_.stop) return false;
    if ((!now_.other_modes || !entry_.entered()) && !resumed_) warn_of_tolerances(1e4);
    parts_.summary.outcome = parts_.whens.terminated() ? RunOutcome::Terminated : RunOutcome::Finished;
    return true;
}

bool Integration::is_to_stand() const {
    const SimulateOptions& o = now_.options;
    return (o.interrupt && o.interrupt->load(std::memory_order_relaxed)) ||
           (o.pause && now_.time() >= *o.pause);
}

bool Integration::stand_still() {
    keep_memory();
    parts_.summary.outcome = RunOutcome::Interrupted;
    parts_.summary.time = now_.time();
    tracked_.read(now_.values, tracked_.before);
    parts_.outputs.write_last(now_.time(), x_, tracked_);
    now_.set_states(x_);
    return true;
}

// To compute the point moves values; afterwards the run is as it was.
void Integration::take_checkpoint() {
    if (!parts_.checkpoint) return;
    keep_memory();
    now_.set_states(x_);
    parts_.checkpoint();
    MemoryStream stream(parts_.memory->run);
    parts_.remember(stream);
    CUTSET_ASSERT(stream.good());
    now_.stop = false;
    parts_.memory = nullptr;
}

void Integration::remember_steps(MemoryStream& stream) {
    parts_.remember(stream);
    stream("unknowns", x_);
    stream("time event", event_time_);
}

void Integration::keep_memory() {
    auto memory = std::make_shared<RunMemory>();
    memory->program = fingerprint_of(now_.program);
    memory->settings = RunSettings::of(now_.options);
    MemoryStream problem(memory->problem), run(memory->run), integrator(memory->integrator);
    problem("relative", relative_);
    problem("absolute", absolute_);
    problem("longest", longest_step_);
    remember_steps(run);
    if (!integrator_->remember(integrator)) memory->integrator = {};
    parts_.memory = std::move(memory);
}

// The memory that it goes on with; false when it does not fit: then nothing has changed, but the integrator
// has to be started.
bool Integration::take_up() {
    if (!memory_) return false;
    Memory before;
    MemoryStream keep(before);
    remember_steps(keep);
    MemoryStream run(memory_->run), integrator(memory_->integrator);
    remember_steps(run);
    if (run.good() && run.at_end() && integrator_->remember(integrator) && integrator.at_end()) return true;
    MemoryStream back(std::as_const(before));
    remember_steps(back);
    return false;
}

IvpProblem Integration::problem() {
    IvpProblem p;
    p.measure_times = now_.options.measure_times;
    if (now_.options.measure_times && now_.options.machine_code)
        p.waited = [code = now_.options.machine_code.get()] { return code->waited(); };
    p.algebraic = now_.residuals.unknowns().size();
    p.n = now_.layout.state.size() + p.algebraic;
    p.rhs = [&rhs = parts_.rhs](double t, std::span<const double> x, std::span<double> dx) {
        return rhs.derivatives(t, x, dx);
    };
    p.rhs_is_finite = true;
    p.roots = parts_.structure.state.size();
    p.root_functions = [&crossings = parts_.crossings](double t, std::span<const double> x,
                                                       std::span<double> g) {
        return crossings.functions(t, x, g);
    };
    p.jacobian = parts_.rhs.ivp_jacobian();
    const Tolerances tolerances = choose_tolerances(now_, parts_.given);
    p.relative_tolerance = tolerances.relative;
    p.absolute_tolerance = tolerances.absolute;
    const DelayStructure& delays = parts_.times.delays();
    for (std::size_t i = 0; i < delays.circular.size(); ++i)
        if (const double duration = now_.values[now_.layout.delay_durations[i]];
            delays.circular[i] && duration > 0)
            p.max_step = std::min(p.max_step, duration);
    p.max_step =
        std::min(p.max_step, now_.options.max_step ? *now_.options.max_step
                                                   : longest_step(now_, parts_.initialization.environment()));
    if (!(p.max_step > 0)) p.max_step = 1;  // a run of no length
    p.interrupt = now_.options.interrupt;
    p.step_control = now_.options.step_control;
    p.fixed_step = now_.options.step_size;
    p.tried_step = now_.options.tried_step;
    return p;
}

bool Integration::start() {
    IvpProblem ivp = problem();
    if (memory_) {
        MemoryStream known(memory_->problem);
        known("relative", ivp.relative_tolerance);
        known("absolute", ivp.absolute_tolerance);
        known("longest", ivp.max_step);
    }
    if (ivp.n > most_dense_states && !ivp.jacobian && describe(now_.options.solver).needs_matrix)
        return now_.fail(run_messages::too_many_states(ivp.n, name_of(now_.options.solver)));
    parts_.storm.set_smallest(ivp.relative_tolerance);
    now_.loops.set_tolerance(ivp.relative_tolerance);
    longest_step_ = ivp.max_step;
    absolute_ = ivp.absolute_tolerance;
    relative_ = ivp.relative_tolerance;
    parts_.pace.begin({longest_step_, ivp.relative_tolerance, absolute_});
    parts_.growth.set_tolerances(relative_, absolute_);
    integrator_ = make_integrator(now_.options.solver, std::move(ivp));
    parts_.summary.first_method = integrator_->first_method();

    watch_steps_ = RangeWatch::needs_steps(now_.partition) || !now_.partition.delays.empty();
    loops_known_ = derivatives_solve_all(now_.program);
    asks_for_end_ = false;
    for (const WhenClause& when : now_.model.whens)
        for_each_node(when.condition, [&](Expr e) { asks_for_end_ = asks_for_end_ || e->op == Op::Ending; });
    has_tables_ = std::any_of(now_.model.callees.begin(), now_.model.callees.end(),
                              [](const Callee& c) { return std::holds_alternative<TableData>(c); });
    for (const Instruction& i : now_.program.continuous.instructions)
        if (i.code == Code::Solve && !now_.program.loops[i.a].linear)
            tracked_.slots.insert(tracked_.slots.end(), now_.program.loops[i.a].torn.begin(),
                                  now_.program.loops[i.a].torn.end());
    parts_.times.find_breakpoints();
    parts_.largest_states.assign(now_.layout.state.size(), 0);
    inputs_before_.resize(parts_.structure.inputs.size());
    now_.read_states(x_);
    event_time_ = parts_.times.next();
    if (!now_.run_section(now_.program.fixed) || !now_.run_section(now_.program.stepwise)) return false;
    if (now_.options.observer) {
        report_what_cannot_be_followed();
        now_.options.observer->continues(now_.values);
    }
    parts_.crossings.watch();
    now_.loops.keep_place(now_.values);
    if (!take_up()) {
        integrator_->start(now_.time(), x_);
        parts_.growth.started();
    }
    return true;
}

// No step goes beyond it: the end, a time event, a breakpoint of a table.
double Integration::next_stop() {
    const SimulateOptions& options = now_.options;
    const bool has_delays = !now_.partition.delays.empty();
    if (has_delays) event_time_ = parts_.times.next();
    if (same_instant(event_time_, options.stop)) event_time_ = options.stop;
    double until = std::min({options.stop, event_time_, parts_.times.next_breakpoint()});
    // A model without states has no steps of its own, but the past of its delays is needed.
    if (has_delays && now_.layout.state.empty()) {
        const double passed = std::floor((now_.time() - options.start) / longest_step_ + 1e-6);
        until = std::min(until, options.start + (passed + 1) * longest_step_);
    }
    // A system for variables that nothing integrates is followed in small steps, so that it stays on its
    // branch.
    if (now_.layout.state.empty() && !tracked_.empty()) {
        const double part = now_.length() / fewest_loop_solutions;
        const double passed = std::floor((now_.time() - options.start) / part + 1e-6);
        until = std::min(until, options.start + (passed + 1) * part);
    }
    if (same_instant(until, event_time_)) until = event_time_;
    if (same_instant(until, options.stop) && !parts_.times.is_jump(until)) until = options.stop;
    return until;
}

Integration::Progress Integration::take_step(Step& step) {
    double until = next_stop();
    parts_.rhs.forget_bad();
    tracked_.read(now_.values, tracked_.before);
    parts_.good.keep(now_.time(), x_);
    if (parts_.growth.watches() && !limit_growth(until)) {
        parts_.outputs.write_last(parts_.good.time(), x_, tracked_);
        parts_.good.go_back(false);
        return Progress::Failed;
    }
    parts_.pace.before_step(x_);
    const StepResult result = integrator_->step(until);
    parts_.summary.time = result.time;
    parts_.storm.step();
    if (result.status == StepStatus::Failed) {
        report_failure();
        warn_of_tolerances(1);
        parts_.outputs.write_last(parts_.good.time(), x_, tracked_);
        parts_.good.go_back(false);
        return Progress::Failed;
    }
    if (result.status == StepStatus::Interrupted) {
        parts_.summary.outcome = RunOutcome::Interrupted;
        parts_.outputs.write_last(parts_.good.time(), x_, tracked_);
        parts_.good.go_back(false);
        return Progress::Ends;
    }
    step.result = result;
    step.reached = result.time;
    step.is_root = result.status == StepStatus::Root;
    if (take_states(integrator_->state(), x_, parts_.largest_states) && !follows_equations(result))
        return give_up(result);
    if (!parts_.rhs.bad().states.empty() && creeps(result)) {
        report_failure();
        return give_up(result);
    }
    if (!parts_.poles.look_at_step(step.reached, x_)) return give_up(result);
    if (!parts_.pace.after_step(*integrator_, result.from, step.reached, x_)) {
        parts_.outputs.write_last(step.reached, x_, tracked_);
        return Progress::Failed;
    }
    step.is_event = step.is_root || event_time_ <= step.reached || same_instant(event_time_, step.reached) ||
                    parts_.times.is_jump(step.reached) ||
                    (asks_for_end_ && step.reached >= now_.options.stop);
    return Progress::Goes;
}

// A step that is no solution: the run ends where it began.
Integration::Progress Integration::give_up(const StepResult& result) {
    integrator_->interpolate(result.from, x_);
    parts_.outputs.write_last(result.from, x_, tracked_);
    parts_.good.go_back(false);
    return Progress::Failed;
}

// Ends the step before what it could not see; false when there is no such step, which is reported.
bool Integration::limit_growth(double& until) {
    using Kind = FastGrowth::Finding::Kind;
    const FastGrowth::Finding found = parts_.growth.look(now_.time(), x_);
    switch (found.kind) {
        case Kind::Nothing:
            return true;
        case Kind::Limited:
            until = std::min(until, now_.time() + found.longest);
            return true;
        case Kind::NoWayOut:
            return report_failure();
        case Kind::TooFast:
            break;
    }
    const VariableIndex state = now_.partition.states[found.state];
    return now_.fail(run_messages::grows_too_fast(now_.model, now_.selector.stands_for(state),
                                                  derivative_equation(now_.partition, state), found.rate,
                                                  now_.time()));
}

// Whether a step in which states leap is a solution: in it the slopes of the integrator's polynomial are
// about those of the equations. Beyond a pole the equations of an implicit step have solutions that are not.
bool Integration::follows_equations(const StepResult& result) {
    const std::size_t n = now_.layout.state.size();
    const double length = result.time - result.from;
    std::vector<double> before(x_.size()), inside(x_.size()), slopes(x_.size()), derivatives(x_.size());
    integrator_->interpolate(result.from, before);
    std::vector<std::size_t> leaping;
    for (std::size_t i = 0; i < n; ++i)
        if (const double size = std::abs(x_[i]);
            size > large_leap * std::abs(before[i]) && relative_ * size > large_leap * absolute_[i])
            leaping.push_back(i);
    if (leaping.empty()) return true;
    for (double part : {0.25, 0.5, 0.75}) {
        const double t = result.from + part * length;
        integrator_->interpolate(t, inside, slopes);
        const bool good = parts_.rhs.derivatives(t, inside, derivatives) == 0;
        for (std::size_t i : leaping) {
            if (good &&
                std::abs(slopes[i] - derivatives[i]) * length <= largest_defect * std::abs(x_[i] - before[i]))
                continue;
            const VariableIndex state = now_.partition.states[i];
            return now_.fail(run_messages::solution_lost(now_.model, now_.selector.stands_for(state),
                                                         derivative_equation(now_.partition, state),
                                                         before[i], x_[i], result.from));
        }
    }
    return true;
}

// At the edge of where the equations have values (x' = 1 + sqrt(1 - x) at x = 1) steps that are so short that
// they change nothing are possible for ever.
bool Integration::creeps(const StepResult& result) {
    if (result.time - edge_since_ > edge_steps_ * shortest_edge_step * now_.length()) {
        edge_steps_ = 0;
        edge_since_ = result.from;
    }
    return ++edge_steps_ >= many_edge_steps;
}

void Integration::find_missed(Step& step) {
    if (parts_.structure.state.empty() ||
        !parts_.crossings.find_missed(*integrator_, step.result, step.reached, x_))
        return;
    step.is_event = step.missed = true;
    step.is_root = step.is_root && step.reached == step.result.time;
}

// Algebraic loops at the end of the step: where something looks at their solutions or decides about them, and
// where the derivatives do not need them, to stay on their branch.
void Integration::solve_loops_at_end(Step& step) {
    now_.values[now_.layout.time] = step.reached;
    const bool looks = step.is_event || watch_steps_ || !loops_known_ ||
                       parts_.outputs.is_due(step.reached) || !now_.selector.empty() ||
                       now_.layout.state.empty() || !parts_.rhs.plain() || !parts_.structure.in_loops.empty();
    if (looks || now_.options.observer || !tracked_.empty() || !parts_.structure.state.empty())
        now_.set_states(x_);
    step.loops_solved = looks && !tracked_.empty();
    if (!step.loops_solved) return;
    now_.loops.set_robust(true);
    step.evaluated = (parts_.equations.run() && all_finite(now_.derivatives())) || approach(step);
    tracked_.read(now_.values, tracked_.after);
    if (!step.evaluated) tracked_.after = tracked_.before;
}

// The equations at the end of a step at which the loops cannot be solved from their solutions at its
// beginning: by points in between, ever more of them.
bool Integration::approach(const Step& step) {
    std::vector<double> inside(x_.size());
    const double from = step.result.from, to = step.reached;
    bool good = false;
    for (int parts = 4; parts <= 256 && !good && !now_.values.error(); parts *= 4) {
        tracked_.set_beginning(now_.values);
        good = true;
        for (int k = 1; k <= parts && good; ++k) {
            now_.values[now_.layout.time] = k == parts ? to : from + (to - from) * k / parts;
            if (k < parts) integrator_->interpolate(now_.time(), inside);
            now_.set_states(k < parts ? std::span<const double>(inside) : x_);
            good = parts_.equations.run() && all_finite(now_.derivatives());
        }
    }
    now_.values[now_.layout.time] = to;
    now_.set_states(x_);
    return good;
}

// The rows of a step at whose end the loops cannot be solved: up to where they can.
void Integration::write_until_lost(const Step& step) {
    constexpr int most_halvings = 80;
    std::vector<double> inside(x_.size());
    double good = step.result.from, bad = step.reached;
    tracked_.after = tracked_.before;
    // From `good`, the last place that was solved.
    const auto solves_at = [&](double t) {
        integrator_->interpolate(t, inside);
        now_.values[now_.layout.time] = t;
        now_.set_states(inside);
        tracked_.set_between(now_.values, 1);
        now_.values.clear_error();
        const bool solved = parts_.equations.run() && all_finite(now_.derivatives());
        if (solved) tracked_.read(now_.values, tracked_.after);
        (solved ? good : bad) = t;
        return solved;
    };
    // Output points first: one may be the very last place where there is a solution.
    for (std::size_t i = now_.state.next_output; i < parts_.outputs.count(); ++i)
        if (const double t = parts_.outputs.time(i); t >= bad || (t > good && !solves_at(t))) break;
    for (int k = 0; k < most_halvings && !same_instant(good, bad); ++k) solves_at(good + (bad - good) / 2);
    integrator_->interpolate(good, inside);
    parts_.outputs.write_step(*integrator_, step.result.from, good, inside, false, tracked_);
}

bool Integration::write_outputs(const Step& step) {
    const UnwaitedStopwatch watch(
        parts_.outputs.is_due(step.reached) ? measured(parts_.summary.times.output) : nullptr, now_.options);
    return parts_.outputs.write_step(*integrator_, step.result.from, step.reached, x_, step.is_event,
                                     tracked_);
}

// A jump that comes out of a delay whose length varies: the instant t with t - T(t) at the jump, if it lies
// in the step, which then ends there.
void Integration::find_delayed_jump(Step& step) {
    if (now_.partition.delays.empty()) return;
    const DelayStructure& delays = parts_.times.delays();
    std::vector<double> inside(x_.size());
    for (std::size_t i = 0; i < delays.varies.size(); ++i) {
        const double jump = now_.state.delays.next_jump(i);
        if (!delays.varies[i] || jump == never) continue;
        const auto is_out = [&](double t, std::span<const double> x) {
            return parts_.rhs.try_section(now_.program.past, t, x) &&
                   t - now_.values[now_.layout.delay_durations[i]] >= jump;
        };
        if (!is_out(step.reached, x_)) continue;
        double before = step.result.from, after = step.reached;
        while (!same_instant(before, after)) {
            const double middle = before + (after - before) / 2;
            if (middle <= before || middle >= after) break;
            integrator_->interpolate(middle, inside);
            (is_out(middle, inside) ? after : before) = middle;
        }
        if (after < step.reached) {
            integrator_->interpolate(after, x_);
            step.is_root = false;
        }
        step.reached = after;
        step.is_event = step.missed = true;
    }
}

// The arguments of delays in the step, before anything looks at it.
bool Integration::record_step(Step& step) {
    double recorded = step.result.from;
    const bool inside = record_inside(step, recorded);
    if (inside) {
        step.evaluated = parts_.equations.evaluate();
        if (!step.evaluated || !now_.run_section(now_.program.conditions)) return false;
    }
    if (inside && parts_.times.record_delays(step.reached, step.result.from)) return true;
    if (a_delay_is_negative()) write_recorded(step, recorded);
    return false;
}

bool Integration::a_delay_is_negative() const {
    const std::vector<Slot>& durations = now_.layout.delay_durations;
    return std::any_of(durations.begin(), durations.end(), [&](Slot s) { return now_.values[s] < 0; });
}

// Points inside the step keep the history of delays smooth; `last` is the last of them.
bool Integration::record_inside(const Step& step, double& last) {
    constexpr int parts = 8;
    const double from = step.result.from, to = step.reached;
    std::vector<double> inside(x_.size());
    for (int k = 1; k < parts; ++k) {
        const double t = from + (to - from) * k / parts;
        if (!evaluate_past(t, inside)) continue;
        if (!parts_.times.record_delays(t, from)) return false;
        last = t;
    }
    now_.values[now_.layout.time] = to;
    now_.set_states(x_);
    return true;
}

// Arguments and durations of the delays at a time in the step.
bool Integration::evaluate_past(double t, std::vector<double>& inside) {
    integrator_->interpolate(t, inside);
    return (parts_.rhs.plain() && parts_.rhs.try_section(now_.program.past, t, inside)) ||
           (parts_.rhs.try_continuous(t, inside) && now_.values.run(now_.program.conditions));
}

// The rows of a step in which a delay becomes negative, behind `good`: up to where it does.
void Integration::write_recorded(const Step& step, double good) {
    constexpr int most_halvings = 80;
    std::vector<double> inside(x_.size());
    double bad = step.reached;
    const auto holds_at = [&](double t) {
        const bool holds = evaluate_past(t, inside) && !a_delay_is_negative();
        (holds ? good : bad) = t;
        return holds;
    };
    // Output points first: one may be the very place where the delay is 0.
    for (std::size_t i = now_.state.next_output; i < parts_.outputs.count(); ++i)
        if (const double t = parts_.outputs.time(i); t >= bad || (t > good && !holds_at(t))) break;
    for (int k = 0; k < most_halvings && !same_instant(good, bad); ++k) holds_at(good + (bad - good) / 2);
    if (!evaluate_past(good, inside) || !parts_.times.record_delays(good, step.result.from)) return;
    parts_.outputs.write_step(*integrator_, step.result.from, good, inside, false, tracked_);
}

// What looks at the end of the step: validities, the observer, tables.
bool Integration::finish_step(Step& step) {
    if (watch_steps_ || step.is_event || step.loops_solved || !now_.selector.empty()) {
        if (!(step.evaluated || parts_.equations.evaluate()) || !now_.run_section(now_.program.conditions))
            return false;
        if (!step.is_event) parts_.ranges.check_validity();
    }
    if (now_.options.observer) now_.options.observer->step(*integrator_, step.result.from, step.reached);
    if (step.is_event)
        now_.loops.forget_past();
    else
        now_.loops.accepted(step.reached);
    if (has_tables_) {
        // What the stages of the step tried does not count.
        if (parts_.ranges.may_have_left_tables() &&
            (!parts_.equations.evaluate() || !now_.run_section(now_.program.conditions)))
            return false;
        check_tables(parts_);
    }
    return true;
}

Integration::Progress Integration::handle_event(Step& step) {
    const UnwaitedStopwatch watch(measured(parts_.summary.times.events), now_.options);
    ++parts_.summary.events;
    bool goes_on = false;
    if (!begin_event(step, goes_on)) return Progress::Failed;
    if (!trial_.event()) {
        if (!trial_.wants_mode()) parts_.good.go_back(true);
        return trial_.wants_mode() ? Progress::Ends : Progress::Failed;
    }
    return end_event(step, goes_on) ? Progress::Goes : Progress::Failed;
}

// The values before the event, with their row. `goes_on`: nothing says yet that the integrator must start
// anew.
bool Integration::begin_event(Step& step, bool& goes_on) {
    const std::vector<Slot>& inputs = parts_.structure.inputs;
    parts_.crossings.note_sizes();
    if (!now_.run_section(now_.program.crossings) || !now_.run_section(now_.program.eliminated) ||
        !parts_.outputs.write_now())
        return false;
    now_.loops.keep_last(now_.values);
    parts_.equations.note();
    const bool slid = !parts_.sliding.empty();
    for (std::size_t k = 0; k < inputs.size(); ++k) inputs_before_[k] = now_.values[inputs[k]];
    if (now_.options.observer) now_.options.observer->event_comes(now_.values);
    if (step.is_root) parts_.crossings.force(step.result.roots);
    if (step.missed) parts_.crossings.force_missed();
    const std::vector<std::size_t>& fired = parts_.crossings.fired();
    if (!parts_.storm.count(step.reached, fired)) return false;
    // A kink, a jump of a table or sliding is not seen in the inputs.
    goes_on = !step.missed && !slid && !parts_.times.is_jump(step.reached) &&
              std::none_of(fired.begin(), fired.end(), [&](std::size_t i) {
                  return now_.partition.switches[i].kink || is_whole(parts_.structure.ops[i]);
              });
    if (now_.options.observer) now_.options.observer->event_begins(cause_of_event(step.reached));
    parts_.crossings.clear_fired();
    // A table that jumps has its new value one unit in the last place later.
    if (parts_.times.is_jump(step.reached)) {
        step.reached = std::nextafter(step.reached, never);
        now_.values[now_.layout.time] = step.reached;
    }
    if (asks_for_end_) now_.values[now_.layout.ending] = step.reached >= now_.options.stop;
    parts_.good.keep(step.reached, x_);
    return true;
}

// The values after it, with their row. Where nothing has changed for the integrator it goes on.
bool Integration::end_event(const Step& step, bool goes_on) {
    const std::vector<Slot>& inputs = parts_.structure.inputs;
    if (now_.options.observer) now_.options.observer->event_ends(now_.values, parts_.whens.terminated());
    now_.loops.keep_place(now_.values);
    event_time_ = parts_.times.next();
    if (!parts_.times.record_delays(step.reached) || !parts_.outputs.write_followed()) return false;
    now_.read_states(x_);
    if (!now_.run_section(now_.program.stepwise)) return false;
    parts_.crossings.watch();
    parts_.crossings.begin_here();
    parts_.poles.forget_step();
    goes_on = goes_on && parts_.sliding.empty() && !parts_.times.delayed_jump_acts();
    parts_.times.forget_delayed_jumps();
    for (std::size_t k = 0; k < inputs.size() && goes_on; ++k)
        goes_on = inputs_before_[k] == now_.values[inputs[k]];
    if (now_.options.observer && !parts_.whens.terminated()) {
        report_what_cannot_be_followed();
        now_.options.observer->continues(now_.values);
    }
    if (!goes_on) {
        integrator_->start(step.reached, x_, integrator_->last_step());
        parts_.growth.started();
    }
    return true;
}

// Other states where those at hand have become a bad choice: an event without a jump.
bool Integration::renew_states(const Step& step) {
    if (!now_.selector.renew(now_.values)) return true;
    parts_.outputs.follow();
    now_.read_states(x_);
    parts_.crossings.watch();
    if (!now_.run_section(now_.program.stepwise)) return false;  // which states are chosen is discrete
    now_.loops.keep_place(now_.values);
    integrator_->start(step.reached, x_, integrator_->last_step());
    return true;
}

// The first of those that fired, one that is more than a kink if there is one; else what was due.
EventCause Integration::cause_of_event(double reached) const {
    const std::vector<ClockState>& clocks = now_.state.clocks;
    const std::vector<Switch>& switches = now_.partition.switches;
    EventCause cause;
    for (std::size_t i : parts_.structure.time)
        if (same_instant(now_.values[now_.layout.instants[i]], reached)) cause.instants.push_back(i);
    for (std::size_t i = 0; i < clocks.size(); ++i)
        if (same_instant(clocks[i].next(), reached)) cause.clocks.emplace_back(i, clocks[i].ticks);
    for (std::size_t i : parts_.crossings.fired())
        if (!cause.crossing || (switches[*cause.crossing].kink && !switches[i].kink)) cause.crossing = i;
    if (cause.crossing) return cause;
    if (!cause.instants.empty()) {
        cause.instant = cause.instants.back();
    } else if (!cause.clocks.empty()) {
        cause.clock = cause.clocks.back().first;
        cause.tick = cause.clocks.back().second;
    }
    return cause;
}

void Integration::report_what_cannot_be_followed() {
    RunObserver& observer = *now_.options.observer;
    if (!parts_.sliding.empty())
        observer.cannot_follow("a switch is held where it changes (sliding mode, friction that sticks)");
    if (!now_.partition.delays.empty()) observer.cannot_follow("the model has delays");
    if (!now_.selector.empty()) observer.cannot_follow("which variables are states is chosen during the run");
    if (entry_.entered()) observer.cannot_follow("the equations change during the run");
}

bool Integration::report_failure() {
    const auto failed = [&](Diagnostic d) {
        if (describe(now_.options.solver).fixed_step)
            run_messages::add_fixed_step(d, name_of(now_.options.solver), integrator_->failure_reason());
        return now_.fail(std::move(d));
    };
    if (now_.values.error() && now_.stop)
        return now_.fail(run_messages::run_error(*now_.values.error(), now_.time()));
    const RightHandSide::BadPoint& bad = parts_.rhs.bad();
    if (!bad.states.empty() || (now_.layout.state.empty() && bad.time != 0)) {
        now_.values[now_.layout.time] = bad.time;
        now_.set_states(bad.states);
        now_.values.clear_error();
        if (!now_.values.run(now_.program.continuous)) {
            if (now_.values.error()) return failed(run_messages::run_error(*now_.values.error(), bad.time));
            if (now_.loops.failure())
                return failed(run_messages::loop_failed(now_.model, *now_.loops.failure()->loop, now_.values,
                                                        now_.loops.failure()->reason, bad.time));
        } else if (const auto what = now_.values.explain_non_finite(now_.program.continuous)) {
            return failed(run_messages::not_finite(now_.model, *what, bad.time));
        }
    }
    std::optional<VariableIndex> state;
    std::optional<Unknown> iterated;
    const SolvedEquation* equation = nullptr;
    const std::vector<VariableIndex>& states = now_.partition.states;
    const auto limiting = integrator_->limiting_state();
    if (limiting && *limiting >= states.size()) {
        const std::size_t i = *limiting - states.size();
        if (i < now_.residuals.unknowns().size())
            iterated = tearing_variable(now_.program, now_.residuals.unknowns()[i]);
    } else if (limiting) {
        equation = derivative_equation(now_.partition, states[*limiting]);
        state = now_.selector.stands_for(states[*limiting]);
    }
    // Where nothing else is known: an unknown of a loop that the derivatives need.
    if (!state && !iterated)
        for (const Instruction& i : now_.program.derivatives.instructions)
            if (i.code == Code::Solve && !now_.program.loops[i.a].linear && !iterated)
                iterated = now_.program.loops[i.a].block->torn.front();
    if (!state && !iterated && !states.empty())
        equation = derivative_equation(now_.partition, states.front());
    return failed(run_messages::solver_failed(now_.model, integrator_->failure_reason(), state, iterated,
                                              equation, integrator_->time()));
}

// A state that stays near its absolute tolerance, within this factor, is not accurate.
void Integration::warn_of_tolerances(double factor) {
    std::vector<VariableIndex> small;
    const std::vector<double>& largest = parts_.largest_states;
    for (std::size_t i = 0; i < largest.size(); ++i)
        if (largest[i] > 0 && largest[i] < factor * absolute_[i])
            small.push_back(now_.selector.stands_for(now_.partition.states[i]));
    if (!small.empty()) now_.report(run_messages::small_states(now_.model, small));
}

void Integration::add_statistics() {
    RunSummary& summary = parts_.summary;
    summary.integrator = integrator_->statistics();
    summary.loop_solutions = now_.loops.statistics().nonlinear;
    summary.loop_iterations = now_.loops.statistics().iterations;
    summary.loop_factorisations = now_.loops.statistics().factorisations;
    summary.switches.add(integrator_->switches());
}

}  // namespace cutset

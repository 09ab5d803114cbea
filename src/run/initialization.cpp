#include "run/initialization.h"

#include <algorithm>
#include <set>

#include "generate/frame_machine.h"
#include "run/run_messages.h"
#include "run/run_observer.h"
#include "run/start_report_filler.h"

namespace cutset {

namespace {

constexpr double shortest_step = 1e-6;  // of the homotopy
constexpr double agreement = 1e-6;      // of an initial value with the value found
constexpr double smallest_jump = 1e-9;  // that is spoken of

}  // namespace

bool Initialization::run() {
    now_.state.when_held.clear();
    now_.values[now_.layout.time] = now_.options.start;
    if (!now_.run_section(given_.parameters()) ||
        !now_.report_not_finite(given_.parameters(), now_.options.start))
        return false;
    switches_.reset();
    now_.equations_known = false;
    set_guesses(now_.values);
    const auto tell_zero_starts = [&] {
        if (!now_.partition.zero_starts.empty())
            now_.report(run_messages::zero_start(now_.model, now_.partition.zero_starts));
    };
    if (!now_.other_modes) tell_zero_starts();
    now_.values[now_.layout.starting] = 1;
    const bool solved = solve_with_past();
    if (now_.options.start_report) fill(*now_.options.start_report, now_, environment(), guesses_, solved);
    if (!solved) return false;
    if (now_.other_modes) tell_zero_starts();  // where it fails, a mode may determine them
    if (!check() || !now_.selector.choose(now_.values)) return false;
    if (now_.model.whens_together && !act_at_start()) return false;
    whens_.keep_values_before();
    for (std::size_t i = 0; i < now_.partition.switches.size(); ++i)
        now_.values[now_.layout.switches_before[i]] = now_.condition(i);

    // Of clauses that act after each other only those with `sample` or `start()` act at initialization.
    if (!times_.start_clocks()) return false;
    times_.mark_ticks_at_start();
    if (!leave_start() || !now_.run_section(now_.program.conditions)) return false;
    // What has not changed yet on the way out is the past of delays.
    if (times_.record_start() &&
        (!now_.run_section(now_.program.continuous) || !now_.run_section(now_.program.conditions)))
        return false;
    if (!now_.model.whens_together) whens_.hold_at_start(now_.model.whens.size());
    ranges_.reset();
    if (now_.options.observer) now_.options.observer->start(now_.values);
    if (!(now_.model.whens_together ? events_.run_after_start() : events_.run())) return false;
    if (!times_.record_delays(now_.options.start)) return false;
    now_.values[now_.layout.starting] = 0;
    if (!equations_.evaluate()) return false;
    if (now_.options.observer) now_.options.observer->event_ends(now_.values, whens_.terminated());
    return true;
}

// Delays give their arguments at initialization, on which these may depend in turn.
bool Initialization::solve_with_past() {
    if (now_.partition.delays.empty()) return solve_and_settle();
    now_.values.run(now_.program.conditions);  // a guess
    now_.values.clear_error();
    times_.record_start();
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
        if (!solve_and_settle() || !now_.run_section(now_.program.conditions)) return false;
        if (!times_.record_start()) break;
    }
    return true;
}

// The actual model comes first. A solution that an assertion refuses is not the one that is meant: then the
// simplified model leads to it.
bool Initialization::solve_and_settle() {
    now_.values.set_live_switches(true);
    if (!solve() || !settle()) return false;
    if (now_.partition.actual_parts.empty() || !breaks_assertion()) return true;
    now_.values.set_live_switches(true);
    return follow_homotopy() && solve_from_simplified() && settle();
}

bool Initialization::breaks_assertion() {
    if (!now_.values.run(now_.program.conditions)) {
        now_.values.clear_error();
        return false;
    }
    // What discrete variables have to do with is not settled yet.
    const auto is_discrete = [&](Expr leaf) {
        return leaf->op == Op::Variable &&
               now_.model.variables[leaf->variable()].variability == Variability::Discrete;
    };
    for (std::size_t i = 0; i < now_.model.validities.size(); ++i) {
        const Validity& v = now_.model.validities[i];
        if (v.level == AssertionLevel::Error && now_.values[now_.layout.validity[i]] == 0 &&
            !depends_on(v.condition, is_discrete))
            return true;
    }
    return false;
}

// The first values of the conditions come from the equations themselves.
bool Initialization::settle() {
    if (!now_.run_section(now_.program.crossings)) return false;
    now_.values.set_live_switches(false);
    switches_.measure_time_events();
    for (std::size_t i = 0; i < now_.partition.switches.size(); ++i) now_.condition(i) = switches_.value(i);
    return settling_.settle(given_.initial()) && now_.report_not_finite(given_.initial(), now_.options.start);
}

// Clauses of `initial()` and initial equations are one system.
bool Initialization::act_at_start() {
    bool changed = true;
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
        if (!whens_.act_at_start(changed)) return false;
        if (!changed) break;
        if (!settling_.settle(given_.initial())) return false;
    }
    now_.values[now_.layout.starting] = 0;
    now_.equations_known = false;
    return true;
}

// A comparison of the time with the start itself, time > 0, changes on the way out of it.
bool Initialization::leave_start() {
    bool changes = false;
    for (std::size_t i : structure_.time) {
        const Op op = structure_.ops[i];
        if (now_.crossing(i) != 0 || (op != Op::Less && op != Op::LessEqual)) continue;
        now_.condition(i) = op == Op::LessEqual;
        changes = true;
    }
    for (int iteration = 0; changes && iteration < most_iterations; ++iteration) {
        if (!now_.run_section(now_.program.continuous) || !now_.run_section(now_.program.crossings))
            return false;
        changes = false;
        for (std::size_t i : structure_.state) {
            const double value = switches_.value(i);
            if (value == now_.condition(i) || std::isnan(value)) continue;
            now_.condition(i) = value;
            changes = true;
        }
    }
    return true;
}

bool Initialization::solve() {
    now_.loops.set_robust(true);
    now_.loops.allow_open(false);
    now_.loops.keep_last(now_.values);
    if (now_.values.run(given_.initial())) return true;
    // Conditions on the unknowns of a loop: search their values one combination after the other.
    const bool linear = now_.loops.failure() && now_.loops.failure()->loop->linear;  // it may be left open
    if (!now_.values.error() && (linear || !structure_.state.empty())) {
        const Interpreter failed = now_.values;
        now_.values.set_live_switches(false);
        std::vector<std::size_t> involved;
        const Settling::Outcome outcome = settling_.settle_quietly(given_.initial(), involved);
        if (outcome == Settling::Outcome::Done) {
            settling_.report_open(given_.initial());
            return true;
        }
        if (outcome == Settling::Outcome::Cycle && now_.partition.actual_parts.empty())
            return settling_.report_cycle(involved);
        now_.values = failed;
        now_.values.run(given_.initial());
    }
    if (now_.values.error() || now_.partition.actual_parts.empty()) return report_failure();
    return (follow_in_blocks() || follow_homotopy()) && solve_from_simplified();
}

// The actual model, from where the homotopy has led.
bool Initialization::solve_from_simplified() {
    if (!now_.values.run(given_.initial()) && !report_failure()) return false;
    if (now_.options.start_report) now_.options.start_report->by_homotopy = true;
    return true;
}

// How much of its actual form counts, of the homotopies in the equations of a block; without one of all.
std::vector<Slot> Initialization::actual_parts(const Block* block) const {
    std::set<EquationIndex> within;
    if (block) {
        for (const SolvedEquation& s : block->inner)
            if (!s.from_initial) within.insert(s.equation);
        for (const ResidualEquation& r : block->residuals)
            if (!r.from_initial) within.insert(r.equation);
    }
    std::vector<Slot> parts;
    for (std::size_t k = 0; k < now_.model.homotopies.size(); ++k)
        if (!block || within.contains(now_.model.homotopies[k].equation))
            parts.push_back(now_.layout.variable[now_.partition.actual_parts[k].value]);
    return parts;
}

// Blocks that have a solution in their actual form are solved so; the others, one after the other, by way of
// their own simplified forms.
bool Initialization::follow_in_blocks() {
    const Interpreter before = now_.values;
    set_guesses(now_.values);
    for (Slot part : actual_parts(nullptr)) now_.values[part] = 1;
    const Interpreter guesses = now_.values;
    std::set<const Block*> carried;
    while (!now_.values.run(now_.program.homotopy)) {
        if (!now_.values.error() && now_.loops.failure()) {
            const Block* failed = now_.loops.failure()->loop->block;
            const std::vector<Slot> parts = actual_parts(failed);
            for (Slot slot : now_.loops.failure()->loop->torn) now_.values[slot] = guesses[slot];
            if (!parts.empty() && carried.insert(failed).second && carry_over(parts, failed)) continue;
        }
        now_.values = before;
        return false;
    }
    return true;
}

// All together.
bool Initialization::follow_homotopy() {
    set_guesses(now_.values);
    return carry_over(actual_parts(nullptr), nullptr) || report_failure();
}

// Whether the loops before that block, and it, have been solved; without a block whether all have.
bool Initialization::stops_at(const Block* block) const {
    if (now_.values.error() || !block) return true;
    return now_.loops.failure()->loop->block == block;
}

// From the simplified to the actual form: each solution is the guess for the next. What comes after the block
// may fail meanwhile.
bool Initialization::carry_over(const std::vector<Slot>& parts, const Block* block) {
    Interpreter last = now_.values;
    double reached = -1, step = 0.25;
    while (reached < 1) {
        const double next = reached < 0 ? 0 : std::min(1.0, reached + step);
        now_.values = last;
        for (Slot part : parts) now_.values[part] = next;
        now_.values.clear_error();
        if (now_.values.run(now_.program.homotopy) || !stops_at(block)) {
            last = now_.values;
            if (reached >= 0) step *= 2;
            reached = next;
            continue;
        }
        step /= 2;
        if (reached < 0 || step < shortest_step) {
            if (!block) now_.report(run_messages::homotopy_failed(reached < 0 ? 0 : next));
            return false;
        }
    }
    return true;
}

// The system that failed, and what was computed before it.
bool Initialization::report_failure() {
    if (now_.values.error()) {
        now_.report(run_messages::run_error(*now_.values.error(), now_.time()));
        return false;
    }
    if (!now_.loops.failure()) return false;
    if (report_left_open(now_.loops.failure()->loop->block)) return false;
    Diagnostic d = run_messages::loop_failed(now_.model, *now_.loops.failure()->loop, now_.values,
                                             now_.loops.failure()->reason, now_.time());
    std::vector<std::pair<VariableIndex, double>> computed;
    const Block* failed = now_.loops.failure()->loop->block;
    const bool simplified =
        std::any_of(now_.partition.homotopy_blocks.begin(), now_.partition.homotopy_blocks.end(),
                    [&](const Block& block) { return &block == failed; });
    for (const Block& block : simplified ? now_.partition.homotopy_blocks : now_.partition.initial_blocks) {
        if (&block == failed) break;
        const auto add = [&](const Unknown& u) {
            if (u.order == 0 && !now_.model.variables[u.variable].internal)
                computed.emplace_back(u.variable, now_.values[now_.layout.variable[u.variable.value]]);
        };
        for (const SolvedEquation& s : block.inner) add(s.unknown);
        for (const Unknown& u : block.torn) add(u);
    }
    run_messages::add_computed(d, now_.model, computed);
    now_.report(std::move(d));
    return false;
}

// The first value computed before `failed` that is none: y' of x*x' + y*y' = 0 where y = 0.
bool Initialization::report_left_open(const Block* failed) {
    for (const Block& block : now_.partition.initial_blocks) {
        if (&block == failed) return false;
        for (const SolvedEquation& s : block.inner) {
            const Expr x = now_.model.pool->variable(s.unknown.variable, s.unknown.order);
            if (s.unknown.order > 0 ||
                std::isfinite(now_.values[now_.layout.variable[s.unknown.variable.value]]))
                continue;
            const Equation& e =
                s.from_initial ? now_.model.initial_equations[s.equation] : now_.model.equations[s.equation];
            std::vector<std::pair<std::string, double>> values;
            std::set<std::uint32_t> seen;
            bool linear = false;
            const auto visit = [&](Expr leaf) {
                if (leaf == x) linear = true;
                if (leaf->op != Op::Variable || leaf == x || leaf->order > 0 || !seen.insert(leaf->id).second)
                    return;
                values.emplace_back(now_.model.path(leaf->variable()),
                                    now_.values[now_.layout.variable[leaf->index]]);
            };
            for_each_node(e.left, visit);
            for_each_node(e.right, visit);
            // Not what some value before it is to blame for, nor a formula for it that has no value.
            if (!linear || e.left == x || e.right == x) return false;
            now_.report(run_messages::start_left_open(now_.model, s.unknown.variable, e, values));
            return true;
        }
    }
    return false;
}

// Conditions that gave way to others: whether they hold all the same.
bool Initialization::check() {
    if (!now_.partition.start_checks.empty() && !now_.run_section(now_.program.eliminated)) return false;
    Environment present = environment();
    bool good = true;
    for (const StartCheck& check : now_.partition.start_checks) {
        const Variable& variable = now_.model.variables[check.variable];
        const double value = now_.values[now_.layout.variable[check.variable.value]];
        const auto wanted = cutset::evaluate(check.value, present);
        if (!wanted) continue;
        if (check.kind == StartCheck::Kind::Steady) {
            if (std::abs(*wanted) <= agreement * std::max(1.0, std::abs(value))) continue;
            now_.report(run_messages::not_steady(now_.model, check, *wanted));
            good = false;
            continue;
        }
        const double size = std::max(
            {std::abs(*wanted), std::abs(value), variable.nominal ? std::abs(*variable.nominal) : 0.0});
        const double off = std::abs(value - *wanted);
        switch (check.kind) {
            case StartCheck::Kind::Start:
                if (off > agreement * size && off > 1e-12)
                    now_.report(run_messages::start_not_kept(now_.model, check, *wanted, value));
                break;
            case StartCheck::Kind::Guess:
                if (off > agreement * size && off > 1e-12) {
                    Diagnostic d = run_messages::init_without_effect(now_.model, check, *wanted, value);
                    for (const Eliminated& e : now_.partition.eliminated)
                        if (e.variable == check.variable)
                            d.details = {"it is " + to_text(e.value, now_.model.printer())};
                    now_.report(std::move(d));
                }
                break;
            case StartCheck::Kind::Jump:
                if (off > smallest_jump * size)
                    now_.report(run_messages::jumped(now_.model, check, *wanted, value));
                break;
            case StartCheck::Kind::Steady:
                break;
        }
    }
    std::vector<std::pair<VariableIndex, double>> found;
    for (VariableIndex v{0}; v < now_.model.variables.end_index(); ++v.value)
        if (now_.model.variables[v].free_parameter)
            found.emplace_back(v, now_.values[now_.layout.variable[v.value]]);
    if (!found.empty()) now_.report(run_messages::parameters_found(now_.model, found));
    return good;
}

Environment Initialization::environment() {
    Environment environment;
    std::vector<Slot> derivative(now_.model.variables.size(), 0);
    for (std::size_t i = 0; i < now_.partition.states.size(); ++i)
        derivative[now_.partition.states[i].value] = now_.layout.derivative[i];
    environment.leaf = [this, derivative = std::move(derivative)](Expr leaf) -> std::optional<double> {
        if (leaf->op == Op::Time) return now_.options.start;
        if (leaf->op != Op::Variable) return std::nullopt;
        if (leaf->order == 0) return now_.values[now_.layout.variable[leaf->index]];
        if (derivative[leaf->index] == 0) return std::nullopt;
        return now_.values[derivative[leaf->index]];
    };
    environment.apply = [&](Expr apply, std::span<const double> arguments) -> std::optional<double> {
        ExternalLibraries libraries;
        FrameStore store;
        std::vector<bool> tables_left(now_.model.callees.size());
        FrameContext context(now_.program, libraries, now_.options.allow_external, tables_left, store);
        std::vector<double> results;
        if (apply->derivatives != 0 ||
            !FrameMachine<double>(context).call(apply->callee(), arguments, results) ||
            apply->order >= results.size())
            return std::nullopt;
        return results[apply->order];
    };
    return environment;
}

void Initialization::set_starts(Interpreter& values) {
    using enum StartReport::GuessFrom;
    const Environment present = environment();
    guesses_.assign(now_.model.variables.size(), {});
    for (VariableIndex v{0}; v < now_.model.variables.end_index(); ++v.value) {
        const Variable& variable = now_.model.variables[v];
        if (variable.variability == Variability::Discrete && variable.binding) {
            if (const auto value = cutset::evaluate(variable.binding, present))
                values[now_.layout.variable[v.value]] = *value;
        } else if (variable.variability == Variability::Continuous) {
            const auto value = variable.start ? cutset::evaluate(variable.start->value, present) : 0.0;
            if (value) values[now_.layout.variable[v.value]] = *value;
            if (value && variable.start)
                guesses_[v.value] = {*value,
                                     variable.start->from_user    ? CommandLine
                                     : variable.start->only_guess ? Guess
                                                                  : Start,
                                     variable.start->origin.where};
        }
        if (now_.layout.previous[v.value])
            values[now_.layout.previous[v.value]] = values[now_.layout.variable[v.value]];
    }
    given_.set_starts(values);
    for (const auto& [v, value] : now_.options.given_starts) guesses_[v.value] = {value, CommandLine, {}};
    guess_by_definitions(values);
}

// Starts, and instead of them the values of a point that was kept. Where they hold they are set once more.
void Initialization::set_guesses(Interpreter& values) {
    set_starts(values);
    for (const auto& [v, value] : now_.options.guesses) {
        if (guesses_[v.value].from == StartReport::GuessFrom::CommandLine) continue;
        values[now_.layout.variable[v.value]] = value;
        guesses_[v.value] = {value, StartReport::GuessFrom::File, {}};
    }
}

// Where unknowns are iterated: v = e with all of e given is a better guess for v than 0, or than what only
// its type says: a density by the pressure and temperature that a model gives, not the 1 kg/m3 of all
// densities.
void Initialization::guess_by_definitions(Interpreter& values) {
    const auto& blocks = now_.partition.initial_blocks;
    if (std::none_of(blocks.begin(), blocks.end(),
                     [](const Block& block) { return block.kind == BlockKind::Nonlinear; }))
        return;
    const auto only_type_says = [&](VariableIndex v) {
        const auto& start = now_.model.variables[v].start;
        return start && start->only_guess && start->by_default &&
               guesses_[v.value].from == StartReport::GuessFrom::Guess;
    };
    std::vector<bool> known;
    for (VariableIndex v{0}; v < now_.model.variables.end_index(); ++v.value)
        known.push_back(now_.model.variables[v].variability != Variability::Continuous ||
                        (!only_type_says(v) && (now_.model.variables[v].start.has_value() ||
                                                guesses_[v.value].from != StartReport::GuessFrom::Nothing)));
    Environment environment = this->environment();
    environment.leaf = [&](Expr leaf) -> std::optional<double> {
        if (leaf->op == Op::Time) return now_.options.start;
        if (leaf->op != Op::Variable || leaf->order > 0 || !known[leaf->index]) return std::nullopt;
        return values[now_.layout.variable[leaf->index]];
    };
    const auto follow_definitions = [&] {
        constexpr int longest_chain = 5;  // in an unlucky order
        for (int pass = 0; pass < longest_chain; ++pass) {
            bool changed = false;
            for (const Equation& e : now_.model.equations)
                for (const auto& [x, definition] : {std::pair(e.left, e.right), std::pair(e.right, e.left)}) {
                    if (x->op != Op::Variable || x->order > 0 || known[x->index]) continue;
                    const auto value = cutset::evaluate(definition, environment);
                    if (!value || !std::isfinite(*value)) continue;
                    values[now_.layout.variable[x->index]] = *value;
                    known[x->index] = changed = true;
                    guesses_[x->index] = {*value, StartReport::GuessFrom::Definition, e.origin.where};
                }
            if (!changed) return;
        }
    };
    follow_definitions();
    bool more = false;
    for (VariableIndex v{0}; v < now_.model.variables.end_index(); ++v.value)
        if (!known[v.value] && only_type_says(v)) known[v.value] = more = true;
    if (more) follow_definitions();
}

}  // namespace cutset

// The start problem of a run: solved as it stands, else by way of the simplified model; then what the
// modeller has to know about it.
#include <algorithm>
#include <set>
#include <vector>

#include "generate/frame_machine.h"
#include "run/run_messages.h"
#include "run/simulation.h"

namespace cutset {

namespace {

constexpr double shortest_step = 1e-6;  // of the homotopy
constexpr double agreement = 1e-6;      // of a start with the value found
constexpr double smallest_jump = 1e-9;  // that is spoken of

}  // namespace

bool Simulation::solve_start() {
    loops_.set_robust(true);
    if (main_.run(initial_section())) return true;
    // Conditions on the unknowns of a loop: search their values one combination after the other.
    if (!main_.error() && !state_switches_.empty()) {
        const Interpreter failed = main_;
        main_.set_live_switches(false);
        std::vector<std::size_t> involved;
        const Settling settling = settle_quietly(initial_section(), involved);
        if (settling == Settling::Done) return true;
        if (settling == Settling::Cycle && !partition_.homotopy) return report_cycle(involved);
        main_ = failed;
        main_.run(initial_section());
    }
    if (main_.error() || !partition_.homotopy) return report_start_failure();
    // From the simplified to the actual model: each solution is the guess for the next.
    const Slot part = layout_.variable[partition_.homotopy->value];
    Interpreter last = main_;
    set_guesses(last);
    double reached = -1, step = 0.25;
    while (reached < 1) {
        const double next = reached < 0 ? 0 : std::min(1.0, reached + step);
        main_ = last;
        main_[part] = next;
        main_.clear_error();
        if (main_.run(program_.homotopy)) {
            last = main_;
            if (reached >= 0) step *= 2;
            reached = next;
            continue;
        }
        step /= 2;
        if (reached < 0 || step < shortest_step) {
            diagnostics_.report(run_messages::homotopy_failed(reached < 0 ? 0 : next));
            return report_start_failure();
        }
    }
    main_[part] = 1;
    return main_.run(initial_section()) || report_start_failure();
}

// The system that failed, and what was computed before it.
bool Simulation::report_start_failure() {
    if (main_.error()) {
        diagnostics_.report(run_messages::run_error(*main_.error(), time()));
        return false;
    }
    if (!loops_.failure()) return false;
    if (report_left_open(loops_.failure()->loop->block)) return false;
    Diagnostic d =
        run_messages::loop_failed(model_, *loops_.failure()->loop, main_, loops_.failure()->reason, time());
    std::vector<std::pair<VariableIndex, double>> computed;
    const Block* failed = loops_.failure()->loop->block;
    const bool simplified = std::any_of(partition_.homotopy_blocks.begin(), partition_.homotopy_blocks.end(),
                                        [&](const Block& block) { return &block == failed; });
    for (const Block& block : simplified ? partition_.homotopy_blocks : partition_.initial_blocks) {
        if (&block == failed) break;
        const auto add = [&](const Unknown& u) {
            if (u.order == 0 && !model_.variables[u.variable].internal)
                computed.emplace_back(u.variable, main_[layout_.variable[u.variable.value]]);
        };
        for (const SolvedEquation& s : block.inner) add(s.unknown);
        for (const Unknown& u : block.torn) add(u);
    }
    run_messages::add_computed(d, model_, computed);
    diagnostics_.report(std::move(d));
    return false;
}

// The first value computed before `failed` that is none: y' of x*x' + y*y' = 0 where y = 0.
bool Simulation::report_left_open(const Block* failed) {
    for (const Block& block : partition_.initial_blocks) {
        if (&block == failed) return false;
        for (const SolvedEquation& s : block.inner) {
            const Expr x = model_.pool->variable(s.unknown.variable, s.unknown.order);
            if (s.unknown.order > 0 || std::isfinite(main_[layout_.variable[s.unknown.variable.value]]))
                continue;
            const Equation& e =
                s.from_initial ? model_.initial_equations[s.equation] : model_.equations[s.equation];
            std::vector<std::pair<std::string, double>> values;
            std::set<std::uint32_t> seen;
            bool linear = false;
            const auto visit = [&](Expr leaf) {
                if (leaf == x) linear = true;
                if (leaf->op != Op::Variable || leaf == x || leaf->order > 0 || !seen.insert(leaf->id).second)
                    return;
                values.emplace_back(model_.path(leaf->variable()), main_[layout_.variable[leaf->index]]);
            };
            for_each_node(e.left, visit);
            for_each_node(e.right, visit);
            // Not what some value before it is to blame for, nor a formula for it that has no value.
            if (!linear || e.left == x || e.right == x) return false;
            diagnostics_.report(run_messages::start_left_open(model_, s.unknown.variable, e, values));
            return true;
        }
    }
    return false;
}

// Conditions that gave way to others: whether they hold all the same.
bool Simulation::check_start() {
    if (!partition_.start_checks.empty() && !run_section(program_.eliminated)) return false;
    Environment environment = start_environment();
    bool good = true;
    for (const StartCheck& check : partition_.start_checks) {
        const Variable& variable = model_.variables[check.variable];
        const double value = main_[layout_.variable[check.variable.value]];
        const auto wanted = cutset::evaluate(check.value, environment);
        if (!wanted) continue;
        if (check.kind == StartCheck::Kind::Steady) {
            if (std::abs(*wanted) <= agreement * std::max(1.0, std::abs(value))) continue;
            diagnostics_.report(run_messages::not_steady(model_, check, *wanted));
            good = false;
            continue;
        }
        const double size = std::max(
            {std::abs(*wanted), std::abs(value), variable.nominal ? std::abs(*variable.nominal) : 0.0});
        const double off = std::abs(value - *wanted);
        switch (check.kind) {
            case StartCheck::Kind::Start:
                if (off > agreement * size && off > 1e-12)
                    diagnostics_.report(run_messages::start_not_kept(model_, check, *wanted, value));
                break;
            case StartCheck::Kind::Guess:
                if (off > agreement * size && off > 1e-12) {
                    Diagnostic d = run_messages::init_without_effect(model_, check, *wanted, value);
                    for (const Eliminated& e : partition_.eliminated)
                        if (e.variable == check.variable)
                            d.details = {"it is " + to_text(e.value, model_.printer())};
                    diagnostics_.report(std::move(d));
                }
                break;
            case StartCheck::Kind::Jump:
                if (off > smallest_jump * size)
                    diagnostics_.report(run_messages::jumped(model_, check, *wanted, value));
                break;
            case StartCheck::Kind::Steady:
                break;
        }
    }
    std::vector<std::pair<VariableIndex, double>> found;
    for (VariableIndex v{0}; v < model_.variables.end_index(); ++v.value)
        if (model_.variables[v].free_parameter) found.emplace_back(v, main_[layout_.variable[v.value]]);
    if (!found.empty()) diagnostics_.report(run_messages::parameters_found(model_, found));
    return good;
}

Environment Simulation::start_environment() {
    Environment environment;
    environment.leaf = [&](Expr leaf) -> std::optional<double> {
        if (leaf->op == Op::Time) return options_.start;
        if (leaf->op != Op::Variable) return std::nullopt;
        if (leaf->order == 0) return main_[layout_.variable[leaf->index]];
        const auto state = std::find(partition_.states.begin(), partition_.states.end(), leaf->variable());
        if (state == partition_.states.end()) return std::nullopt;
        return main_[layout_.derivative[std::size_t(state - partition_.states.begin())]];
    };
    environment.apply = [&](Expr apply, std::span<const double> arguments) -> std::optional<double> {
        ExternalLibraries libraries;
        FrameStore store;
        std::vector<bool> tables_left(model_.callees.size());
        FrameContext context(program_, libraries, options_.allow_external, tables_left, store);
        std::vector<double> results;
        if (apply->derivatives != 0 ||
            !FrameMachine<double>(context).call(apply->callee(), arguments, results) ||
            apply->order >= results.size())
            return std::nullopt;
        return results[apply->order];
    };
    return environment;
}

// Guesses and the values of discrete variables before the first event.
void Simulation::set_guesses(Interpreter& values) {
    const Environment environment = start_environment();
    for (VariableIndex v{0}; v < model_.variables.end_index(); ++v.value) {
        const Variable& variable = model_.variables[v];
        if (variable.variability == Variability::Discrete && variable.binding) {
            if (const auto value = cutset::evaluate(variable.binding, environment))
                values[layout_.variable[v.value]] = *value;
        } else if (variable.variability == Variability::Continuous) {
            const auto value = variable.start ? cutset::evaluate(variable.start->value, environment) : 0.0;
            if (value) values[layout_.variable[v.value]] = *value;
        }
        if (layout_.previous[v.value]) values[layout_.previous[v.value]] = values[layout_.variable[v.value]];
    }
    set_given_starts(values);
    guess_by_definitions(values);
}

// Where unknowns are iterated: v = e with all of e given is a better guess for v than 0.
void Simulation::guess_by_definitions(Interpreter& values) {
    const auto& blocks = partition_.initial_blocks;
    if (std::none_of(blocks.begin(), blocks.end(),
                     [](const Block& block) { return block.kind == BlockKind::Nonlinear; }))
        return;
    std::vector<bool> known;
    for (const Variable& v : model_.variables)
        known.push_back(v.variability != Variability::Continuous || v.start.has_value());
    for (const auto& [v, value] : options_.given_starts) known[v.value] = true;
    Environment environment;
    environment.leaf = [&](Expr leaf) -> std::optional<double> {
        if (leaf->op == Op::Time) return options_.start;
        if (leaf->op != Op::Variable || leaf->order > 0 || !known[leaf->index]) return std::nullopt;
        return values[layout_.variable[leaf->index]];
    };
    constexpr int longest_chain = 5;  // of definitions in an unlucky order
    for (int pass = 0; pass < longest_chain; ++pass) {
        bool changed = false;
        for (const Equation& e : model_.equations)
            for (const auto& [x, definition] : {std::pair(e.left, e.right), std::pair(e.right, e.left)}) {
                if (x->op != Op::Variable || x->order > 0 || known[x->index]) continue;
                const auto value = cutset::evaluate(definition, environment);
                if (!value || !std::isfinite(*value)) continue;
                values[layout_.variable[x->index]] = *value;
                known[x->index] = changed = true;
            }
        if (!changed) break;
    }
}

}  // namespace cutset

#include "transform/partition_initial.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "graph/dulmage_mendelsohn.h"
#include "transform/choose_starts.h"
#include "transform/dependent_starts.h"
#include "transform/jump_conditions.h"
#include "transform/messages.h"
#include "transform/sort_blocks.h"

namespace cutset::passes {
namespace {

constexpr std::size_t most_initial_reports = 5;

class InitialPartition {
  public:
    InitialPartition(Analysis& a, Diagnostics& diagnostics)
        : a_(a),
          model_(a.model()),
          diagnostics_(diagnostics),
          written_initial_(model_.initial_equations.size()) {}

    void run() {
        set_own_starts_aside();
        find_unknowns();
        bool simple = written_initial_ == 0 && a_.partition.selections.empty() && dependent_.empty() &&
                      free_.empty() && model_.homotopies.empty() && a_.options.initial == InitialMode::Given;
        for (VariableIndex x : a_.partition.states) {
            const auto& start = model_.variables[x].start;
            if (start && a_.variation_of(start->value) > Variation::Parametric) simple = false;
        }
        const bool open = std::any_of(a_.partition.states.begin(), a_.partition.states.end(),
                                      [&](VariableIndex x) { return !is_given(x); });
        for (const Variable& v : model_.variables)
            if (v.start && !v.start->only_guess && (v.start->from_user || open) &&
                v.variability == Variability::Continuous)
                simple = simple && is_tied_[std::size_t(&v - &*model_.variables.begin())];
        if (simple)
            assign_states();
        else
            solve_together();
    }

    // The values after a jump at an event, from those before it. Nothing is said about what fails to be
    // determined: then there are no blocks.
    bool run_event() {
        at_event_ = true;
        written_initial_ = 0;
        find_unknowns();
        free_.clear();
        solve_together();
        return sorted_;
    }

  private:
    // x(0) = x says nothing, and x(0) = x + y something about y only.
    void set_own_starts_aside() {
        for (VariableIndex x(0); x < model_.variables.end_index(); ++x.value) {
            std::optional<Start>& start = model_.variables[x].start;
            const Expr leaf = a_.pool().variable(x);
            if (!start || !a_.continuous_variable[x.value] || !a_.leaves.occurs(leaf, start->value)) continue;
            const Expr residual = a_.pool().subtract(leaf, start->value);
            if (a_.leaves.occurs(leaf, residual)) continue;
            if (!residual->is_number(0)) {
                model_.initial_equations.add({leaf, start->value, start->origin});
                ++written_initial_;
            }
            start.reset();
        }
    }

    // An initial value that is more than a guess.
    bool is_given(VariableIndex x) const {
        const auto& start = model_.variables[x].start;
        return start && !start->only_guess;
    }

    // x = its initial value, or x = 0.
    EquationIndex add_start(VariableIndex x) {
        const Variable& v = model_.variables[x];
        Equation e{a_.pool().variable(x), a_.pool().number(0), v.origin};
        if (at_event_) {
            e.right = a_.pool().previous(x);
        } else if (v.start) {
            e.right = v.start->value;
            e.origin = v.start->origin;
        }
        return model_.initial_equations.add(e);
    }

    // Whether a condition repeats one before it, as x(0) = 2 does beside `initial x = 2`.
    bool is_repeated(const Equation& e) {
        Expr x = e.left, value = e.right;
        const auto is_unknown = [&](Expr leaf) {
            return leaf->op == Op::Variable && a_.is_unknown(leaf->variable());
        };
        if (!is_unknown(x)) std::swap(x, value);
        if (!is_unknown(x) || !a_.values.can_ask(value))
            return !conditions_.insert(a_.pool().subtract(e.left, e.right)->id).second;
        const auto [known, added] = values_.emplace(x->id, value);
        if (added) return false;
        return a_.values.decide(ComparisonDecision{known->second, value, ComparisonDecision::How::Equal});
    }

    void assign_states() {
        Partition& partition = a_.partition;
        partition.initial_blocks.reserve(partition.states.size() + partition.blocks.size());
        for (VariableIndex x : partition.states) {
            const EquationIndex e = add_start(x);
            if (!model_.variables[x].start) partition.zero_starts.push_back(x);
            Block block;
            block.inner.push_back({{x, 0}, model_.initial_equations[e].right, e, true});
            partition.initial_blocks.push_back(std::move(block));
        }
        partition.initial_blocks.insert(partition.initial_blocks.end(), partition.blocks.begin(),
                                        partition.blocks.end());
        partition.starts_first = true;
    }

    // States of the run, candidates for states, and variables that constraints between them determine: those
    // that have initial values of their own. And parameters to be found.
    void find_unknowns() {
        const auto add = [&](VariableIndex x, bool is_state) {
            if (is_tied_[x.value]) return;
            is_tied_[x.value] = true;
            (is_state ? states_ : dependent_).push_back(x);
        };
        is_tied_.assign(model_.variables.size(), false);
        hidden_.assign(model_.variables.size(), false);
        for (const StateSelection& s : a_.partition.selections)
            for (VariableIndex x : s.states) hidden_[x.value] = true;
        for (VariableIndex x : a_.partition.states)
            if (!hidden_[x.value]) add(x, true);
        for (const StateSelection& s : a_.partition.selections)
            for (VariableIndex x : s.candidates) add(x, true);
        for (VariableIndex x : a_.partition.dependent) add(x, false);
        // Given as functions of time: an initial value that disagrees is to be told.
        for (VariableIndex x(0); x.value < a_.differentiated_before.size(); ++x.value)
            if (a_.differentiated_before[x.value] && is_given(x) && a_.is_unknown(x)) add(x, false);
        for (VariableIndex v(0); v < model_.variables.end_index(); ++v.value)
            if (model_.variables[v].free_parameter || model_.variables[v].start_open) free_.push_back(v);
    }

    // The equations for the choice of states during the run do not belong to initialization.
    std::vector<bool> selection_equations() const {
        std::vector<bool> found(model_.equations.size());
        for (const StateSelection& s : a_.partition.selections)
            for (EquationIndex e : s.equations) found[e.value] = true;
        return found;
    }

    void add_row(EquationIndex e, StartRank rank) {
        if (rank != StartRank::Zero && is_repeated(model_.initial_equations[e])) return;
        system_.rows.push_back(make_row(a_, model_.initial_equations[e], e, true));
        ranks_.push_back(std::uint8_t(rank));
    }
    void add_row(Equation e, StartRank rank) { add_row(model_.initial_equations.add(std::move(e)), rank); }

    void solve_together() {
        std::vector<VariableIndex> impulses;
        std::vector<Equation> jumps;
        if (at_event_)
            jumps = jump_conditions(a_, values_before_event(a_), impulses);
        else if (a_.options.initial == InitialMode::Jump)
            jumps = jump_conditions(a_, values_before_start(a_), impulses);
        hidden_.resize(model_.variables.size(), false);
        is_tied_.resize(model_.variables.size(), false);

        Columns columns(model_.variables.size() + model_.homotopies.size());  // those and their parts
        const auto is_shown = [&](VariableIndex v) { return !hidden_[v.value]; };
        for (Expr leaf : a_.continuous.columns)
            if (is_shown(leaf->variable())) add_column(system_, columns, leaf);
        for (const auto* list : {&states_, &dependent_, &free_, &impulses})
            for (VariableIndex x : *list) add_column(system_, columns, a_.pool().variable(x));

        const std::vector<bool> serves_selection = selection_equations();
        std::vector<std::pair<std::uint32_t, Expr>> matched;  // what the continuous system has matched
        for (std::uint32_t r = 0; r < a_.continuous.rows.size(); ++r) {
            const Row& row = a_.continuous.rows[r];
            if (serves_selection[row.equation.value]) continue;
            const Expr leaf = a_.continuous.columns[a_.continuous.matching.variable_of_equation[r]];
            if (is_shown(leaf->variable())) matched.emplace_back(std::uint32_t(system_.rows.size()), leaf);
            system_.rows.push_back(row);
            ranks_.push_back(std::uint8_t(StartRank::Continuous));
        }
        if (!at_event_) {
            const std::vector<bool> superfluous =
                dependent_initial_equations(a_, written_initial_, diagnostics_);
            if (diagnostics_.has_errors()) return;
            for (EquationIndex e(0); e.value < written_initial_; ++e.value)
                if (!superfluous[e.value]) add_row(e, gives_way(e) ? StartRank::Start : StartRank::Initial);
        }
        for (Equation& e : jumps) add_row(std::move(e), StartRank::Instead);
        if (!at_event_ && a_.options.initial == InitialMode::Steady) add_steady_conditions();
        if (at_event_)
            for (const auto* list : {&states_, &dependent_})
                for (VariableIndex x : *list)
                    add_row(add_start(x), is_independent(x) ? StartRank::Start : StartRank::Tied);
        else
            for (StartRank rank : {StartRank::UserStart, StartRank::Start, StartRank::Tied,
                                   StartRank::TiedRate, StartRank::Default})
                for (const auto* list : {&states_, &dependent_})
                    for (VariableIndex x : *list)
                        if (is_given(x) && rank_of_start(x) == rank) add_row(add_start(x), rank);
        if (!at_event_) {
            add_guesses();
            for (VariableIndex x : states_)
                if (!is_given(x)) add_row(add_start(x), StartRank::Zero);
        }
        if (!at_event_)  // a discrete variable of which nothing more is said
            for (VariableIndex d : free_)
                if (model_.variables[d].start_open)
                    add_row({a_.pool().variable(d), a_.pool().number(0), model_.variables[d].origin},
                            StartRank::Zero);
        for (VariableIndex x : impulses)
            add_row({a_.pool().variable(x), a_.pool().number(0), model_.variables[x].origin},
                    StartRank::Zero);

        // Rows have an order of preference, so the matching is made from the side of the unknowns. What the
        // continuous system has matched stays matched.
        system_.incidence = incidence(a_, system_, columns);
        graph::Matching from(system_.rows.size(), system_.columns.size());
        for (const auto& [row, leaf] : matched) from.match(row, columns.of(leaf));
        system_.matching =
            graph::maximum_matching_by_preference(system_.incidence.transpose(), ranks_, from.transpose())
                .transpose();
        if (at_event_ && system_.matching.size != system_.columns.size()) return;
        if (!at_event_ && (explain_conflicts() || explain_missing())) return;

        std::vector<bool> holds(system_.rows.size());
        for (std::size_t r = 0; r < holds.size(); ++r)
            holds[r] = system_.matching.variable_of_equation[r] != graph::unmatched;
        if (const auto chosen = choose_starts(a_, system_, ranks_)) {
            const graph::Matching matching = matching_of(*chosen);
            const auto count = std::size_t(std::count(chosen->begin(), chosen->end(), true));
            if (matching.size == system_.columns.size() && count == matching.size) {
                holds = *chosen;
                system_.matching = matching;
            }
        }
        if (!at_event_) list_checks(holds);
        sort(holds, columns);
    }

    // A fixed start value holds as an initial equation does, but for a steady state that is asked for.
    bool gives_way(EquationIndex e) const {
        return a_.options.initial == InitialMode::Steady &&
               model_.initial_equations[e].kind == EquationKind::Fixed;
    }

    // x' = 0. Where `initial x = …` is written it stands instead, unless it determines a parameter: then
    // both hold. With more initial equations than parameters to be found some stand instead; which ones, the
    // others decide.
    void add_steady_conditions() {
        std::vector<bool> has_own(model_.variables.size());
        std::size_t own = 0;
        for (EquationIndex e(0); e.value < written_initial_; ++e.value) {
            if (gives_way(e)) continue;
            ++own;
            for (Expr side : {model_.initial_equations[e].left, model_.initial_equations[e].right})
                if (side->op == Op::Variable) has_own[side->index] = true;
        }
        const bool all = own <= free_.size();
        std::vector<std::pair<VariableIndex, Expr>> later;
        const auto add_condition = [&](VariableIndex x, Expr rate) {
            add_row({rate, a_.pool().number(0), model_.variables[x].origin}, StartRank::Instead);
        };
        const auto add = [&](VariableIndex x, Expr rate) {
            if (has_own[x.value] && !all) {
                if (!free_.empty()) later.emplace_back(x, rate);
                return;
            }
            steady_of_.emplace(std::uint32_t(system_.rows.size()), x);
            add_condition(x, rate);
        };
        for (VariableIndex x : a_.partition.states)
            if (!hidden_[x.value]) add(x, a_.pool().variable(x, 1));
        for (const StateSelection& s : a_.partition.selections) {
            if (s.equations.size() < 2 || s.selectors.empty()) continue;
            // s' = Σ selector·candidate'
            const Expr slopes = model_.equations[s.equations[1]].right;
            for (std::size_t j = 0; j < s.candidates.size(); ++j)
                add(s.candidates[j], differentiate(a_.pool(), slopes, a_.pool().variable(s.selectors[0][j])));
        }
        for (const auto& [x, rate] : later) add_condition(x, rate);
    }

    // Initial values of variables that are no states: conditions for states of which nothing is said, else
    // guesses. A message says that an --init is only a guess.
    void add_guesses() {
        const auto add = [&](VariableIndex v, Expr value) {
            const Start& start = *model_.variables[v].start;
            if (start.from_user) guess_of_.emplace(std::uint32_t(system_.rows.size()), v);
            add_row({value, start.value, start.origin}, StartRank::Guess);
        };
        const auto given = [&](VariableIndex v) {
            return is_given(v) && model_.variables[v].variability == Variability::Continuous;
        };
        for (VariableIndex v(0); v < model_.variables.end_index(); ++v.value)
            if (given(v) && a_.is_unknown(v) && !is_tied_[v.value]) add(v, a_.pool().variable(v));
        for (const Eliminated& e : a_.partition.eliminated)
            if (given(e.variable) && !is_signed_variable(e.value)) add(e.variable, e.value);
    }
    // ±w: the initial value has gone over to w.
    static bool is_signed_variable(Expr e) {
        if (e->op == Op::Multiply && e->argument_count == 2 && e->arg(0)->is_number(-1)) e = e->arg(1);
        return e->op == Op::Variable;
    }

    // ---- too many, too few

    bool is_left_out(std::uint32_t r) const {
        return system_.matching.variable_of_equation[r] == graph::unmatched;
    }
    bool is_start(std::uint32_t r) const {
        return StartRank(ranks_[r]) >= StartRank::UserStart && StartRank(ranks_[r]) <= StartRank::Default;
    }
    StartRank rank_of_start(VariableIndex x) {
        if (model_.variables[x].start->from_user) return StartRank::UserStart;
        if (model_.variables[x].start->by_default && has_constraints()) return StartRank::Default;
        if (is_independent(x)) return StartRank::Start;
        const bool rate = x.value < a_.derivative_order.size() && a_.derivative_order[x.value] > 0;
        return rate ? StartRank::TiedRate : StartRank::Tied;
    }

    bool has_constraints() const { return !dependent_.empty() || !a_.partition.selections.empty(); }

    // Initial equations that do not fit, and initial values of independent states that they leave no room
    // for.
    bool explain_conflicts() {
        bool conflict = false;
        for (std::uint32_t r = 0; r < system_.rows.size() && !conflict; ++r) {
            if (!is_left_out(r)) continue;
            if (StartRank(ranks_[r]) <= StartRank::Initial) conflict = true;
            if (!is_start(r) || written_initial_ == 0 || a_.options.initial != InitialMode::Given) continue;
            const auto set = graph::minimal_overdetermined_set(system_.incidence, system_.matching, r);
            bool written = false, independent = true;
            for (std::uint32_t other : set.equations) {
                written = written || StartRank(ranks_[other]) == StartRank::Initial;
                if (is_start(other))
                    independent = independent && is_independent(system_.rows[other].left->variable());
            }
            conflict = written && independent;
        }
        if (conflict) explain();
        return conflict;
    }
    bool is_independent(VariableIndex x) {
        if (independent_.empty()) {
            independent_.assign(model_.variables.size(), false);
            for (VariableIndex s : a_.partition.states) independent_[s.value] = !hidden_[s.value];
        }
        return independent_[x.value];
    }

    bool explain_missing() {
        std::vector<VariableIndex> open;
        for (std::uint32_t c = 0; c < system_.columns.size(); ++c)
            if (system_.matching.equation_of_variable[c] == graph::unmatched)
                open.push_back(system_.columns[c]->variable());
        if (open.empty()) return false;
        // What is not determined may be another unknown that stands together with the parameter.
        const auto parts = graph::dulmage_mendelsohn(system_.incidence, system_.matching);
        std::vector<VariableIndex> parameters;
        for (std::uint32_t c = 0; c < system_.columns.size(); ++c)
            if (const VariableIndex v = system_.columns[c]->variable();
                parts.part_of_variable[c] == graph::Part::Under && model_.variables[v].free_parameter)
                parameters.push_back(v);
        diagnostics_.report(start_not_determined(a_, parameters.empty() ? open : parameters, open.size()));
        return true;
    }

    graph::Matching matching_of(const std::vector<bool>& holds) const {
        graph::Matching from(system_.rows.size(), system_.columns.size());
        for (std::uint32_t r = 0; r < holds.size(); ++r)
            if (holds[r] && !is_left_out(r)) from.match(r, system_.matching.variable_of_equation[r]);
        // Rows that do not hold are no rows.
        graph::BipartiteBuilder builder(system_.columns.size());
        for (std::uint32_t r = 0; r < holds.size(); ++r)
            builder.add_equation(holds[r] ? system_.incidence.row(r) : std::span<const std::uint32_t>());
        return graph::maximum_matching(std::move(builder).finish(), from);
    }

    // What others made superfluous is looked at when the initial values are known.
    void list_checks(const std::vector<bool>& holds) {
        const InitialMode mode = a_.options.initial;
        std::vector<VariableIndex> not_steady;
        for (std::uint32_t r = 0; r < holds.size(); ++r) {
            const Row& row = system_.rows[r];
            StartCheck check;
            if (is_start(r) && mode == InitialMode::Steady) {
                if (holds[r]) not_steady.push_back(row.left->variable());
                continue;
            }
            if (is_start(r)) {
                if (holds[r] || mode == InitialMode::Jump || StartRank(ranks_[r]) == StartRank::Default)
                    continue;
                check.variable = row.left->variable();
                check.from_user = model_.variables[check.variable].start->from_user;
            } else if (const auto steady = steady_of_.find(r); steady != steady_of_.end()) {
                if (holds[r]) continue;
                check.kind = StartCheck::Kind::Steady;
                check.variable = steady->second;
            } else if (const auto guess = guess_of_.find(r); guess != guess_of_.end()) {
                if (holds[r]) continue;
                check.kind = StartCheck::Kind::Guess;
                check.variable = guess->second;
                check.from_user = true;
            } else {
                continue;
            }
            check.value = check.kind == StartCheck::Kind::Steady ? row.left : row.right;
            check.origin = model_.initial_equations[row.equation].origin;
            for (std::uint32_t c : system_.incidence.row(r)) {
                const std::uint32_t other = system_.matching.equation_of_variable[c];
                if (other != graph::unmatched && !system_.rows[other].from_initial && !check.instead)
                    check.instead = system_.rows[other].equation;
            }
            a_.partition.start_checks.push_back(std::move(check));
        }
        if (mode == InitialMode::Jump)
            for (VariableIndex x(0); x.value < a_.starts_before.size(); ++x.value)
                if (const auto& start = a_.starts_before[x.value]; start && a_.differentiated_before[x.value])
                    a_.partition.start_checks.push_back({StartCheck::Kind::Jump, x, start->value,
                                                         start->origin, start->from_user, std::nullopt});
        if (!not_steady.empty()) diagnostics_.report(steady_leaves_open(a_, not_steady));
    }

    // ---- the blocks

    void sort(const std::vector<bool>& holds, Columns& columns) {
        System system;
        system.columns = system_.columns;
        std::vector<std::uint32_t> partner;
        for (std::size_t r = 0; r < holds.size(); ++r) {
            if (!holds[r]) continue;
            system.rows.push_back(system_.rows[r]);
            partner.push_back(system_.matching.variable_of_equation[r]);
            const Expr left = system_.rows[r].left;
            if (!at_event_ && StartRank(ranks_[r]) == StartRank::Zero && is_tied_[left->index] &&
                !model_.variables[left->variable()].start)
                a_.partition.zero_starts.push_back(left->variable());
        }
        system.incidence = incidence(a_, system, columns);
        system.matching = graph::Matching(system.rows.size(), system.columns.size());
        for (std::uint32_t r = 0; r < partner.size(); ++r) system.matching.match(r, partner[r]);
        CUTSET_ASSERT(system.matching.is_perfect());

        std::vector<LoopReport> loops;
        if (at_event_) {
            a_.partition.jump_blocks = sort_blocks(a_, system, true, loops, diagnostics_);
            sorted_ = true;
            return;
        }
        a_.partition.initial_blocks = sort_blocks(a_, system, true, loops, diagnostics_);
        // Loops that occur in the same form at all times are reported once.
        auto known = [&](const LoopReport& loop) {
            return std::any_of(a_.partition.loops.begin(), a_.partition.loops.end(),
                               [&](const LoopReport& other) { return other.variables == loop.variables; });
        };
        const std::size_t continuous = a_.partition.loops.size();
        if (continuous < 1000) std::erase_if(loops, known);
        a_.partition.loops.insert(a_.partition.loops.end(), loops.begin(), loops.end());
        silence_guesses();
        sort_homotopy(system, columns);
    }

    // The same with v = λ·actual + (1 - λ)·simplified for each homotopy, each with a λ of its own.
    void sort_homotopy(System& system, Columns& columns) {
        if (model_.homotopies.empty()) return;
        Pool& pool = a_.pool();
        std::map<EquationIndex, std::size_t> of_equation;
        for (const Homotopy& h : model_.homotopies) {
            Variable lambda;
            lambda.name = fmt::format("homotopy {}", of_equation.size() + 1);
            lambda.internal = true;
            lambda.variability = Variability::Discrete;
            lambda.binding = pool.number(1);
            a_.partition.actual_parts.push_back(a_.add_variable(std::move(lambda)));
            of_equation.emplace(h.equation, of_equation.size());
        }
        for (Row& row : system.rows) {
            const auto h = row.from_initial ? of_equation.end() : of_equation.find(row.equation);
            if (h == of_equation.end()) continue;
            const Expr part = pool.variable(a_.partition.actual_parts[h->second]);
            const Expr simplified = model_.homotopies[h->second].simplified;
            // v = λ·actual + (1 - λ)·simplified; at λ = 0 the actual form need not have a value.
            const Expr mixed = pool.add(pool.multiply(part, row.right),
                                        pool.multiply(pool.subtract(pool.number(1), part), simplified));
            row.right = pool.choose(pool.less_equal(part, pool.number(0)), simplified, mixed);
            row.residual = pool.subtract(row.left, row.right);
        }
        system.incidence = incidence(a_, system, columns);
        std::vector<LoopReport> loops;
        a_.partition.homotopy_blocks = sort_blocks(a_, system, true, loops, diagnostics_);
    }

    // --init of a variable that is iterated is a guess, and used as one.
    void silence_guesses() {
        std::set<VariableIndex> iterated;
        for (const Block& block : a_.partition.initial_blocks)
            if (block.kind == BlockKind::Nonlinear)
                for (const Unknown& u : block.torn) iterated.insert(u.variable);
        std::erase_if(a_.partition.start_checks, [&](const StartCheck& check) {
            return check.kind == StartCheck::Kind::Guess && iterated.count(check.variable);
        });
    }

    void explain() {
        // The same without the rows x = 0; the matching of the others is maximum by itself.
        const auto counts = [&](std::size_t r) { return StartRank(ranks_[r]) <= StartRank::Default; };
        System system;
        system.columns = system_.columns;
        graph::BipartiteBuilder builder(system_.columns.size());
        std::size_t rows = 0;
        for (std::size_t r = 0; r < ranks_.size(); ++r) rows += counts(r);
        system.matching = graph::Matching(rows, system_.columns.size());
        for (std::size_t r = 0; r < system_.rows.size(); ++r) {
            if (!counts(r)) continue;
            const auto row = builder.add_equation(system_.incidence.row(r));
            system.rows.push_back(system_.rows[r]);
            if (system_.matching.variable_of_equation[r] != graph::unmatched)
                system.matching.match(row, system_.matching.variable_of_equation[r]);
        }
        system.incidence = std::move(builder).finish();
        for (const graph::SingularSet& set :
             graph::overdetermined_sets(system.incidence, system.matching, most_initial_reports)) {
            std::vector<StartCondition> conditions;
            std::vector<EquationIndex> equations;
            for (std::uint32_t r : set.equations) {
                const Row& row = system.rows[r];
                if (!row.from_initial) {
                    equations.push_back(row.equation);
                    continue;
                }
                const Equation& e = model_.initial_equations[row.equation];
                const bool start = row.equation.value >= written_initial_;
                conditions.push_back(
                    {start ? a_.text(e.left) + "(0) = " + a_.text(e.right) : "initial " + model_.text(e),
                     e.origin});
            }
            std::vector<VariableIndex> open;
            for (std::uint32_t c = 0; c < system_.columns.size(); ++c)
                if (const VariableIndex v = system_.columns[c]->variable();
                    system_.matching.equation_of_variable[c] == graph::unmatched &&
                    model_.variables[v].free_parameter)
                    open.push_back(v);
            diagnostics_.report(too_many_start_conditions(a_, conditions, equations, open));
        }
    }

    Analysis& a_;
    FlatModel& model_;
    Diagnostics& diagnostics_;
    std::size_t written_initial_;
    bool at_event_ = false, sorted_ = false;
    std::set<std::uint32_t> conditions_;    // ids of left - right
    std::map<std::uint32_t, Expr> values_;  // by the id of the variable

    std::vector<VariableIndex> states_;     // and candidates for states
    std::vector<VariableIndex> dependent_;  // differentiated variables that constraints determine
    std::vector<VariableIndex> free_;       // parameters to be found
    std::vector<bool> is_tied_;             // by variable: in states_ or dependent_
    std::vector<bool> hidden_;              // by variable: stands for a candidate during the run
    std::vector<bool> independent_;         // by variable: a state of its own
    System system_;
    std::vector<std::uint8_t> ranks_;                   // by row: StartRank
    std::map<std::uint32_t, VariableIndex> steady_of_;  // by row x' = 0
    std::map<std::uint32_t, VariableIndex> guess_of_;   // by row of --init
};

}  // namespace

void partition_initial(Analysis& a, Diagnostics& diagnostics) {
    InitialPartition(a, diagnostics).run();
    if (a.partition.jump_causes.empty() || diagnostics.has_errors()) return;
    if (!InitialPartition(a, diagnostics).run_event())
        diagnostics.report(jump_not_determined(a, a.partition.jump_causes));
}

}  // namespace cutset::passes

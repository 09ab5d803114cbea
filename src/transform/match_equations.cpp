#include "transform/match_equations.h"

#include <algorithm>
#include <map>
#include <set>

#include "graph/dulmage_mendelsohn.h"
#include "transform/messages.h"
#include "transform/rewrite.h"
#include "transform/structural_index.h"

namespace cutset::passes {
namespace {

constexpr std::size_t most_reports = 5;

class Matcher {
  public:
    Matcher(Analysis& a, Diagnostics& diagnostics) : a_(a), model_(a.model()), diagnostics_(diagnostics) {}

    void run() {
        collect_rows();
        drop_unused();

        Columns columns(model_.variables.size());
        System& system = a_.continuous;
        Pool& pool = a_.pool();
        for (VariableIndex v(0); v < model_.variables.end_index(); ++v.value) {
            if (!a_.is_unknown(v)) continue;
            const bool state = a_.differentiated[v.value];
            add_column(system, columns, pool.variable(v, state ? 1 : 0));
            if (state) a_.partition.states.push_back(v);
        }
        if (a_.matched.columns == system.columns &&
            a_.matched.matching.variable_of_equation.size() == system.rows.size()) {
            system.incidence = std::move(a_.matched.incidence);
            system.matching = std::move(a_.matched.matching);
        } else {
            system.incidence = incidence(a_, system, columns);
            system.matching = graph::maximum_matching(system.incidence);
        }
        a_.matched = {};
        set_index(system);
        if (!system.matching.is_perfect()) explain_singular();
        check_reinits(columns);
        check_named_derivatives();
        check_preferred(columns);
    }

  private:
    // Index reduction has set it, where there was any; equal states were differentiated while they were
    // united.
    void set_index(const System& system) {
        if (!a_.partition.differentiated.empty()) return;
        a_.partition.index =
            a_.partition.states.size() == system.columns.size() && !system.columns.empty() ? 0 : 1;
        const auto is_united = [&](const Eliminated& e) {
            return e.variable.value < a_.differentiated_before.size() &&
                   a_.differentiated_before[e.variable.value];
        };
        if (std::any_of(a_.partition.eliminated.begin(), a_.partition.eliminated.end(), is_united))
            a_.partition.index = structural_index(a_, [](EquationIndex) {
                                     return std::nullopt;
                                 }).value_or(std::uint32_t(a_.partition.index));
    }

    void collect_rows() {
        a_.differentiated.assign(model_.variables.size(), false);
        used_.assign(model_.variables.size(), false);
        auto& rows = a_.continuous.rows;
        rows = std::move(a_.matched.rows);
        if (rows.empty())
            for (EquationIndex i(0); i < model_.equations.end_index(); ++i.value)
                if (a_.live[i.value]) rows.push_back(make_row(a_, model_.equations[i], i, false));
        for (const Row& row : rows) {
            const auto leaves = row.residual ? a_.leaves({row.residual}) : a_.leaves({row.left, row.right});
            for (Expr leaf : leaves) {
                used_[leaf->index] = true;
                if (leaf->order > 0) a_.differentiated[leaf->index] = true;
            }
        }
    }

    // States, and variables that may be chosen as states.
    void check_reinits(const Columns& columns) {
        for (const WhenClause& when : model_.whens)
            for (const WhenAction& action : when.actions) {
                const auto* reinit = std::get_if<WhenReinit>(&action);
                if (!reinit || can_be_set(reinit->target)) continue;
                std::optional<EquationIndex> by;
                if (a_.is_unknown(reinit->target))
                    if (const std::uint32_t c = columns.of(a_.pool().variable(reinit->target));
                        c != no_column)
                        if (const std::uint32_t r = a_.continuous.matching.equation_of_variable[c];
                            r != graph::unmatched)
                            by = a_.continuous.rows[r].equation;
                if (by && a_.written[by->value].left == nullptr) by.reset();
                diagnostics_.report(reinit_of_other(a_, *reinit, by));
            }
    }

    // An initial value, an initial equation or a condition may name a derivative that has vanished from the
    // equations.
    void check_named_derivatives() {
        std::vector<bool> told(model_.variables.size());
        const auto check = [&](Expr e) {
            for (Expr leaf : a_.leaves({e}, true)) {
                if (leaf->order == 0 || told[leaf->index] || !a_.continuous_variable[leaf->index]) continue;
                if (a_.is_unknown(leaf->variable()) && a_.differentiated[leaf->index]) continue;
                told[leaf->index] = true;
                diagnostics_.report(derivative_not_in_equations(a_, leaf));
            }
        };
        for_each_expression(
            model_, [](EquationIndex) { return false; }, check);
        for (const std::optional<Start>& start : a_.starts_before)
            if (start) check(start->value);
    }

    // `state z` that cannot be honoured is reported, with the equation that determines z otherwise.
    void check_preferred(const Columns& columns) {
        for (VariableIndex v(0); v < model_.variables.end_index(); ++v.value) {
            const StateSelect select = model_.variables[v].state_select;
            if (select == StateSelect::Never && a_.is_unknown(v) && can_be_set(v))
                diagnostics_.report(state_all_the_same(a_, v));
            if (select == StateSelect::Always && can_be_set(v) && !a_.differentiated[v.value])
                diagnostics_.report(state_at_times(a_, v));
            if (select < StateSelect::Prefer || can_be_set(v)) continue;
            VariableIndex kept = v;
            std::optional<Expr> value;
            for (const Eliminated& e : a_.partition.eliminated)
                if (e.variable == v) {
                    value = e.value;
                    const auto leaves = a_.leaves({e.value});
                    if (e.alias && leaves.size() == 1) kept = leaves[0]->variable();
                }
            if (kept != v && can_be_set(kept)) continue;
            std::optional<EquationIndex> by;
            if (a_.is_unknown(kept))
                if (const std::uint32_t c = columns.of(a_.pool().variable(kept)); c != no_column)
                    if (const std::uint32_t r = a_.continuous.matching.equation_of_variable[c];
                        r != graph::unmatched)
                        by = a_.continuous.rows[r].equation;
            diagnostics_.report(state_not_possible(a_, v, value, by));
        }
    }

    bool can_be_set(VariableIndex v) const {
        if (a_.differentiated[v.value]) return true;
        for (const StateSelection& s : a_.partition.selections)
            if (std::find(s.candidates.begin(), s.candidates.end(), v) != s.candidates.end()) return true;
        return false;
    }

    void drop_unused() {
        for_each_expression(
            model_, [&](EquationIndex e) { return bool(a_.live[e.value]); },
            [&](Expr e) {
                for (Expr leaf : a_.leaves({e}, true)) used_[leaf->index] = true;
            });
        for (const Eliminated& e : a_.partition.eliminated)
            for (Expr leaf : a_.leaves({e.value})) used_[leaf->index] = true;
        std::vector<bool> written(model_.variables.size());
        for (const Equation& e : a_.written)
            if (e.kind == EquationKind::Written)
                for (Expr leaf : a_.leaves({e.left, e.right})) written[leaf->index] = true;

        using Place = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::string>;
        std::map<Place, std::vector<VariableIndex>> unused;
        for (VariableIndex v(0); v < model_.variables.end_index(); ++v.value) {
            if (!a_.is_unknown(v) || used_[v.value]) continue;
            const Variable& variable = model_.variables[v];
            if (const auto superfluous = superfluous_with(v); !superfluous.empty()) {
                diagnostics_.report(too_few_equations(a_, superfluous, {v}, 0));
                a_.gone[v.value] = true;
                continue;
            }
            a_.gone[v.value] = true;
            Expr value = a_.pool().number(0);
            if (variable.start && a_.variation_of(variable.start->value) <= Variation::Parametric)
                value = variable.start->value;
            a_.partition.eliminated.push_back({v, value, true, variable.origin, true});
            // A variable that a superfluous equation or a zero parameter made useless was used by the
            // modeller.
            if (written[v.value]) continue;
            const Span where = variable.origin.where;
            unused[{where.source.value, where.begin, where.end, where.known() ? "" : variable.name}]
                .push_back(v);
        }
        for (const auto& [place, variables] : unused) diagnostics_.report(unused_variables(a_, variables));
    }

    // Superfluous equations, `x = x` for example, that are all that is said about v.
    std::vector<EquationIndex> superfluous_with(VariableIndex v) {
        std::vector<EquationIndex> found;
        for (EquationIndex e : a_.partition.dependent_removed)
            for (Expr leaf : a_.leaves({a_.written[e.value].left, a_.written[e.value].right}))
                if (leaf->variable() == v) found.push_back(e);
        return found;
    }

    // ---- too many, too few

    // By values and derivatives alike; where that does not show it, by what has to be computed.
    void explain_singular() {
        System system;
        system.rows = a_.continuous.rows;
        Columns columns(model_.variables.size());
        for (Expr leaf : a_.continuous.columns) {
            const auto column = std::uint32_t(system.columns.size());
            system.columns.push_back(leaf);
            columns.set(a_.pool().variable(leaf->variable()), column);
            columns.set(a_.pool().variable(leaf->variable(), 1), column);
        }
        system.incidence = incidence(a_, system, columns);
        system.matching = graph::maximum_matching(system.incidence);
        if (system.matching.is_perfect()) {
            system.incidence = a_.continuous.incidence;
            system.matching = a_.continuous.matching;
        }
        for (const graph::SingularSet& set :
             graph::overdetermined_sets(system.incidence, system.matching, most_reports)) {
            const std::vector<EquationIndex> involved = equations(system, set);
            const auto cause = too_full(a_, involved);
            if (!cause || cause->value == 0)
                diagnostics_.report(too_many_equations(a_, involved, variables(system, set)));
            else if (is_first_of_type(*cause))
                diagnostics_.report(submodel_too_full(a_, *cause));
        }
        explain_too_few(system);
    }
    // What is wrong with a model type is reported once, not for each submodel.
    bool is_first_of_type(InstanceIndex i) { return told_.insert(model_.instances[i].type).second; }

    void explain_too_few(const System& system) {
        const auto sets = graph::underdetermined_sets(system.incidence, system.matching, most_reports);
        if (sets.empty()) return;
        std::vector<bool> undetermined(model_.variables.size());
        const auto parts = graph::dulmage_mendelsohn(system.incidence, system.matching);
        for (std::size_t c = 0; c < system.columns.size(); ++c)
            if (parts.part_of_variable[c] == graph::Part::Under)
                undetermined[system.columns[c]->index] = true;
        for (const Eliminated& e : a_.partition.eliminated)
            for (Expr leaf : a_.leaves({e.value}))
                if (undetermined[leaf->index]) undetermined[e.variable.value] = true;

        const std::size_t missing =
            std::size_t(std::count(system.matching.equation_of_variable.begin(),
                                   system.matching.equation_of_variable.end(), graph::unmatched));
        std::size_t floating = 0;
        for (const Dependency& d : a_.dependencies) {
            const auto submodels = floating_part(d, undetermined);
            if (submodels.empty()) continue;
            ++floating;
            if (floating <= most_reports) diagnostics_.report(no_reference_node(a_, d, submodels));
        }
        if (floating >= missing) return;
        for (std::size_t i = 0; i < sets.size() && i < missing - floating; ++i) {
            if (const auto cause = too_empty(a_, variables(system, sets[i])); cause && cause->value != 0) {
                if (is_first_of_type(*cause)) diagnostics_.report(submodel_too_empty(a_, *cause));
                continue;
            }
            const graph::SingularSet core = without_consequences(system, sets[i]);
            diagnostics_.report(too_few_equations(a_, equations(system, core), variables(system, core),
                                                  sets[i].variables.size() - core.variables.size()));
        }
    }

    // A variable that is only defined, by `v = e` or `v' = e`, and used nowhere else in the set is not the
    // one that lacks an equation: it goes with its equation, again until nothing is left to take away.
    graph::SingularSet without_consequences(const System& system, const graph::SingularSet& set) {
        constexpr std::uint32_t absent = 0xFFFFFFFFu;
        std::vector<std::uint32_t> uses(system.columns.size(), absent);
        std::vector<std::vector<std::uint32_t>> equations_of(system.columns.size());
        for (std::uint32_t v : set.variables) uses[v] = 0;
        for (std::uint32_t e : set.equations)
            for (std::uint32_t v : system.incidence.row(e)) {
                if (uses[v] != absent) ++uses[v];
                equations_of[v].push_back(e);
            }
        const auto defined = [&](std::uint32_t e) -> std::optional<std::uint32_t> {
            const Row& row = system.rows[e];
            for (std::uint32_t v : system.incidence.row(e)) {
                const auto is_it = [&](Expr side) {
                    return side->op == Op::Variable && side->variable() == system.columns[v]->variable();
                };
                if (uses[v] == 1 && (is_it(row.left) || is_it(row.right))) return v;
            }
            return std::nullopt;
        };
        std::vector<bool> taken(system.rows.size());
        std::vector<std::uint32_t> todo(set.equations.rbegin(), set.equations.rend());
        while (!todo.empty()) {
            const std::uint32_t e = todo.back();
            todo.pop_back();
            if (taken[e]) continue;
            const auto v = defined(e);
            if (!v) continue;
            taken[e] = true;
            uses[*v] = absent;
            for (std::uint32_t w : system.incidence.row(e))
                if (uses[w] != absent && --uses[w] == 1)
                    todo.insert(todo.end(), equations_of[w].begin(), equations_of[w].end());
        }
        graph::SingularSet core;
        for (std::uint32_t e : set.equations)
            if (!taken[e]) core.equations.push_back(e);
        for (std::uint32_t v : set.variables)
            if (uses[v] != absent) core.variables.push_back(v);
        return core;
    }

    // The sums at nodes that follow from one another, if they belong to submodels whose across variables are
    // undetermined.
    std::vector<InstanceIndex> floating_part(const Dependency& d, const std::vector<bool>& undetermined) {
        std::vector<EquationIndex> all = d.with;
        all.push_back(d.removed);
        std::vector<InstanceIndex> submodels;
        bool sums = false;
        for (EquationIndex e : all) {
            if (a_.written[e.value].kind != EquationKind::Through) continue;
            sums = true;
            for (Expr leaf : a_.leaves({a_.written[e.value].left, a_.written[e.value].right}))
                submodels.push_back(model_.variables[leaf->variable()].origin.instance);
        }
        if (!sums) return {};
        std::sort(submodels.begin(), submodels.end());
        submodels.erase(std::unique(submodels.begin(), submodels.end()), submodels.end());
        for (const Equation& e : a_.written) {
            if (e.kind != EquationKind::Across) continue;
            for (Expr leaf : a_.leaves({e.left, e.right}))
                if (undetermined[leaf->index] &&
                    std::binary_search(submodels.begin(), submodels.end(),
                                       model_.variables[leaf->variable()].origin.instance))
                    return submodels;
        }
        return {};
    }

    std::vector<EquationIndex> equations(const System& system, const graph::SingularSet& set) const {
        std::vector<EquationIndex> result;
        for (std::uint32_t r : set.equations) result.push_back(system.rows[r].equation);
        return result;
    }
    std::vector<VariableIndex> variables(const System& system, const graph::SingularSet& set) const {
        std::vector<VariableIndex> result;
        for (std::uint32_t c : set.variables) result.push_back(system.columns[c]->variable());
        return result;
    }

    Analysis& a_;
    FlatModel& model_;
    Diagnostics& diagnostics_;
    std::set<std::string> told_;  // model types
    std::vector<bool> used_;      // in an equation, a condition, an initial value or a value
};

}  // namespace

void match_equations(Analysis& a, Diagnostics& diagnostics) {
    Matcher(a, diagnostics).run();
}

}  // namespace cutset::passes

#include "transform/partition_initial.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "graph/dulmage_mendelsohn.h"
#include "transform/messages.h"
#include "transform/sort_blocks.h"

namespace cutset::passes {
namespace {

constexpr std::size_t most_reports = 5;

class InitialPartition {
  public:
    InitialPartition(Analysis& a, Diagnostics& diagnostics)
        : a_(a),
          model_(a.model()),
          diagnostics_(diagnostics),
          written_initial_(model_.initial_equations.size()) {}

    void run() {
        bool simple =
            written_initial_ == 0 && a_.partition.selections.empty() && a_.partition.dependent.empty();
        for (VariableIndex x : a_.partition.states) {
            const auto& start = model_.variables[x].start;
            if (start && a_.variation_of(start->value) > Variation::Parametric) simple = false;
        }
        if (simple)
            assign_states();
        else
            solve_together();
    }

  private:
    // x = start, or x = 0.
    EquationIndex add_start(VariableIndex x) {
        const Variable& v = model_.variables[x];
        Equation e{a_.pool().variable(x), a_.pool().number(0), v.origin};
        if (v.start) {
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
        const auto number = is_unknown(x) && a_.variation_of(value) <= Variation::Parametric
                                ? a_.value_of(value)
                                : std::nullopt;
        if (!number) return !conditions_.insert(a_.pool().subtract(e.left, e.right)->id).second;
        const auto [known, added] = values_.emplace(x->id, *number);
        return !added && known->second == *number;
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
    }

    // Wish: the start of a variable that constraints determine; it holds if nothing else decides.
    enum Class : std::uint8_t { Continuous, Initial, Start, Wish, Zero };

    // The equations that serve the choice of states during the run say nothing about the start.
    std::vector<bool> selection_equations() const {
        std::vector<bool> found(model_.equations.size());
        for (const StateSelection& s : a_.partition.selections)
            for (EquationIndex e : s.equations) found[e.value] = true;
        return found;
    }

    void solve_together() {
        System system;
        Columns columns(model_.variables.size());
        const auto is_shown = [&](VariableIndex v) { return !model_.variables[v].internal; };
        std::vector<VariableIndex> states;  // those of the start: here all candidates count
        for (VariableIndex x : a_.partition.states)
            if (is_shown(x)) states.push_back(x);
        for (const StateSelection& s : a_.partition.selections)
            states.insert(states.end(), s.candidates.begin(), s.candidates.end());
        for (Expr leaf : a_.continuous.columns)
            if (is_shown(leaf->variable())) add_column(system, columns, leaf);
        for (VariableIndex x : states) add_column(system, columns, a_.pool().variable(x));

        std::vector<std::uint8_t> classes;
        const std::vector<bool> serves_selection = selection_equations();
        std::vector<std::pair<std::uint32_t, Expr>> matched;  // what the continuous system has matched
        for (std::uint32_t r = 0; r < a_.continuous.rows.size(); ++r) {
            const Row& row = a_.continuous.rows[r];
            if (serves_selection[row.equation.value]) continue;
            const Expr leaf = a_.continuous.columns[a_.continuous.matching.variable_of_equation[r]];
            if (is_shown(leaf->variable())) matched.emplace_back(std::uint32_t(system.rows.size()), leaf);
            system.rows.push_back(row);
            classes.push_back(Continuous);
        }
        const auto add_row = [&](EquationIndex e, Class c) {
            if (c != Zero && is_repeated(model_.initial_equations[e])) return;
            system.rows.push_back(make_row(a_, model_.initial_equations[e], e, true));
            classes.push_back(c);
        };
        for (EquationIndex e(0); e.value < written_initial_; ++e.value) add_row(e, Initial);
        for (VariableIndex x : states)
            if (model_.variables[x].start) add_row(add_start(x), Start);
        for (VariableIndex x : a_.partition.dependent)
            if (model_.variables[x].start) add_row(add_start(x), Wish);
        for (VariableIndex x : states)
            if (!model_.variables[x].start) add_row(add_start(x), Zero);

        // Rows have an order of preference, so the matching is made from the side of the unknowns. What the
        // continuous system has matched stays matched.
        system.incidence = incidence(a_, system, columns);
        graph::Matching from(system.rows.size(), system.columns.size());
        for (const auto& [row, leaf] : matched) from.match(row, columns.of(leaf));
        system.matching =
            graph::maximum_matching_by_preference(system.incidence.transpose(), classes, from.transpose())
                .transpose();

        const auto is_left_out = [&](std::size_t r) {
            return system.matching.variable_of_equation[r] == graph::unmatched;
        };
        bool conflict = false;
        for (std::size_t r = 0; r < system.rows.size(); ++r)
            conflict = conflict || (is_left_out(r) && (classes[r] == Continuous || classes[r] == Initial ||
                                                       (classes[r] == Start && !has_choice(system.rows[r]))));
        if (conflict) {
            explain(system, classes);
            return;
        }
        sort(system, classes, columns);
    }

    // The start of a candidate may give way to that of another.
    bool has_choice(const Row& start) const {
        const auto& selections = a_.partition.selections;
        return std::any_of(selections.begin(), selections.end(), [&](const StateSelection& s) {
            return std::find(s.candidates.begin(), s.candidates.end(), start.left->variable()) !=
                   s.candidates.end();
        });
    }

    void sort(const System& all, const std::vector<std::uint8_t>& classes, const Columns& columns) {
        System system;
        system.columns = all.columns;
        std::vector<std::uint32_t> partner;
        for (std::size_t r = 0; r < all.rows.size(); ++r) {
            const std::uint32_t column = all.matching.variable_of_equation[r];
            if (column == graph::unmatched) continue;
            system.rows.push_back(all.rows[r]);
            partner.push_back(column);
            if (classes[r] == Zero) a_.partition.zero_starts.push_back(all.rows[r].left->variable());
        }
        system.incidence = incidence(a_, system, columns);
        system.matching = graph::Matching(system.rows.size(), system.columns.size());
        for (std::uint32_t r = 0; r < partner.size(); ++r) system.matching.match(r, partner[r]);
        CUTSET_ASSERT(system.matching.is_perfect());

        std::vector<LoopReport> loops;
        a_.partition.initial_blocks = sort_blocks(a_, system, true, loops, diagnostics_);
        // Loops that occur in the same form at all times are reported once.
        auto known = [&](const LoopReport& loop) {
            return std::any_of(a_.partition.loops.begin(), a_.partition.loops.end(),
                               [&](const LoopReport& other) { return other.variables == loop.variables; });
        };
        const std::size_t continuous = a_.partition.loops.size();
        if (continuous < 1000) std::erase_if(loops, known);
        a_.partition.loops.insert(a_.partition.loops.end(), loops.begin(), loops.end());
    }

    void explain(const System& all, const std::vector<std::uint8_t>& classes) {
        // The same without the rows x = 0; the matching of the others is maximum by itself.
        System system;
        system.columns = all.columns;
        graph::BipartiteBuilder builder(all.columns.size());
        system.matching = graph::Matching(std::size_t(std::count_if(classes.begin(), classes.end(),
                                                                    [](std::uint8_t c) { return c < Wish; })),
                                          all.columns.size());
        for (std::size_t r = 0; r < all.rows.size(); ++r) {
            if (classes[r] >= Wish) continue;
            const auto row = builder.add_equation(all.incidence.row(r));
            system.rows.push_back(all.rows[r]);
            if (all.matching.variable_of_equation[r] != graph::unmatched)
                system.matching.match(row, all.matching.variable_of_equation[r]);
        }
        system.incidence = std::move(builder).finish();
        for (const graph::SingularSet& set :
             graph::overdetermined_sets(system.incidence, system.matching, most_reports)) {
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
            diagnostics_.report(too_many_start_conditions(a_, conditions, equations));
        }
    }

    Analysis& a_;
    FlatModel& model_;
    Diagnostics& diagnostics_;
    std::size_t written_initial_;
    std::set<std::uint32_t> conditions_;      // ids of left - right
    std::map<std::uint32_t, double> values_;  // by the id of the variable
};

}  // namespace

void partition_initial(Analysis& a, Diagnostics& diagnostics) {
    InitialPartition(a, diagnostics).run();
}

}  // namespace cutset::passes

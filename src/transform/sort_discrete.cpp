#include "transform/sort_discrete.h"

#include <algorithm>
#include <cmath>

#include "graph/strong_components.h"
#include "ir/discrete_equations.h"
#include "transform/messages.h"

namespace cutset::passes {
namespace {

// Of an equation: the value that it gives to v; nothing when it has no such form. Whole numbers and truth
// values are not divided.
std::optional<Expr> value_for(Analysis& a, const Equation& e, VariableIndex v) {
    Pool& pool = a.pool();
    const Expr leaf = pool.variable(v);
    for (const auto& [side, other] : {std::pair(e.left, e.right), std::pair(e.right, e.left)})
        if (side == leaf) return contains(other, leaf) ? std::nullopt : std::optional(other);
    const auto linear = as_linear(pool, pool.subtract(e.left, e.right), leaf);
    if (!linear || !linear->coefficient->is_number() || std::abs(linear->coefficient->number) != 1)
        return std::nullopt;
    return linear->coefficient->number > 0 ? pool.negate(linear->rest) : linear->rest;
}

class DiscreteSorter {
  public:
    DiscreteSorter(Analysis& a, Diagnostics& diagnostics)
        : a_(a), model_(a.model()), equations_(a.model().discrete_equations), diagnostics_(diagnostics) {}

    void run() {
        number_unknowns();
        find_incidence();
        const graph::Matching matching = graph::maximum_matching(solvable_);
        if (!matching.is_perfect()) return explain(matching);
        const graph::Components components = graph::strong_components(incidence_, matching);
        for (std::size_t i = 0; i < components.size(); ++i) {
            if (components[i].size() > 1) {
                report_circle(components[i], matching);
                continue;
            }
            const std::uint32_t e = components[i][0];
            const VariableIndex v = unknowns_[matching.variable_of_equation[e]];
            a_.partition.discrete.push_back({v, *value_for(a_, equations_[e], v), equations_[e].origin});
        }
    }

  private:
    void number_unknowns() {
        column_.assign(model_.variables.size(), no_column);
        for (VariableIndex v{0}; v < model_.variables.end_index(); ++v.value)
            if (model_.variables[v].by_equation) {
                column_[v.value] = static_cast<std::uint32_t>(unknowns_.size());
                unknowns_.push_back(v);
            }
    }

    void find_incidence() {
        const DiscreteDependencies dependencies(model_);
        graph::BipartiteBuilder all(unknowns_.size()), solvable(unknowns_.size());
        std::vector<std::uint32_t> columns, solvable_columns;
        for (const Equation& e : equations_) {
            columns.clear();
            solvable_columns.clear();
            for (Expr side : {e.left, e.right})
                for (VariableIndex v : dependencies(side)) {
                    columns.push_back(column_[v.value]);
                    if (value_for(a_, e, v)) solvable_columns.push_back(column_[v.value]);
                }
            all.add_equation(columns);
            solvable.add_equation(solvable_columns);
        }
        incidence_ = std::move(all).finish();
        solvable_ = std::move(solvable).finish();
    }

    void explain(const graph::Matching& matching) {
        for (std::uint32_t e = 0; e < equations_.size(); ++e)
            if (matching.variable_of_equation[e] == graph::unmatched) {
                std::vector<const Equation*> others;
                std::vector<VariableIndex> variables;
                for (std::uint32_t c : incidence_.row(e)) {
                    variables.push_back(unknowns_[c]);
                    if (const std::uint32_t other = matching.equation_of_variable[c];
                        other != graph::unmatched)
                        others.push_back(&equations_[other]);
                }
                diagnostics_.report(discrete_too_many(a_, equations_[e], others, variables));
            }
        for (std::uint32_t c = 0; c < unknowns_.size(); ++c)
            if (matching.equation_of_variable[c] == graph::unmatched)
                diagnostics_.report(discrete_too_few(a_, unknowns_[c]));
    }

    void report_circle(std::span<const std::uint32_t> members, const graph::Matching& matching) {
        std::vector<const Equation*> circle;
        std::vector<VariableIndex> variables;
        for (std::uint32_t e : members) {
            circle.push_back(&equations_[e]);
            variables.push_back(unknowns_[matching.variable_of_equation[e]]);
        }
        diagnostics_.report(discrete_circle(a_, circle, variables));
    }

    Analysis& a_;
    FlatModel& model_;
    const std::vector<Equation>& equations_;
    Diagnostics& diagnostics_;
    std::vector<VariableIndex> unknowns_;
    std::vector<std::uint32_t> column_;      // by variable
    graph::Bipartite incidence_, solvable_;  // what occurs; what an equation can be solved for
};

}  // namespace

void sort_discrete(Analysis& a, Diagnostics& diagnostics) {
    if (a.model().discrete_equations.empty()) return;
    DiscreteSorter(a, diagnostics).run();
}

}  // namespace cutset::passes

#include "transform/check_causality.h"

#include <algorithm>

#include "transform/messages.h"

namespace cutset::passes {
namespace {

// Aliases form trees whose edges are equations. If an equation gives variable v of a tree, the others are
// given from v along the edges. In a loop of equations several matchings are possible, so a violation counts
// only when no matching avoids it.
class CausalityCheck {
  public:
    CausalityCheck(Analysis& a, Diagnostics& diagnostics)
        : a_(a), model_(a.model()), diagnostics_(diagnostics) {}

    void run() {
        if (std::none_of(model_.variables.begin(), model_.variables.end(), is_directed)) return;
        number_instances();
        if (decided_as_written()) return;
        build_trees();
        count_violations();
        for (const AliasLink& link : a_.links)
            if (!link.combined && !link.to) check_given(link.variable.value, link.equation);

        const graph::Matching& matching = a_.continuous.matching;
        bool fine = true;
        for (std::size_t r = 0; r < a_.continuous.rows.size() && fine; ++r)
            fine = is_allowed(r, matching.variable_of_equation[r]);
        if (fine) return;
        const graph::Matching better = least_violating();
        for (std::size_t r = 0; r < a_.continuous.rows.size(); ++r) {
            const std::uint32_t column = better.variable_of_equation[r];
            if (is_allowed(r, column)) continue;
            const EquationIndex e = a_.continuous.rows[r].equation;
            check_given(members(e, a_.continuous.columns[column]->index).front(), e);
        }
    }

  private:
    struct Edge {
        std::uint32_t to;
        EquationIndex equation;
    };

    static bool is_directed(const Variable& v) {
        return v.variability == Variability::Continuous &&
               (v.declared == tree::VariableKind::Input || v.declared == tree::VariableKind::Output);
    }

    // Intervals of a depth-first numbering of the tree of instances; children follow their parents in the
    // list.
    void number_instances() {
        const std::size_t n = model_.instances.size();
        std::vector<std::uint32_t> size(n, 1);
        for (std::size_t i = n; i-- > 1;) {
            const std::size_t parent = model_.instances[InstanceIndex(i)].parent.value;
            CUTSET_ASSERT(parent < i);
            size[parent] += size[i];
        }
        first_.assign(n, 0);
        last_.assign(n, 0);
        std::vector<std::uint32_t> next(n, 0);  // the first free number below each instance
        for (std::size_t i = 0; i < n; ++i) {
            if (i > 0) {
                const std::size_t parent = model_.instances[InstanceIndex(i)].parent.value;
                first_[i] = next[parent];
                next[parent] += size[i];
            }
            next[i] = first_[i] + 1;
            last_[i] = first_[i] + size[i];
        }
    }
    bool is_within(InstanceIndex i, InstanceIndex of) const {
        return first_[of.value] <= first_[i.value] && first_[i.value] < last_[of.value];
    }

    // Whether equation e must not give variable v.
    bool violates(EquationIndex e, std::uint32_t v) const {
        const Variable& variable = model_.variables[VariableIndex(v)];
        const Equation& equation = a_.written[e.value];
        if (!is_directed(variable) || equation.kind != EquationKind::Written) return false;
        const bool inside = is_within(equation.origin.instance, variable.origin.instance);
        return inside == (variable.declared == tree::VariableKind::Input);
    }

    void build_trees() {
        const std::size_t n = model_.variables.size();
        edges_.resize(n);
        for (const AliasLink& link : a_.links) {
            if (link.combined || !link.to) continue;
            edges_[link.variable.value].push_back({link.to->value, link.equation});
            edges_[link.to->value].push_back({link.variable.value, link.equation});
        }
        kept_.resize(n);
        for (std::size_t i = 0; i < n; ++i) kept_[i] = std::uint32_t(i);
        for (const Eliminated& e : a_.partition.eliminated) {
            // also with a known term added, as in y - 1 = x
            std::size_t unknowns = 0;
            std::uint32_t kept = 0;
            for (Expr leaf : a_.leaves({e.value}))
                if (model_.variables[leaf->variable()].variability == Variability::Continuous) {
                    ++unknowns;
                    kept = leaf->index;
                }
            if (unknowns == 1) kept_[e.variable.value] = kept;
        }
    }

    // violations_[v]: edges of v's tree that would give the wrong way if v were given first. Moving from v to
    // a neighbour w turns one edge round.
    void count_violations() {
        const std::size_t n = edges_.size();
        violations_.assign(n, 0);
        std::vector<bool> seen(n);
        std::vector<std::pair<std::uint32_t, std::uint32_t>> order;  // variable, its parent
        for (std::uint32_t root = 0; root < n; ++root) {
            if (seen[root] || edges_[root].empty()) continue;
            order.assign(1, {root, root});
            seen[root] = true;
            std::int32_t at_root = 0;
            for (std::size_t i = 0; i < order.size(); ++i)
                for (const Edge& edge : edges_[order[i].first])
                    if (!seen[edge.to]) {
                        seen[edge.to] = true;
                        order.push_back({edge.to, order[i].first});
                        at_root += violates(edge.equation, edge.to);
                        violations_[edge.to] = int(violates(edge.equation, order[i].first)) -
                                               int(violates(edge.equation, edge.to));
                    }
            violations_[root] = at_root;
            for (std::size_t i = 1; i < order.size(); ++i)
                violations_[order[i].first] += violations_[order[i].second];
        }
    }

    // The variables of the equation as written that the unknown now stands for.
    std::vector<std::uint32_t> members(EquationIndex e, std::uint32_t unknown) {
        std::vector<std::uint32_t> result;
        for (Expr leaf : a_.leaves({a_.written[e.value].left, a_.written[e.value].right}))
            if (kept_[leaf->index] == unknown) result.push_back(leaf->index);
        if (result.empty()) result.push_back(unknown);
        return result;
    }
    bool is_allowed(std::size_t row, std::uint32_t column) {
        const EquationIndex e = a_.continuous.rows[row].equation;
        const std::uint32_t unknown = a_.continuous.columns[column]->index;
        if (edges_[unknown].empty()) return !violates(e, unknown);
        for (std::uint32_t v : members(e, unknown))
            if (violations_[v] == 0 && !violates(e, v)) return true;
        return false;
    }

    // The equations as written against all variables: elimination may have used an equation for another of
    // its variables than a person would (u in y = u - v). Not decided when states are equal to one another,
    // so that only elimination makes the system regular.
    bool decided_as_written() {
        std::vector<bool> superfluous(a_.written.size());
        for (EquationIndex e : a_.partition.dependent_removed) superfluous[e.value] = true;
        System system;
        Columns columns(model_.variables.size());
        std::vector<EquationIndex> equations;
        std::vector<std::vector<std::uint32_t>> rows;
        for (std::uint32_t i = 0; i < a_.written.size(); ++i) {
            if (superfluous[i]) continue;
            equations.push_back(EquationIndex(i));
            rows.emplace_back();
            for (Expr leaf : a_.leaves({a_.written[i].left, a_.written[i].right})) {
                if (model_.variables[leaf->variable()].variability != Variability::Continuous) continue;
                if (leaf->order == 0 && a_.differentiated[leaf->index]) continue;
                add_column(system, columns, leaf);
                rows.back().push_back(columns.of(leaf));
            }
        }
        graph::BipartiteBuilder every(system.columns.size()), right(system.columns.size());
        std::vector<std::uint32_t> allowed;
        for (std::size_t r = 0; r < rows.size(); ++r) {
            allowed.clear();
            for (std::uint32_t c : rows[r])
                if (!violates(equations[r], system.columns[c]->index)) allowed.push_back(c);
            every.add_equation(rows[r]);
            right.add_equation(allowed);
        }
        const graph::Matching good = graph::maximum_matching(std::move(right).finish());
        if (good.size == rows.size()) return true;
        const graph::Matching best = graph::maximum_matching(std::move(every).finish(), good);
        if (best.size < rows.size()) return false;
        for (std::size_t r = 0; r < rows.size(); ++r)
            report(system.columns[best.variable_of_equation[r]]->index, equations[r]);
        return true;
    }

    graph::Matching least_violating() {
        const graph::Bipartite& all = a_.continuous.incidence;
        graph::BipartiteBuilder builder(all.variables);
        std::vector<std::uint32_t> row;
        for (std::size_t r = 0; r < all.equations; ++r) {
            row.clear();
            for (std::uint32_t c : all.row(r))
                if (is_allowed(r, c)) row.push_back(c);
            builder.add_equation(row);
        }
        const graph::Bipartite allowed = std::move(builder).finish();
        return graph::maximum_matching(all, graph::maximum_matching(allowed));
    }

    // Reports what goes wrong when e gives v.
    void check_given(std::uint32_t v, EquationIndex e) {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> order{{v, v}};
        report(v, e);
        for (std::size_t i = 0; i < order.size(); ++i)
            for (const Edge& edge : edges_[order[i].first]) {
                if (edge.to == order[i].second) continue;
                order.push_back({edge.to, order[i].first});
                report(edge.to, edge.equation);
            }
    }
    void report(std::uint32_t v, EquationIndex e) {
        if (!violates(e, v)) return;
        const VariableIndex variable(v);
        if (model_.variables[variable].declared == tree::VariableKind::Input)
            diagnostics_.report(input_given_inside(a_, variable, e));
        else
            diagnostics_.report(output_given_outside(a_, variable, e));
    }

    Analysis& a_;
    FlatModel& model_;
    Diagnostics& diagnostics_;
    std::vector<std::uint32_t> first_, last_;  // by instance
    std::vector<std::vector<Edge>> edges_;     // by variable
    std::vector<std::uint32_t> kept_;          // by variable: what stands for it now
    std::vector<std::int32_t> violations_;     // by variable
};

}  // namespace

void check_causality(Analysis& a, Diagnostics& diagnostics) {
    CausalityCheck(a, diagnostics).run();
}

}  // namespace cutset::passes

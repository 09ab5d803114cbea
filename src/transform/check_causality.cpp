#include "transform/check_causality.h"

#include <algorithm>

#include "transform/messages.h"

namespace cutset::passes {
namespace {

class CausalityCheck {
  public:
    CausalityCheck(Analysis& a, Diagnostics& diagnostics)
        : a_(a), model_(a.model()), diagnostics_(diagnostics) {}

    void run() {
        if (std::none_of(model_.variables.begin(), model_.variables.end(), is_directed)) return;
        number_instances();
        collect_rows();
        graph::BipartiteBuilder every(columns_.size()), right(columns_.size());
        std::vector<std::uint32_t> allowed;
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            allowed.clear();
            for (std::uint32_t c : rows_[r])
                if (!violates(equations_[r], columns_[c])) allowed.push_back(c);
            every.add_equation(rows_[r]);
            right.add_equation(allowed);
        }
        const graph::Matching good = graph::maximum_matching(std::move(right).finish());
        if (good.size == rows_.size()) return;
        const graph::Matching best = graph::maximum_matching(std::move(every).finish(), good);
        // Regular only after elimination: then nothing can be said about who gives what.
        if (best.size < rows_.size()) return;
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            const VariableIndex v = columns_[best.variable_of_equation[r]];
            if (!violates(equations_[r], v)) continue;
            if (model_.variables[v].declared == VariableKind::Input)
                diagnostics_.report(input_given_inside(a_, v, equations_[r]));
            else
                diagnostics_.report(output_given_outside(a_, v, equations_[r]));
        }
    }

  private:
    static bool is_directed(const Variable& v) {
        return v.variability == Variability::Continuous &&
               (v.declared == VariableKind::Input || v.declared == VariableKind::Output);
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
    bool violates(EquationIndex e, VariableIndex v) const {
        const Variable& variable = model_.variables[v];
        const Equation& equation = a_.written[e.value];
        if (!is_directed(variable) || equation.kind != EquationKind::Written) return false;
        const bool inside = is_within(equation.origin.instance, variable.origin.instance);
        return inside == (variable.declared == VariableKind::Input);
    }

    // One column for each variable. Of a state only the highest derivative counts; any other variable, also
    // one that stands for a state, may be given in whatever order it occurs. Definitions of der(x) were
    // appended to the given equations and are left out.
    void collect_rows() {
        const std::size_t given = a_.partition.flat_equations;
        std::vector<bool> superfluous(a_.written.size());
        for (EquationIndex e : a_.partition.dependent_removed) superfluous[e.value] = true;
        std::vector<std::uint32_t> highest(model_.variables.size());
        for (std::size_t i = 0; i < given; ++i)
            for (Expr leaf : a_.leaves({a_.written[i].left, a_.written[i].right}))
                highest[leaf->index] = std::max(highest[leaf->index], leaf->order);
        std::vector<std::uint32_t> column_of(model_.variables.size(), no_column);
        for (std::size_t i = 0; i < given; ++i) {
            if (superfluous[i]) continue;
            equations_.push_back(EquationIndex(i));
            rows_.emplace_back();
            for (Expr leaf : a_.leaves({a_.written[i].left, a_.written[i].right})) {
                const VariableIndex v = leaf->variable();
                if (model_.variables[v].variability != Variability::Continuous) continue;
                if (a_.differentiated[v.value] && leaf->order < highest[v.value]) continue;
                std::uint32_t& column = column_of[v.value];
                if (column == no_column) {
                    column = std::uint32_t(columns_.size());
                    columns_.push_back(v);
                }
                rows_.back().push_back(column);
            }
        }
    }

    Analysis& a_;
    FlatModel& model_;
    Diagnostics& diagnostics_;
    std::vector<std::uint32_t> first_, last_;       // by instance
    std::vector<EquationIndex> equations_;          // by row
    std::vector<std::vector<std::uint32_t>> rows_;  // columns of each row
    std::vector<VariableIndex> columns_;
};

}  // namespace

void check_causality(Analysis& a, Diagnostics& diagnostics) {
    CausalityCheck(a, diagnostics).run();
}

}  // namespace cutset::passes

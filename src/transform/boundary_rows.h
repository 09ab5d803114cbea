// The rows among which boundary variables are chosen: the equations of a model after exact elimination,
// without loose ends and inputs; then what is added, one by one. A row that depends on those before it is
// refused, by structure (it cannot be matched) or by rank (its partial derivatives are a combination of
// theirs, modulo a prime).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "base/diagnostic.h"
#include "graph/modular_basis.h"
#include "graph/row_matching.h"
#include "ir/flat_model.h"
#include "transform/analysis.h"
#include "transform/exact_coefficient.h"
#include "transform/system.h"

namespace cutset {

// What the language says about ends that the model leaves open: nothing flows into an unconnected cut, a
// terminal has its default.
inline bool is_loose_end(EquationKind kind) {
    return kind == EquationKind::Unconnected || kind == EquationKind::Default;
}

class BoundaryRows {
  public:
    struct Origin {
        EquationIndex equation;
        std::optional<VariableIndex> known;
    };

    // The model outlives this.
    explicit BoundaryRows(const FlatModel& model);
    BoundaryRows(const BoundaryRows&) = delete;
    BoundaryRows& operator=(const BoundaryRows&) = delete;

    // The equations without loose ends and inputs, and the columns of their variables. False when the model
    // has errors of its own, which are reported.
    bool simplify(Diagnostics& diagnostics);
    // The rows of the equations. `states_known`: columns stand for derivatives of states, not for states.
    // False when there are too many equations, which is reported.
    bool match_equations(bool states_known, Diagnostics& diagnostics);

    // False when the row is refused.
    bool add(std::initializer_list<Expr> sides, Origin origin);
    bool add_equation(EquationIndex e);
    // What the last row that was refused depends on.
    const graph::SingularSet& refusal() const { return refusal_; }

    const std::vector<EquationIndex>& loose_ends() const { return loose_; }
    const std::vector<EquationIndex>& inputs() const { return inputs_; }
    const std::vector<VariableIndex>& columns() const { return columns_; }
    std::size_t equations() const { return rows_.size(); }  // of the model: the rows before those added
    std::size_t eliminated() const { return eliminated_count_; }
    const std::vector<Origin>& origins() const { return origin_; }  // by row
    const graph::RowMatching& matching() const { return *matching_; }

    // How a variable that was eliminated is computed, else null.
    const Eliminated* value_of(VariableIndex v) const { return value_of_[v.value]; }
    bool is_column(VariableIndex v) const { return column_of_[v.value] != passes::no_column; }
    bool is_eliminated(VariableIndex v) const { return a_.gone[v.value]; }
    bool is_differentiated(VariableIndex v);
    // The columns that a variable stands for, if it was eliminated those that it is made of.
    std::vector<std::uint32_t> columns_of(VariableIndex v) { return columns_of({a_.pool().variable(v)}); }
    // The rows whose combination gives the variable, sorted; nothing when it is independent of them.
    std::optional<std::vector<std::uint32_t>> combination(VariableIndex v);

    const Equation& written(EquationIndex e) const { return a_.written[e.value]; }
    std::span<const Expr> leaves(std::initializer_list<Expr> expressions) { return a_.leaves(expressions); }
    Pool& pool() { return a_.pool(); }
    const FlatModel& model() const { return a_.partition.model; }
    const std::vector<EquationIndex>& dependent_removed() const { return a_.partition.dependent_removed; }

  private:
    void number_columns();
    std::span<const Expr> leaves(const passes::Row& row);
    std::vector<std::uint32_t> columns_of(std::initializer_list<Expr> expressions);
    bool is_column(Expr leaf) const;
    void add_slopes(Expr e, std::uint64_t factor, std::map<std::uint32_t, std::uint64_t>& row);
    graph::ModularRow slopes(std::initializer_list<Expr> sides);
    graph::SingularSet circuit(const std::vector<std::uint32_t>& columns,
                               const std::vector<std::uint32_t>& others) const;
    void report_surplus(const graph::Bipartite& incidence, const graph::Matching& matching,
                        Diagnostics& diagnostics);

    const FlatModel& given_;
    passes::Analysis a_;
    passes::ExactArithmetic exact_;
    std::vector<EquationIndex> loose_, inputs_;
    std::vector<const Eliminated*> value_of_;  // by variable
    std::size_t eliminated_count_ = 0;
    std::vector<passes::Row> rows_;
    std::vector<VariableIndex> columns_;
    std::vector<std::uint32_t> column_of_;  // by variable
    bool states_known_ = false;
    std::optional<graph::RowMatching> matching_;
    std::optional<graph::ModularBasis> basis_;  // of the same rows, by numbers
    std::vector<Origin> origin_;                // by row of matching_
    graph::SingularSet refusal_;
};

}  // namespace cutset

// A system of equations for given unknowns, as the graph algorithms see it: rows are equations, columns
// unknowns.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/bipartite.h"
#include "graph/matching.h"
#include "ir/partition.h"

namespace cutset::passes {

struct Analysis;

struct Row {
    Expr left, right;
    Expr residual;  // left - right; null for an equation between Booleans
    EquationIndex equation;
    bool from_initial = false;
};

struct System {
    std::vector<Row> rows;
    std::vector<Expr> columns;  // Variable leaves of order 0 or 1
    graph::Bipartite incidence;
    graph::Matching matching;
};

inline constexpr std::uint32_t no_column = 0xFFFFFFFFu;

// Numbers the unknowns of a system.
class Columns {
  public:
    explicit Columns(std::size_t variables)
        : value_(variables, no_column), derivative_(variables, no_column) {}
    std::uint32_t of(Expr leaf) const { return leaf->order ? derivative_[leaf->index] : value_[leaf->index]; }
    void set(Expr leaf, std::uint32_t column) { (leaf->order ? derivative_ : value_)[leaf->index] = column; }

  private:
    std::vector<std::uint32_t> value_, derivative_;
};

// Adds a column for `leaf` unless it has one.
void add_column(System& system, Columns& columns, Expr leaf);
Row make_row(Analysis& a, const Equation& e, EquationIndex index, bool from_initial);
// The columns that occur in each row.
graph::Bipartite incidence(Analysis& a, const System& system, const Columns& columns);

}  // namespace cutset::passes

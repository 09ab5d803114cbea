// A matching that grows row by row: which of the equations, tried in the order given, can all be matched?
//
// Sets of equations that can be matched at once are the independent sets of a (transversal) matroid, so
// taking each equation that still fits, in order of preference, gives the best set: what is refused follows
// from what was taken before. Each row is tried by a breadth-first search for an augmenting path. What a
// failed search has reached can never take part in a later path, so it is left out from then on: all failures
// together cost no more than one pass over the graph.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/dulmage_mendelsohn.h"

namespace cutset::graph {

class RowMatching {
  public:
    explicit RowMatching(std::size_t variables);
    // Begins with a matching found otherwise; every equation must be matched.
    RowMatching(const Bipartite& graph, const Matching& matching);

    // Matches the row if that is possible; refused rows leave no trace. The number of an accepted row counts
    // from 0.
    bool add(std::span<const std::uint32_t> given);

    // The accepted rows that together with `given`, which was refused, are one equation too many: any one of
    // these or `given` itself may go. Variables: those that occur in them. Ascending.
    SingularSet circuit(std::span<const std::uint32_t> given) const;

    // The variables one of which would be undetermined without accepted row `number`: a row with any of them
    // could stand in its place. Ascending.
    std::vector<std::uint32_t> replacements(std::uint32_t number) const;

    std::size_t rows() const { return start_.size() - 1; }
    std::size_t variables() const { return row_of_.size(); }
    bool is_complete() const { return rows() == variables(); }
    std::span<const std::uint32_t> row(std::size_t number) const {
        return std::span(adjacent_).subspan(start_[number], start_[number + 1] - start_[number]);
    }
    // Of the accepted rows.
    Bipartite incidence() const;
    const Matching& matching() const;

  private:
    void keep(std::span<const std::uint32_t> row);

    std::vector<std::uint32_t> start_{0}, adjacent_;
    std::vector<std::uint32_t> row_of_;     // by variable
    std::vector<std::uint32_t> column_of_;  // by row
    std::vector<std::uint32_t> seen_;       // by variable: number of the search that met it last
    std::vector<std::uint32_t> from_;       // by variable: the row it was reached from
    std::vector<bool> closed_;              // by variable: reached by a failed search
    std::uint32_t search_ = 0;
    mutable Matching matching_;
    mutable std::vector<std::vector<std::uint32_t>> rows_with_;  // by variable, for `replacements`
    mutable std::size_t listed_ = 0;                             // rows that rows_with_ knows
};

}  // namespace cutset::graph

// The incidence of a system of equations: which variables occur in which equation.
//
// Rows are EQUATIONS, columns are VARIABLES; every algorithm of this folder keeps to that. `transpose()` is
// the one exception: there the rows are the variables, for algorithms that need to look from the other side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cutset::graph {

// Compressed sparse rows: the variables of equation e are adjacent[start[e]] … adjacent[start[e + 1] - 1],
// in the order in which they were given.
struct Bipartite {
    std::size_t equations = 0;
    std::size_t variables = 0;
    std::vector<std::uint32_t> start{0};
    std::vector<std::uint32_t> adjacent;

    std::span<const std::uint32_t> row(std::size_t equation) const {
        return std::span(adjacent).subspan(start[equation], start[equation + 1] - start[equation]);
    }
    std::size_t edges() const { return adjacent.size(); }

    // Row v of the result lists the equations that contain variable v, in ascending order.
    Bipartite transpose() const;
};

// Builds a Bipartite equation by equation. A variable given twice in one equation is kept once.
class BipartiteBuilder {
  public:
    explicit BipartiteBuilder(std::size_t variables);

    // Returns the number of the new equation. Numbers start at 0.
    std::uint32_t add_equation(std::span<const std::uint32_t> variables);
    Bipartite finish() &&;

  private:
    Bipartite graph_;
    std::vector<std::uint32_t> last_seen_;  // 1 + the last equation in which the variable was added
};

}  // namespace cutset::graph

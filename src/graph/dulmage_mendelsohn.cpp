#include "graph/dulmage_mendelsohn.h"

#include <algorithm>
#include <utility>

#include "base/diagnostic.h"

namespace cutset::graph {

namespace {

// Marks rows and columns on alternating paths from the unmatched rows of `graph`.
void mark_from_unmatched_rows(const Bipartite& graph, const std::vector<std::uint32_t>& column_of_row,
                              const std::vector<std::uint32_t>& row_of_column, Part part,
                              std::vector<Part>& part_of_row, std::vector<Part>& part_of_column) {
    std::vector<std::uint32_t> stack;
    for (std::uint32_t row = 0; row < graph.equations; ++row)
        if (column_of_row[row] == unmatched) {
            part_of_row[row] = part;
            stack.push_back(row);
        }
    while (!stack.empty()) {
        const std::uint32_t row = stack.back();
        stack.pop_back();
        for (std::uint32_t column : graph.row(row)) {
            if (part_of_column[column] == part) continue;
            part_of_column[column] = part;
            const std::uint32_t owner = row_of_column[column];
            CUTSET_ASSERT(owner != unmatched);  // else the path would augment: the matching was not maximum
            if (part_of_row[owner] == part) continue;
            part_of_row[owner] = part;
            stack.push_back(owner);
        }
    }
}

// Finds circuits among the rows of a graph; the matching changes as better ones are found.
class Circuits {
  public:
    Circuits(const Bipartite& graph, Matching matching)
        : graph_(graph),
          matching_(std::move(matching)),
          closed_(graph.equations, 0),
          seen_(graph.equations, 0),
          came_from_(graph.equations, unmatched),
          budget_(5 * (graph.edges() + graph.equations) + 100000) {}

    // The circuit of an unmatched row, made smaller by exchanges as long as the budget lasts.
    std::vector<std::uint32_t> reduced(std::uint32_t row) {
        std::vector<std::uint32_t> best = reach(row);
        bool improved = true;
        while (improved && best.size() > 2 && budget_ > 0) {
            improved = false;
            for (std::uint32_t other : unmatched_rows_touching(best, row)) {
                const std::vector<std::uint32_t> reached = reach(other);
                std::vector<std::uint32_t> common;
                std::set_intersection(reached.begin(), reached.end(), best.begin(), best.end(),
                                      std::back_inserter(common));
                for (std::uint32_t replaced : common) {
                    if (budget_ <= 0) break;
                    exchange(other, replaced);
                    std::vector<std::uint32_t> candidate = reach(row);
                    if (candidate.size() < best.size()) {
                        best = std::move(candidate);
                        improved = true;
                        break;
                    }
                    exchange(replaced, other);
                }
                if (improved || budget_ <= 0) break;
            }
        }
        return best;
    }
    // An unmatched row whose circuit was not given out yet.
    bool is_open(std::uint32_t row) const {
        return matching_.variable_of_equation[row] == unmatched && !closed_[row];
    }
    // The row stays unmatched from now on, so it is in no later circuit.
    void close(std::uint32_t row) { closed_[row] = 1; }

  private:
    // The rows on alternating paths from `row`, ascending. Leaves the paths in came_from_.
    std::vector<std::uint32_t> reach(std::uint32_t row) {
        ++mark_;
        std::vector<std::uint32_t> rows{row};
        seen_[row] = mark_;
        came_from_[row] = unmatched;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const std::uint32_t current = rows[i];
            budget_ -= 1 + static_cast<std::int64_t>(graph_.row(current).size());
            for (std::uint32_t column : graph_.row(current)) {
                const std::uint32_t owner = matching_.equation_of_variable[column];
                CUTSET_ASSERT(owner != unmatched);
                if (seen_[owner] == mark_) continue;
                seen_[owner] = mark_;
                came_from_[owner] = current;
                rows.push_back(owner);
            }
        }
        std::sort(rows.begin(), rows.end());
        return rows;
    }

    // Other unmatched rows whose circuits may share a row with `circuit`: a few, the shortest rows first.
    std::vector<std::uint32_t> unmatched_rows_touching(const std::vector<std::uint32_t>& circuit,
                                                       std::uint32_t row) {
        constexpr std::size_t few = 16;
        if (by_column_.equations == 0) by_column_ = graph_.transpose();
        std::vector<std::uint32_t> found;
        ++mark_;
        for (std::uint32_t member : circuit)
            for (std::uint32_t column : graph_.row(member)) {
                budget_ -= 1;
                for (std::uint32_t other : by_column_.row(column)) {
                    budget_ -= 1;
                    if (other == row || !is_open(other)) continue;
                    if (seen_[other] == mark_) continue;
                    seen_[other] = mark_;
                    found.push_back(other);
                }
                if (budget_ <= 0) return found;
            }
        std::sort(found.begin(), found.end(), [&](std::uint32_t a, std::uint32_t b) {
            return std::pair(graph_.row(a).size(), a) < std::pair(graph_.row(b).size(), b);
        });
        if (found.size() > few) found.resize(few);
        return found;
    }

    // Makes `entering` matched and `leaving`, which is on an alternating path from it, unmatched.
    void exchange(std::uint32_t entering, std::uint32_t leaving) {
        reach(entering);
        std::uint32_t current = leaving;
        std::uint32_t column = matching_.variable_of_equation[leaving];
        matching_.variable_of_equation[leaving] = unmatched;
        while (current != entering) {
            const std::uint32_t previous = came_from_[current];
            const std::uint32_t given_up = matching_.variable_of_equation[previous];
            matching_.variable_of_equation[previous] = column;
            matching_.equation_of_variable[column] = previous;
            column = given_up;
            current = previous;
        }
    }

    const Bipartite& graph_;
    Bipartite by_column_;
    Matching matching_;
    std::vector<char> closed_;
    std::vector<std::uint32_t> seen_;
    std::vector<std::uint32_t> came_from_;
    std::uint32_t mark_ = 0;
    std::int64_t budget_;
};

SingularSet with_columns(const Bipartite& graph, std::vector<std::uint32_t> rows) {
    SingularSet result;
    for (std::uint32_t row : rows)
        result.variables.insert(result.variables.end(), graph.row(row).begin(), graph.row(row).end());
    std::sort(result.variables.begin(), result.variables.end());
    result.variables.erase(std::unique(result.variables.begin(), result.variables.end()),
                           result.variables.end());
    result.equations = std::move(rows);
    return result;
}

SingularSet swapped(SingularSet set) {
    std::swap(set.equations, set.variables);
    return set;
}

}  // namespace

CoarseDecomposition dulmage_mendelsohn(const Bipartite& graph, const Matching& matching) {
    CoarseDecomposition result;
    result.part_of_equation.assign(graph.equations, Part::Well);
    result.part_of_variable.assign(graph.variables, Part::Well);
    mark_from_unmatched_rows(graph, matching.variable_of_equation, matching.equation_of_variable, Part::Over,
                             result.part_of_equation, result.part_of_variable);
    mark_from_unmatched_rows(graph.transpose(), matching.equation_of_variable, matching.variable_of_equation,
                             Part::Under, result.part_of_variable, result.part_of_equation);
    return result;
}

SingularSet minimal_overdetermined_set(const Bipartite& graph, const Matching& matching,
                                       std::uint32_t equation) {
    CUTSET_ASSERT(matching.variable_of_equation[equation] == unmatched);
    return with_columns(graph, Circuits(graph, matching).reduced(equation));
}

SingularSet minimal_underdetermined_set(const Bipartite& graph, const Matching& matching,
                                        std::uint32_t variable) {
    return swapped(minimal_overdetermined_set(graph.transpose(), matching.transpose(), variable));
}

std::vector<SingularSet> overdetermined_sets(const Bipartite& graph, const Matching& matching,
                                             std::size_t limit) {
    std::vector<SingularSet> result;
    Circuits circuits(graph, matching);
    // From the start each time: an exchange may leave an earlier equation unmatched.
    for (std::uint32_t row = 0; row < graph.equations && result.size() < limit;) {
        if (circuits.is_open(row)) {
            result.push_back(with_columns(graph, circuits.reduced(row)));
            circuits.close(row);
            row = 0;
        } else {
            ++row;
        }
    }
    return result;
}

std::vector<SingularSet> underdetermined_sets(const Bipartite& graph, const Matching& matching,
                                              std::size_t limit) {
    std::vector<SingularSet> result = overdetermined_sets(graph.transpose(), matching.transpose(), limit);
    for (SingularSet& set : result) set = swapped(std::move(set));
    return result;
}

}  // namespace cutset::graph

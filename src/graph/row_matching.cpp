#include "graph/row_matching.h"

#include <algorithm>

namespace cutset::graph {

RowMatching::RowMatching(std::size_t variables)
    : row_of_(variables, unmatched),
      seen_(variables, 0),
      from_(variables, unmatched),
      closed_(variables, false) {}

RowMatching::RowMatching(const Bipartite& graph, const Matching& matching) : RowMatching(graph.variables) {
    start_ = graph.start;
    adjacent_ = graph.adjacent;
    row_of_ = matching.equation_of_variable;
    column_of_ = matching.variable_of_equation;
}

void RowMatching::keep(std::span<const std::uint32_t> row) {
    adjacent_.insert(adjacent_.end(), row.begin(), row.end());
    start_.push_back(static_cast<std::uint32_t>(adjacent_.size()));
    column_of_.push_back(unmatched);
}

bool RowMatching::add(std::span<const std::uint32_t> given) {
    const auto number = static_cast<std::uint32_t>(rows());
    for (std::uint32_t v : given)
        if (row_of_[v] == unmatched) {
            keep(given);
            row_of_[v] = number;
            column_of_[number] = v;
            return true;
        }
    ++search_;
    std::vector<std::uint32_t> queue;
    const auto visit = [&](std::span<const std::uint32_t> row, std::uint32_t from) {
        for (std::uint32_t v : row) {
            if (closed_[v] || seen_[v] == search_) continue;
            seen_[v] = search_;
            from_[v] = from;
            queue.push_back(v);
        }
    };
    visit(given, number);
    for (std::size_t at = 0; at < queue.size(); ++at) {
        std::uint32_t v = queue[at];
        if (row_of_[v] != unmatched) {
            visit(row(row_of_[v]), row_of_[v]);
            continue;
        }
        keep(given);
        while (true) {
            const std::uint32_t r = from_[v], before = column_of_[r];
            row_of_[v] = r;
            column_of_[r] = v;
            if (r == number) return true;
            v = before;
        }
    }
    for (std::uint32_t v : queue) closed_[v] = true;
    return false;
}

SingularSet RowMatching::circuit(std::span<const std::uint32_t> given) const {
    SingularSet set;
    std::vector<bool> seen(variables());
    const auto visit = [&](std::span<const std::uint32_t> row) {
        for (std::uint32_t v : row) {
            if (seen[v]) continue;
            seen[v] = true;
            set.variables.push_back(v);
        }
    };
    visit(given);
    for (std::size_t at = 0; at < set.variables.size(); ++at) {
        const std::uint32_t r = row_of_[set.variables[at]];
        if (r == unmatched) continue;
        set.equations.push_back(r);
        visit(row(r));
    }
    std::sort(set.equations.begin(), set.equations.end());
    std::sort(set.variables.begin(), set.variables.end());
    return set;
}

std::vector<std::uint32_t> RowMatching::replacements(std::uint32_t number) const {
    rows_with_.resize(variables());
    for (; listed_ < rows(); ++listed_)
        for (std::uint32_t v : row(listed_)) rows_with_[v].push_back(static_cast<std::uint32_t>(listed_));
    std::vector<std::uint32_t> reached{column_of_[number]};
    std::vector<bool> seen(variables());
    seen[reached[0]] = true;
    for (std::size_t at = 0; at < reached.size(); ++at)
        for (std::uint32_t r : rows_with_[reached[at]]) {
            const std::uint32_t v = column_of_[r];
            if (r == number || seen[v]) continue;
            seen[v] = true;
            reached.push_back(v);
        }
    std::sort(reached.begin(), reached.end());
    return reached;
}

Bipartite RowMatching::incidence() const {
    BipartiteBuilder builder(variables());
    for (std::size_t r = 0; r < rows(); ++r) builder.add_equation(row(r));
    return std::move(builder).finish();
}

const Matching& RowMatching::matching() const {
    matching_ = Matching(rows(), variables());
    matching_.variable_of_equation = column_of_;
    matching_.equation_of_variable = row_of_;
    matching_.size = rows();
    return matching_;
}

}  // namespace cutset::graph

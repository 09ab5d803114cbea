#include "numerics/linear/schur_complement.h"

#include <algorithm>

#include "graph/strong_components.h"

namespace cutset {

namespace {

// Adds the numbers of `more` that are not in the rising list yet, by marks that say so.
class Union {
  public:
    explicit Union(std::size_t numbers) : seen_(numbers, 0) {}
    void begin() { ++round_, list_.clear(); }
    void add(std::uint32_t number) {
        if (seen_[number] == round_) return;
        seen_[number] = round_;
        list_.push_back(number);
    }
    std::vector<std::uint32_t> take() {
        std::sort(list_.begin(), list_.end());
        return list_;
    }

  private:
    std::vector<std::uint32_t> seen_;
    std::uint32_t round_ = 0;
    std::vector<std::uint32_t> list_;
};

}  // namespace

SchurComplement::SchurComplement(std::span<const Element> elements, std::size_t kept_rows,
                                 std::size_t kept_columns, std::size_t intermediates)
    : kept_columns_(kept_columns),
      kept_direct_(kept_rows),
      kept_inner_(kept_rows),
      direct_(intermediates),
      outer_(intermediates),
      group_of_(intermediates),
      member_of_(intermediates),
      result_(kept_rows),
      sum_(kept_columns, 0) {
    std::vector<std::vector<Place>> inner(intermediates);
    for (std::uint32_t i = 0; i < elements.size(); ++i) {
        const auto [row, column] = elements[i];
        const bool outside = column < kept_columns;
        auto& list = row < kept_rows ? (outside ? kept_direct_ : kept_inner_)[row]
                                     : (outside ? direct_ : inner)[row - kept_rows];
        list.push_back({outside ? column : std::uint32_t(column - kept_columns), i});
    }
    find_groups(inner);
    Union columns(kept_columns);
    for (Group& group : groups_) {
        columns.begin();
        for (std::uint32_t z : group.members) {
            for (const Place& p : direct_[z]) columns.add(p.column);
            for (const Place& p : outer_[z])
                for (std::uint32_t c : groups_[group_of_[p.column]].columns) columns.add(c);
        }
        group.columns = columns.take();
        group.solution.assign(group.columns.size() * group.members.size(), 0);
    }
    std::vector<std::vector<std::uint32_t>> rows_of(kept_columns);
    for (std::uint32_t r = 0; r < kept_rows; ++r) {
        columns.begin();
        for (const Place& p : kept_direct_[r]) columns.add(p.column);
        for (const Place& p : kept_inner_[r])
            for (std::uint32_t c : groups_[group_of_[p.column]].columns) columns.add(c);
        for (std::uint32_t c : columns.take()) rows_of[c].push_back(r);
    }
    pattern_.rows = kept_rows;
    pattern_.columns = kept_columns;
    pattern_.starts.push_back(0);
    for (std::uint32_t c = 0; c < kept_columns; ++c) {
        for (std::uint32_t r : rows_of[c]) {
            result_[r].push_back({c, std::uint32_t(pattern_.row.size())});
            pattern_.row.push_back(r);
        }
        pattern_.starts.push_back(std::int64_t(pattern_.row.size()));
    }
}

// The permutation that makes a regular E have no zero on its diagonal moves rows within strong components
// only, so components of E as it stands are enough.
void SchurComplement::find_groups(const std::vector<std::vector<Place>>& inner) {
    graph::Digraph needs;
    std::vector<std::uint32_t> successors;
    for (const auto& row : inner) {
        successors.clear();
        for (const Place& p : row) successors.push_back(p.column);
        needs.add_node(successors);
    }
    const graph::Components components = graph::strong_components(needs);
    groups_.resize(components.size());
    for (std::uint32_t g = 0; g < components.size(); ++g) {
        const auto members = components[g];
        groups_[g].members.assign(members.begin(), members.end());
        for (std::uint32_t i = 0; i < members.size(); ++i) {
            group_of_[members[i]] = g;
            member_of_[members[i]] = i;
        }
    }
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
        Group& group = groups_[g];
        struct Triple {
            std::uint32_t column, row, element;
        };
        std::vector<Triple> own;
        for (std::uint32_t i = 0; i < group.members.size(); ++i)
            for (const Place& p : inner[group.members[i]]) {
                if (group_of_[p.column] == g)
                    own.push_back({member_of_[p.column], i, p.element});
                else
                    outer_[group.members[i]].push_back(p);
            }
        std::sort(own.begin(), own.end(), [](const Triple& a, const Triple& b) {
            return std::pair(a.column, a.row) < std::pair(b.column, b.row);
        });
        SparsePattern pattern;
        pattern.rows = pattern.columns = group.members.size();
        pattern.starts.assign(pattern.columns + 1, 0);
        for (const Triple& t : own) {
            ++pattern.starts[t.column + 1];
            pattern.row.push_back(t.row);
            group.matrix.push_back(t.element);
        }
        for (std::size_t c = 0; c < pattern.columns; ++c) pattern.starts[c + 1] += pattern.starts[c];
        if (group.members.size() > 1) group.lu.set_pattern(std::move(pattern));
    }
}

// solution := -E⁻¹ (P + E_outside z_outside)
bool SchurComplement::solve(Group& group, std::span<const double> elements) {
    const std::size_t k = group.members.size();
    for (std::size_t i = 0; i < k; ++i) {
        const std::uint32_t z = group.members[i];
        for (const Place& p : direct_[z]) sum_[p.column] -= elements[p.element];
        for (const Place& p : outer_[z]) {
            const Group& other = groups_[group_of_[p.column]];
            const std::size_t row = member_of_[p.column], rows = other.members.size();
            const double factor = elements[p.element];
            for (std::size_t c = 0; c < other.columns.size(); ++c)
                sum_[other.columns[c]] -= factor * other.solution[c * rows + row];
        }
        for (std::size_t c = 0; c < group.columns.size(); ++c) {
            group.solution[c * k + i] = sum_[group.columns[c]];
            sum_[group.columns[c]] = 0;
        }
    }
    if (k == 1) {
        const double pivot = group.matrix.empty() ? 0 : elements[group.matrix[0]];
        if (pivot == 0 || pivot != pivot) {
            singular_ = group.members[0];
            return false;
        }
        for (double& x : group.solution) x /= pivot;
        return true;
    }
    std::vector<double> matrix;
    for (std::uint32_t e : group.matrix) matrix.push_back(elements[e]);
    if (!group.lu.factor(matrix)) {
        singular_ = group.members[group.lu.singular_column().value_or(0)];
        return false;
    }
    for (std::size_t c = 0; c < group.columns.size(); ++c)
        group.lu.solve(std::span(group.solution).subspan(c * k, k));
    return true;
}

bool SchurComplement::evaluate(std::span<const double> elements, std::span<double> result) {
    singular_.reset();
    for (Group& group : groups_)
        if (!solve(group, elements)) return false;
    for (std::size_t r = 0; r < result_.size(); ++r) {
        for (const Place& p : kept_direct_[r]) sum_[p.column] += elements[p.element];
        for (const Place& p : kept_inner_[r]) {
            const Group& group = groups_[group_of_[p.column]];
            const std::size_t row = member_of_[p.column], rows = group.members.size();
            for (std::size_t c = 0; c < group.columns.size(); ++c)
                sum_[group.columns[c]] += elements[p.element] * group.solution[c * rows + row];
        }
        for (const Place& p : result_[r]) {
            result[p.element] = sum_[p.column];
            sum_[p.column] = 0;
        }
    }
    return true;
}

}  // namespace cutset

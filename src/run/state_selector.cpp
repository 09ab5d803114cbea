#include "run/state_selector.h"

#include <algorithm>
#include <cmath>

#include "numerics/linear/linear.h"

namespace cutset {

namespace {

// Elements of J_D^-1 J_S beyond this make a choice bad. A fresh choice has about 1, so there is room in
// between.
constexpr double worst_element = 2.5;
constexpr double largest_weight = 2;  // of a wish: it yields before the choice is bad

}  // namespace

StateSelector::StateSelector(const Program& program) : program_(program) {
    const Partition& partition = *program.partition;
    for (std::size_t i = 0; i < partition.selections.size(); ++i) {
        const StateSelection& s = partition.selections[i];
        Group group{&s, &program.layout.selection_jacobians[i], {}, {}};
        for (VariableIndex v : s.candidates)
            group.nominal.push_back(std::abs(partition.model.variables[v].nominal.value_or(1)));
        for (std::size_t k = 0; k < s.states.size(); ++k) group.chosen.push_back(k);
        groups_.push_back(std::move(group));
    }
}

// J by rows, in units of the nominal values, each row with 1 as its largest element.
std::vector<double> StateSelector::matrix(const Group& group, const Interpreter& values) const {
    const std::size_t n = group.selection->candidates.size(), m = group.selection->constraints.size();
    std::vector<double> j(m * n);
    for (std::size_t r = 0; r < m; ++r) {
        double largest = 0;
        for (std::size_t c = 0; c < n; ++c) {
            double& element = j[r * n + c];
            element =
                group.selection->jacobian[r][c] ? values[(*group.jacobian)[r * n + c]] * group.nominal[c] : 0;
            if (!std::isfinite(element)) element = 0;
            largest = std::max(largest, std::abs(element));
        }
        if (largest > 0)
            for (std::size_t c = 0; c < n; ++c) j[r * n + c] /= largest;
    }
    return j;
}

bool StateSelector::is_bad(const Group& group, const Interpreter& values) const {
    const std::size_t n = group.selection->candidates.size(), m = group.selection->constraints.size();
    const std::vector<double> j = matrix(group, values);
    std::vector<bool> is_state(n);
    for (std::size_t c : group.chosen) is_state[c] = true;
    std::vector<double> dependent;  // by columns
    for (std::size_t c = 0; c < n; ++c)
        if (!is_state[c])
            for (std::size_t r = 0; r < m; ++r) dependent.push_back(j[r * n + c]);
    DenseLu lu;
    if (!lu.factor(m, dependent)) return true;
    std::vector<double> column(m);
    for (std::size_t c : group.chosen) {
        for (std::size_t r = 0; r < m; ++r) column[r] = j[r * n + c];
        lu.solve(column);
        for (double element : column)
            if (!(std::abs(element) <= worst_element)) return true;
    }
    return false;
}

// Gaussian elimination with the largest element as pivot; its columns become the dependent ones.
void StateSelector::choose(Group& group, Interpreter& values, std::span<const VariableIndex> pinned) {
    const StateSelection& s = *group.selection;
    const std::size_t n = s.candidates.size(), m = s.constraints.size();
    std::vector<double> j = matrix(group, values);
    std::vector<double> reluctance(n);
    for (std::size_t c = 0; c < n; ++c) {
        reluctance[c] = std::min(s.weights[c], largest_weight);
        if (std::find(pinned.begin(), pinned.end(), s.candidates[c]) != pinned.end()) reluctance[c] = 1e9;
    }
    std::vector<bool> row_done(m), dependent(n);
    for (std::size_t k = 0; k < m; ++k) {
        std::size_t p = m, q = n;
        double best = 0;
        for (std::size_t r = 0; r < m; ++r)
            for (std::size_t c = 0; c < n && !row_done[r]; ++c) {
                if (dependent[c]) continue;
                if (const double size = std::abs(j[r * n + c]) / reluctance[c]; size > best) {
                    best = size;
                    p = r;
                    q = c;
                }
            }
        if (p == m) return;  // a singular position: the choice stays
        row_done[p] = dependent[q] = true;
        for (std::size_t r = 0; r < m; ++r) {
            if (row_done[r] || j[r * n + q] == 0) continue;
            const double factor = j[r * n + q] / j[p * n + q];
            for (std::size_t c = 0; c < n; ++c) j[r * n + c] -= factor * j[p * n + c];
        }
    }
    group.chosen.clear();
    for (std::size_t c = 0; c < n; ++c)
        if (!dependent[c]) group.chosen.push_back(c);
    set(group, values);
}

void StateSelector::set(Group& group, Interpreter& values) {
    const StateSelection& s = *group.selection;
    const auto slot = [&](VariableIndex v) { return program_.layout.variable[v.value]; };
    for (std::size_t i = 0; i < s.states.size(); ++i) {
        for (std::size_t c = 0; c < s.candidates.size(); ++c)
            values[slot(s.selectors[i][c])] = c == group.chosen[i] ? 1 : 0;
        values[slot(s.states[i])] = values[slot(s.candidates[group.chosen[i]])];
    }
}

bool StateSelector::choose(Interpreter& values, std::span<const VariableIndex> pinned) {
    if (empty()) return true;
    if (!values.run(program_.selections)) return false;
    for (Group& group : groups_) {
        set(group, values);
        choose(group, values, pinned);
    }
    return true;
}

bool StateSelector::renew(Interpreter& values) {
    if (empty() || !values.run(program_.selections)) return false;
    bool changed = false;
    for (Group& group : groups_) {
        if (!is_bad(group, values)) continue;
        const auto before = group.chosen;
        choose(group, values, {});
        changed = changed || group.chosen != before;
    }
    changes_ += changed;
    return changed;
}

bool StateSelector::restart(Interpreter& values, std::span<const VariableIndex> targets,
                            std::vector<VariableIndex>& overruled) {
    if (empty()) return true;
    bool ran = false;
    for (Group& group : groups_) {
        const auto& candidates = group.selection->candidates;
        if (std::none_of(candidates.begin(), candidates.end(), [&](VariableIndex v) {
                return std::find(targets.begin(), targets.end(), v) != targets.end();
            }))
            continue;
        if (!ran && !values.run(program_.selections)) return false;
        ran = true;
        choose(group, values, targets);
        for (std::size_t c = 0; c < candidates.size(); ++c)
            if (std::find(targets.begin(), targets.end(), candidates[c]) != targets.end() &&
                std::find(group.chosen.begin(), group.chosen.end(), c) == group.chosen.end())
                overruled.push_back(candidates[c]);
    }
    return true;
}

void StateSelector::take(const Interpreter& values) {
    for (Group& group : groups_) {
        const StateSelection& s = *group.selection;
        for (std::size_t i = 0; i < s.states.size(); ++i)
            for (std::size_t c = 0; c < s.candidates.size(); ++c)
                if (values[program_.layout.variable[s.selectors[i][c].value]] != 0) group.chosen[i] = c;
    }
}

VariableIndex StateSelector::stands_for(VariableIndex state) const {
    for (const Group& group : groups_)
        for (std::size_t i = 0; i < group.selection->states.size(); ++i)
            if (group.selection->states[i] == state) return group.selection->candidates[group.chosen[i]];
    return state;
}

}  // namespace cutset

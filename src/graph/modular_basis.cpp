#include "graph/modular_basis.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace cutset::graph {
namespace {

constexpr std::uint32_t no_pivot = 0xFFFFFFFFu;

void put(std::vector<std::uint64_t>& dense, std::vector<std::uint32_t>& touched, std::uint32_t at,
         std::uint64_t value) {
    if (at >= dense.size()) dense.resize(at + 1, 0);
    if (dense[at] == 0) touched.push_back(at);
    dense[at] = modular::add(dense[at], value);
}
void clear(std::vector<std::uint64_t>& dense, std::vector<std::uint32_t>& touched) {
    for (std::uint32_t i : touched) dense[i] = 0;
    touched.clear();
}

}  // namespace

ModularBasis::ModularBasis(std::size_t columns, std::size_t effort)
    : effort_(effort), pivot_of_(columns, no_pivot), dense_(columns, 0) {}

void ModularBasis::reduce(const ModularRow& row) {
    clear(dense_, touched_);
    clear(taken_, taken_from_);
    // Pivots in the order in which they came: the row of one has no columns of those before.
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> order;
    const auto add_to = [&](std::uint32_t column, std::uint64_t value) {
        put(dense_, touched_, column, value);
        if (pivot_of_[column] != no_pivot) order.push(pivot_of_[column]);
    };
    for (const auto& [column, value] : row) add_to(column, value);
    while (!order.empty()) {
        const std::uint32_t next = order.top();
        order.pop();
        const Pivot& pivot = pivots_[next];
        const std::uint64_t factor = modular::negate(dense_[pivot.column]);
        if (factor == 0) continue;
        work_ += pivot.row.size() + pivot.of.size();
        for (const auto& [column, value] : pivot.row) add_to(column, modular::multiply(factor, value));
        for (const auto& [number, value] : pivot.of)
            put(taken_, taken_from_, number, modular::multiply(factor, value));
    }
}

std::optional<std::vector<std::uint32_t>> ModularBasis::combination(const ModularRow& row) {
    if (gave_up()) return std::nullopt;
    reduce(row);
    if (std::any_of(touched_.begin(), touched_.end(), [&](std::uint32_t c) { return dense_[c] != 0; }))
        return std::nullopt;
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t number : taken_from_)
        if (taken_[number] != 0) numbers.push_back(number);
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
}

void ModularBasis::add(const ModularRow& row, std::uint32_t number) {
    if (gave_up()) return;
    reduce(row);
    Pivot pivot;
    for (std::uint32_t c : touched_)
        if (dense_[c] != 0) pivot.row.emplace_back(c, dense_[c]);
    if (pivot.row.empty()) return;
    std::sort(pivot.row.begin(), pivot.row.end());
    pivot.row.erase(std::unique(pivot.row.begin(), pivot.row.end()), pivot.row.end());
    pivot.column = pivot.row.front().first;
    const std::uint64_t scale = modular::inverse(pivot.row.front().second);
    for (auto& [column, value] : pivot.row) value = modular::multiply(value, scale);
    put(taken_, taken_from_, number, 1);
    for (std::uint32_t n : taken_from_)
        if (taken_[n] != 0) pivot.of.emplace_back(n, modular::multiply(taken_[n], scale));
    std::sort(pivot.of.begin(), pivot.of.end());
    pivot.of.erase(std::unique(pivot.of.begin(), pivot.of.end()), pivot.of.end());
    pivot_of_[pivot.column] = std::uint32_t(pivots_.size());
    pivots_.push_back(std::move(pivot));
}

}  // namespace cutset::graph

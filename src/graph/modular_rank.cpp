#include "graph/modular_rank.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace cutset::graph {

namespace modular {

std::uint64_t add(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t sum = a + b;
    return sum >= prime ? sum - prime : sum;
}
std::uint64_t negate(std::uint64_t a) {
    return a == 0 ? 0 : prime - a;
}
std::uint64_t multiply(std::uint64_t a, std::uint64_t b) {
    // 2^61 = 1: the upper bits of the product are added to the lower ones.
    const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
    return add(static_cast<std::uint64_t>(product) & prime, static_cast<std::uint64_t>(product >> 61));
}
std::uint64_t power(std::uint64_t a, std::uint64_t exponent) {
    std::uint64_t result = 1;
    for (; exponent; exponent >>= 1) {
        if (exponent & 1) result = multiply(result, a);
        a = multiply(a, a);
    }
    return result;
}
std::uint64_t inverse(std::uint64_t a) {
    return power(a, prime - 2);
}
std::uint64_t of_double(double value) {
    int exponent = 0;
    const double mantissa = std::frexp(std::abs(value), &exponent);  // value = mantissa·2^exponent
    const auto whole = static_cast<std::uint64_t>(std::ldexp(mantissa, 53));
    // 2^61 = 1, so exponents count modulo 61.
    const int shift = ((exponent - 53) % 61 + 61) % 61;
    const std::uint64_t result = multiply(whole % prime, std::uint64_t(1) << shift);
    return value < 0 ? negate(result) : result;
}
std::uint64_t random(std::uint64_t key) {
    // splitmix64
    key += 0x9E3779B97F4A7C15ull;
    key = (key ^ (key >> 30)) * 0xBF58476D1CE4E5B9ull;
    key = (key ^ (key >> 27)) * 0x94D049BB133111EBull;
    return (key ^ (key >> 31)) % (prime - 1) + 1;
}

}  // namespace modular

namespace {

class ModularElimination {
  public:
    ModularElimination(const std::vector<ModularRow>& rows, std::size_t columns, std::size_t effort)
        : rows_(rows), with_(columns), steps_(rows.size()), place_(rows.size(), none), effort_(effort) {
        for (std::uint32_t r = 0; r < rows_.size(); ++r) {
            std::erase_if(rows_[r], [](const auto& element) { return element.second == 0; });
            std::sort(rows_[r].begin(), rows_[r].end());
            for (const auto& [c, value] : rows_[r]) with_[c].push_back(r);
            by_length_.emplace(rows_[r].size(), r);
        }
    }

    ModularRank run() {
        ModularRank result;
        while (!by_length_.empty()) {
            const auto [length, row] = *by_length_.begin();
            by_length_.erase(by_length_.begin());
            if (length == 0) {
                result.dependencies.push_back(combination(row));
                continue;
            }
            eliminate(row);
            place_[row] = result.rank++;
            if (effort_used_ > effort_) {
                result.complete = false;
                break;
            }
        }
        std::sort(result.dependencies.begin(), result.dependencies.end());
        return result;
    }

  private:
    static constexpr std::size_t none = ~std::size_t(0);

    void eliminate(std::uint32_t pivot_row) {
        const ModularRow& pivot = rows_[pivot_row];
        // The column with the fewest rows.
        std::size_t best = 0;
        for (std::size_t i = 1; i < pivot.size(); ++i)
            if (with_[pivot[i].first].size() < with_[pivot[best].first].size()) best = i;
        const std::uint32_t column = pivot[best].first;
        const std::uint64_t inverse = modular::inverse(pivot[best].second);
        const std::vector<std::uint32_t> others = std::move(with_[column]);
        with_[column].clear();
        for (std::uint32_t r : others) {
            if (r == pivot_row || place_[r] != none) continue;
            const auto at =
                std::lower_bound(rows_[r].begin(), rows_[r].end(), std::pair{column, std::uint64_t(0)});
            if (at == rows_[r].end() || at->first != column) continue;  // vanished meanwhile
            const std::uint64_t factor = modular::negate(modular::multiply(at->second, inverse));
            by_length_.erase({rows_[r].size(), r});
            subtract(r, pivot, factor, column);
            by_length_.emplace(rows_[r].size(), r);
            steps_[r].emplace_back(pivot_row, factor);
        }
    }

    // row r += factor·pivot, by which `column` vanishes.
    void subtract(std::uint32_t r, const ModularRow& pivot, std::uint64_t factor, std::uint32_t column) {
        ModularRow& row = rows_[r];
        ModularRow sum;
        sum.reserve(row.size() + pivot.size());
        auto a = row.begin();
        for (const auto& [c, value] : pivot) {
            while (a != row.end() && a->first < c) sum.push_back(*a++);
            const std::uint64_t term = modular::multiply(factor, value);
            if (a != row.end() && a->first == c) {
                const std::uint64_t total = modular::add(a->second, term);
                if (total != 0 && c != column) sum.emplace_back(c, total);
                ++a;
            } else if (c != column) {
                sum.emplace_back(c, term);
                with_[c].push_back(r);
            }
        }
        sum.insert(sum.end(), a, row.end());
        effort_used_ += sum.size() + 1;
        row = std::move(sum);
    }

    // The given rows of which `row`, now empty, is the combination: each step added a multiple of a row that
    // was a pivot then, itself the result of earlier steps. Later pivots come first.
    std::vector<std::uint32_t> combination(std::uint32_t row) const {
        std::map<std::size_t, std::pair<std::uint32_t, std::uint64_t>, std::greater<>> open;
        std::vector<std::uint32_t> result{row};
        const auto spread = [&](std::uint32_t from, std::uint64_t weight) {
            for (const auto& [pivot, factor] : steps_[from]) {
                auto& [r, sum] = open[place_[pivot]];
                r = pivot;
                sum = modular::add(sum, modular::multiply(weight, factor));
            }
        };
        spread(row, 1);
        while (!open.empty()) {
            const auto [r, weight] = open.begin()->second;
            open.erase(open.begin());
            if (weight == 0) continue;
            result.push_back(r);
            spread(r, weight);
        }
        std::sort(result.begin(), result.end());
        return result;
    }

    std::vector<ModularRow> rows_;
    std::vector<std::vector<std::uint32_t>> with_;  // by column: rows that may contain it
    std::vector<std::vector<std::pair<std::uint32_t, std::uint64_t>>> steps_;  // by row: pivot row, factor
    std::vector<std::size_t> place_;  // by row: when it was the pivot
    std::set<std::pair<std::size_t, std::uint32_t>> by_length_;
    std::size_t effort_, effort_used_ = 0;
};

}  // namespace

ModularRank modular_rank(const std::vector<ModularRow>& rows, std::size_t columns, std::size_t effort) {
    return ModularElimination(rows, columns, effort).run();
}

}  // namespace cutset::graph

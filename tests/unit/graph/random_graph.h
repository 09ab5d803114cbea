// Small random systems for the tests of the graph algorithms; the same on every machine.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "graph/bipartite.h"

namespace cutset::graph::testing {

// SplitMix64: std::uniform_int_distribution differs between libraries.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ull);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        return z ^ (z >> 31);
    }
    std::uint32_t below(std::size_t n) { return static_cast<std::uint32_t>(next() % n); }
    bool chance(double p) { return static_cast<double>(next() >> 11) * 0x1p-53 < p; }

  private:
    std::uint64_t state_;
};

inline Bipartite make_graph(std::size_t variables, const std::vector<std::vector<std::uint32_t>>& rows) {
    BipartiteBuilder builder(variables);
    for (const auto& row : rows) builder.add_equation(row);
    return std::move(builder).finish();
}

inline Bipartite random_graph(Random& random, std::size_t equations, std::size_t variables, double density) {
    std::vector<std::vector<std::uint32_t>> rows(equations);
    for (auto& row : rows)
        for (std::uint32_t v = 0; v < variables; ++v)
            if (random.chance(density)) row.push_back(v);
    return make_graph(variables, rows);
}

// A large system that has a perfect matching hidden by a random permutation, with `extra` more edges per
// equation.
inline Bipartite large_random_graph(Random& random, std::size_t n, std::size_t extra) {
    std::vector<std::uint32_t> hidden(n);
    for (std::uint32_t i = 0; i < n; ++i) hidden[i] = i;
    for (std::size_t i = n; i > 1; --i) std::swap(hidden[i - 1], hidden[random.below(i)]);
    BipartiteBuilder builder(n);
    std::vector<std::uint32_t> row;
    for (std::size_t e = 0; e < n; ++e) {
        row.clear();
        for (std::size_t k = 0; k < extra; ++k) row.push_back(random.below(n));
        row.insert(row.begin() + random.below(row.size() + 1), hidden[e]);
        builder.add_equation(row);
    }
    return std::move(builder).finish();
}

// Size of a maximum matching of the equations in `chosen` (bits) with the variables in `allowed` (bits), by
// trying all assignments: best[set of used variables].
inline std::size_t brute_matching_size(const Bipartite& graph, std::uint32_t chosen, std::uint32_t allowed) {
    std::vector<char> reachable(std::size_t{1} << graph.variables, 0);
    reachable[0] = 1;
    for (std::uint32_t e = 0; e < graph.equations; ++e) {
        if (!(chosen >> e & 1)) continue;
        for (std::size_t used = reachable.size(); used-- > 0;) {
            if (!reachable[used]) continue;
            for (std::uint32_t v : graph.row(e))
                if ((allowed >> v & 1) && !(used >> v & 1)) reachable[used | std::size_t{1} << v] = 1;
        }
    }
    int best = 0;
    for (std::size_t used = 0; used < reachable.size(); ++used)
        if (reachable[used]) best = std::max(best, std::popcount(used));
    return static_cast<std::size_t>(best);
}

}  // namespace cutset::graph::testing

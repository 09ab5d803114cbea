#include "graph/matching.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/diagnostic.h"

namespace cutset::graph {

void Matching::match(std::uint32_t equation, std::uint32_t variable) {
    CUTSET_ASSERT(variable_of_equation[equation] == unmatched);
    CUTSET_ASSERT(equation_of_variable[variable] == unmatched);
    variable_of_equation[equation] = variable;
    equation_of_variable[variable] = equation;
    ++size;
}

Matching Matching::transpose() const {
    Matching result;
    result.variable_of_equation = equation_of_variable;
    result.equation_of_variable = variable_of_equation;
    result.size = size;
    return result;
}

namespace {

constexpr std::uint32_t no_level = std::numeric_limits<std::uint32_t>::max();

class Augmenter {
  public:
    Augmenter(const Bipartite& graph, Matching matching, std::span<const std::uint8_t> variable_class)
        : graph_(graph),
          transposed_(graph.transpose()),
          matching_(std::move(matching)),
          class_(variable_class),
          level_(graph.equations, no_level),
          next_(graph.equations, 0) {}

    // Augments until the matching is maximum among the variables of class <= limit.
    void run(std::uint8_t limit) {
        limit_ = limit;
        start_with_single_partners();
        while (layer()) augment_along_layers();
    }
    Matching take() { return std::move(matching_); }

  private:
    bool allowed(std::uint32_t v) const { return class_.empty() || class_[v] <= limit_; }
    bool free_equation(std::uint32_t e) const { return matching_.variable_of_equation[e] == unmatched; }
    bool free_variable(std::uint32_t v) const {
        return matching_.equation_of_variable[v] == unmatched && allowed(v);
    }

    // Karp–Sipser: an equation with one free variable left, or a variable with one free equation left, can be
    // matched with it without loss. When there is none, the next free equation takes its free variable of
    // lowest degree.
    void start_with_single_partners() {
        std::vector<std::uint32_t> equation_degree(graph_.equations, 0), variable_degree(graph_.variables, 0);
        for (std::uint32_t e = 0; e < graph_.equations; ++e) {
            if (!free_equation(e)) continue;
            for (std::uint32_t v : graph_.row(e))
                if (free_variable(v)) ++equation_degree[e], ++variable_degree[v];
        }
        struct Side {
            bool is_equation;
            std::uint32_t number;
        };
        std::vector<Side> single;
        const auto pair = [&](std::uint32_t e, std::uint32_t v) {
            matching_.match(e, v);
            for (std::uint32_t other : graph_.row(e))
                if (free_variable(other) && --variable_degree[other] == 1) single.push_back({false, other});
            for (std::uint32_t other : transposed_.row(v))
                if (free_equation(other) && --equation_degree[other] == 1) single.push_back({true, other});
        };
        const auto match_singles = [&] {
            while (!single.empty()) {
                const Side side = single.back();
                single.pop_back();
                if (side.is_equation) {
                    if (!free_equation(side.number)) continue;
                    for (std::uint32_t v : graph_.row(side.number))
                        if (free_variable(v)) {
                            pair(side.number, v);
                            break;
                        }
                } else {
                    if (!free_variable(side.number)) continue;
                    for (std::uint32_t e : transposed_.row(side.number))
                        if (free_equation(e)) {
                            pair(e, side.number);
                            break;
                        }
                }
            }
        };
        for (std::size_t v = graph_.variables; v-- > 0;)
            if (variable_degree[v] == 1) single.push_back({false, static_cast<std::uint32_t>(v)});
        for (std::size_t e = graph_.equations; e-- > 0;)
            if (equation_degree[e] == 1) single.push_back({true, static_cast<std::uint32_t>(e)});
        match_singles();
        for (std::uint32_t e = 0; e < graph_.equations; ++e) {
            if (!free_equation(e)) continue;
            std::uint32_t best = unmatched;
            for (std::uint32_t v : graph_.row(e))
                if (free_variable(v) && (best == unmatched || variable_degree[v] < variable_degree[best]))
                    best = v;
            if (best == unmatched) continue;
            pair(e, best);
            match_singles();
        }
    }

    // Breadth first from all free equations. True when a free variable was reached; `last_level_` is then the
    // level of the nearest equations that contain one.
    bool layer() {
        for (std::uint32_t e : reached_) level_[e] = no_level;
        reached_.clear();
        for (std::uint32_t e = 0; e < graph_.equations; ++e)
            if (free_equation(e)) {
                level_[e] = 0;
                next_[e] = graph_.start[e];
                reached_.push_back(e);
            }
        roots_ = reached_.size();
        last_level_ = no_level;
        for (std::size_t i = 0; i < reached_.size(); ++i) {
            const std::uint32_t e = reached_[i];
            if (level_[e] >= last_level_) break;
            for (std::uint32_t v : graph_.row(e)) {
                if (!allowed(v)) continue;
                const std::uint32_t owner = matching_.equation_of_variable[v];
                if (owner == unmatched) {
                    last_level_ = level_[e];
                } else if (level_[owner] == no_level) {
                    level_[owner] = level_[e] + 1;
                    next_[owner] = graph_.start[owner];
                    reached_.push_back(owner);
                }
            }
        }
        return last_level_ != no_level;
    }

    void augment_along_layers() {
        std::vector<std::uint32_t> path;  // equations; the edge taken from path[i] is next_[path[i]]
        for (std::size_t root = 0; root < roots_; ++root) {
            path.assign(1, reached_[root]);
            while (!path.empty()) {
                const std::uint32_t e = path.back();
                if (next_[e] == graph_.start[e + 1] || level_[e] > last_level_) {
                    level_[e] = no_level - 1;  // exhausted in this phase
                    path.pop_back();
                    if (!path.empty()) ++next_[path.back()];
                    continue;
                }
                const std::uint32_t v = graph_.adjacent[next_[e]];
                const std::uint32_t owner = matching_.equation_of_variable[v];
                if (!allowed(v)) {
                    ++next_[e];
                } else if (owner == unmatched) {
                    for (std::uint32_t step : path) {
                        const std::uint32_t taken = graph_.adjacent[next_[step]];
                        matching_.variable_of_equation[step] = taken;
                        matching_.equation_of_variable[taken] = step;
                        level_[step] = no_level - 1;  // the paths of a phase are disjoint
                    }
                    ++matching_.size;
                    path.clear();
                } else if (level_[owner] == level_[e] + 1) {
                    path.push_back(owner);
                } else {
                    ++next_[e];
                }
            }
        }
    }

    const Bipartite& graph_;
    const Bipartite transposed_;
    Matching matching_;
    std::span<const std::uint8_t> class_;
    std::uint8_t limit_ = 0;
    std::vector<std::uint32_t> level_, next_, reached_;
    std::size_t roots_ = 0;
    std::uint32_t last_level_ = no_level;
};

Matching checked_start(const Bipartite& graph, std::optional<Matching> initial) {
    if (!initial) return Matching(graph.equations, graph.variables);
    CUTSET_ASSERT(initial->variable_of_equation.size() == graph.equations);
    CUTSET_ASSERT(initial->equation_of_variable.size() == graph.variables);
    return std::move(*initial);
}

}  // namespace

Matching maximum_matching(const Bipartite& graph, std::optional<Matching> initial) {
    Augmenter augmenter(graph, checked_start(graph, std::move(initial)), {});
    augmenter.run(0);
    return augmenter.take();
}

Matching maximum_matching_by_preference(const Bipartite& graph, std::span<const std::uint8_t> variable_class,
                                        std::optional<Matching> initial) {
    CUTSET_ASSERT(variable_class.size() == graph.variables);
    std::array<bool, 256> used{};
    for (std::uint8_t c : variable_class) used[c] = true;
    Augmenter augmenter(graph, checked_start(graph, std::move(initial)), variable_class);
    for (std::size_t c = 0; c < excluded_class; ++c)
        if (used[c]) augmenter.run(static_cast<std::uint8_t>(c));
    return augmenter.take();
}

}  // namespace cutset::graph

#include "run/other_starts.h"

#include <algorithm>
#include <cmath>

#include "run/operating_point.h"
#include "run/run_messages.h"
#include "run/solution_search.h"

namespace cutset {

namespace {

constexpr std::size_t most_solutions = 4, most_loops = 4, most_unknowns = 3;
constexpr double agreement = 1e-6;

bool is_small(const Partition& partition) {
    std::size_t loops = 0;
    for (const Block& block : partition.initial_blocks) {
        if (block.kind != BlockKind::Nonlinear) continue;
        if (block.torn.size() > most_unknowns || ++loops > most_loops) return false;
    }
    return loops > 0;
}

// Free parameters, and states that initial equations determine together with others.
std::vector<VariableIndex> determined_at_start(const Partition& partition) {
    std::vector<VariableIndex> found;
    for (VariableIndex v(0); v < partition.model.variables.end_index(); ++v.value)
        if (partition.model.variables[v].free_parameter) found.push_back(v);
    for (const Block& block : partition.initial_blocks) {
        const auto from_initial = [](const auto& equation) { return equation.from_initial; };
        if (block.kind != BlockKind::Nonlinear ||
            !(std::any_of(block.residuals.begin(), block.residuals.end(), from_initial) ||
              std::any_of(block.inner.begin(), block.inner.end(), from_initial)))
            continue;
        const auto take = [&](Unknown u) {
            const auto& states = partition.states;
            if (u.order == 0 && std::find(states.begin(), states.end(), u.variable) != states.end() &&
                std::find(found.begin(), found.end(), u.variable) == found.end())
                found.push_back(u.variable);
        };
        for (Unknown u : block.torn) take(u);
        for (const SolvedEquation& s : block.inner) take(s.unknown);
    }
    return found;
}

}  // namespace

void report_other_starts(const Program& program, const SimulateOptions& options,
                         std::span<const double> taken, Diagnostics& diagnostics) {
    const Partition& partition = *program.partition;
    const std::vector<VariableIndex> wanted = determined_at_start(partition);
    if (wanted.empty() || !is_small(partition)) return;

    SimulateOptions alone = options;
    alone.observer = nullptr;
    std::vector<std::vector<double>> found;
    for (VariableIndex v : wanted) found.emplace_back(1, taken[v.value]);
    const auto is_new = [&](const InitialPoint& point) {
        for (std::size_t k = 0; k < found[0].size(); ++k) {
            bool same = true;
            for (std::size_t i = 0; i < wanted.size(); ++i) {
                const double a = found[i][k], b = point.values[wanted[i].value];
                same = same && std::abs(a - b) <= agreement * std::max({1e-9, std::abs(a), std::abs(b)});
            }
            if (same) return false;
        }
        return true;
    };
    LoopSearch search(partition, most_solutions);
    do {
        search.begin();
        Diagnostics quiet;
        const auto point = operating_point(program, alone, &search, quiet);
        if (!point || !is_new(*point)) continue;
        for (std::size_t i = 0; i < wanted.size(); ++i) found[i].push_back(point->values[wanted[i].value]);
    } while (found[0].size() < most_solutions && search.next());
    if (found[0].size() > 1) diagnostics.report(run_messages::several_starts(partition.model, wanted, found));
}

}  // namespace cutset

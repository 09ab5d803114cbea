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

}  // namespace

void report_other_starts(const Program& program, const SimulateOptions& options,
                         std::span<const double> taken, Diagnostics& diagnostics) {
    const Partition& partition = *program.partition;
    std::vector<VariableIndex> wanted;
    for (VariableIndex v(0); v < partition.model.variables.end_index(); ++v.value)
        if (partition.model.variables[v].free_parameter) wanted.push_back(v);
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

#include "model/states.h"

#include <fmt/format.h>

namespace cutset::cli {

namespace {

std::string place(const StateReason& reason, const FlatModel& model, const Sources& sources) {
    if (!reason.by || !model.equations[*reason.by].origin.where.known()) return {};
    const Location at = sources.locate(model.equations[*reason.by].origin.where);
    return fmt::format("   {}:{}", at.file, at.line);
}

}  // namespace

void print_states(const Partition& partition, const Sources& sources) {
    const auto reasons = why_states(partition);
    if (reasons.empty()) fmt::print("no states: no equation contains a derivative\n");
    for (const StateReason& r : reasons)
        fmt::print("{}{}\n", sentence(r, partition.model), place(r, partition.model, sources));
}

}  // namespace cutset::cli

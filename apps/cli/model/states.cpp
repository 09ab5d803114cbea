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

Json state_json(const StateReason& reason, const FlatModel& model, const Sources& sources) {
    using Answer = StateReason::Answer;
    Json out = {{"variable", model.path(reason.variable)},
                {"state", reason.answer == Answer::State     ? "yes"
                          : reason.answer == Answer::AtTimes ? "at-times"
                                                             : "no"},
                {"reason", reason.text}};
    if (!reason.by) return out;
    const Equation& e = model.equations[*reason.by];
    out["equation"] = model.text(e);
    if (e.origin.where.known()) {
        const Location at = sources.locate(e.origin.where);
        out["file"] = at.file;
        out["line"] = at.line;
    }
    return out;
}

Json states_json(const Partition& partition, const Sources& sources) {
    Json out = Json::array();
    for (const StateReason& r : why_states(partition)) out.push_back(state_json(r, partition.model, sources));
    return out;
}

}  // namespace cutset::cli

#include "native/hidden_slots.h"

#include <algorithm>
#include <unordered_set>

namespace cutset::native {

namespace {

class Search {
  public:
    explicit Search(const Program& program) : program_(program) {}

    void keep(const std::vector<Slot>& slots) { kept_.insert(slots.begin(), slots.end()); }
    // An element may be a variable as it stands.
    void keep(const std::vector<JacobianEntry>& elements) {
        for (const JacobianEntry& e : elements) kept_.insert(e.slot);
    }
    void keep(const Loop& loop) {
        keep(loop.torn);
        keep(loop.residual_slots);
        keep(loop.jacobian_entries);
        for (const Section* s : {&loop.residual, &loop.jacobian, &loop.rest}) keep_inputs(*s);
    }
    // What a section reads that it has not surely written before.
    void keep_inputs(const Section& section) {
        std::unordered_set<Slot> written;
        std::size_t open_until = 0;  // some jump seen so far goes here
        for (std::size_t at = 0; at < section.instructions.size(); ++at) {
            const Instruction& i = section.instructions[at];
            for_each_slot(i, program_.calls, [&](Slot slot, bool writes) {
                if (!writes) {
                    if (!written.contains(slot)) kept_.insert(slot);
                } else if (at >= open_until) {
                    written.insert(slot);
                }
            });
            if (i.code == Code::Jump || i.code == Code::JumpFalse)
                open_until = std::max<std::size_t>(open_until, i.to);
            if (i.code == Code::Switch) open_until = std::max<std::size_t>(open_until, i.b);
        }
    }
    // The variables that a section writes, without those to be kept.
    std::vector<Slot> others(const Section& section) const {
        const std::unordered_set<Slot> variables(program_.layout.variable.begin(),
                                                 program_.layout.variable.end());
        std::vector<Slot> hidden;
        for (const Instruction& i : section.instructions)
            for_each_slot(i, program_.calls, [&](Slot slot, bool writes) {
                if (writes && variables.contains(slot) && !kept_.contains(slot)) hidden.push_back(slot);
            });
        std::sort(hidden.begin(), hidden.end());
        hidden.erase(std::unique(hidden.begin(), hidden.end()), hidden.end());
        return hidden;
    }

  private:
    const Program& program_;
    std::unordered_set<Slot> kept_;
};

}  // namespace

std::vector<Slot> hidden_in_rates(const Program& program) {
    Search search(program);
    search.keep(program.layout.derivative);
    search.keep_inputs(program.rates);
    if (program.jacobian) {
        search.keep(program.jacobian->entries);
        search.keep_inputs(program.jacobian->section);
    }
    for (const Loop& loop : program.loops) search.keep(loop);
    return search.others(program.rates);
}

std::vector<Slot> hidden_in_trial(const Program& program, const Loop& loop) {
    Search search(program);
    search.keep(loop);
    return search.others(loop.residual);
}

}  // namespace cutset::native

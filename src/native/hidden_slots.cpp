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
    std::vector<Slot> others(const Section& section, const std::vector<bool>& is_variable) const {
        std::vector<Slot> hidden;
        for (const Instruction& i : section.instructions)
            for_each_slot(i, program_.calls, [&](Slot slot, bool writes) {
                if (writes && is_variable[slot] && !kept_.contains(slot)) hidden.push_back(slot);
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

HiddenSlots::HiddenSlots(const Program& program)
    : program_(program), is_variable_(program.layout.slots, false) {
    for (const Slot slot : program.layout.variable) is_variable_[slot] = true;
}

std::vector<Slot> HiddenSlots::in_derivatives() const {
    Search search(program_);
    search.keep(program_.layout.derivative);
    search.keep_inputs(program_.derivatives);
    if (program_.jacobian) {
        search.keep(program_.jacobian->entries);
        search.keep_inputs(program_.jacobian->section);
    }
    for (const Loop& loop : program_.loops) search.keep(loop);
    return search.others(program_.derivatives, is_variable_);
}

std::vector<Slot> HiddenSlots::in_trial(const Loop& loop) const {
    Search search(program_);
    search.keep(loop);
    return search.others(loop.residual, is_variable_);
}

}  // namespace cutset::native

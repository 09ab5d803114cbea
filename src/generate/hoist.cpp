#include "generate/hoist.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace cutset {

namespace {

class Hoister {
  public:
    explicit Hoister(ProgramBuilder& program) : program_(program), rates_(program.rates) {
        if (!rates_.empty()) return;
        rates_.assign(program.quantities, Rate::Continuous);
        const Layout& layout = program.program.layout;
        const auto& variables = program.partition.model.variables;
        for (VariableIndex v{0}; v < variables.end_index(); ++v.value) {
            Rate& rate = rates_[layout.variable[v.value]];
            if (variables[v].variability == Variability::Discrete)
                rate = Rate::Stepwise;
            else if (variables[v].variability != Variability::Continuous)
                rate = Rate::Fixed;
            if (layout.previous[v.value]) rates_[layout.previous[v.value]] = Rate::Stepwise;
        }
        rates_[layout.starting] = rates_[layout.ending] = Rate::Stepwise;
        for (Slot slot : layout.clocks) rates_[slot] = Rate::Stepwise;
    }

    void run(std::vector<Instruction>& code) {
        count_writes(code);
        std::size_t open_until = 0;  // some jump seen so far goes here
        std::vector<std::size_t> place(code.size() + 1);
        std::vector<Instruction> stay;
        for (std::size_t at = 0; at < code.size(); ++at) {
            place[at] = stay.size();
            Instruction i = code[at];
            for_each_slot(i, program_.program.calls, [&](Slot& slot, bool) { slot = now(slot); });
            const Rate rate = at < open_until ? Rate::Continuous : rate_of(i);
            if (i.code == Code::Jump || i.code == Code::JumpFalse)
                open_until = std::max<std::size_t>(open_until, i.to);
            if (i.code == Code::Switch) open_until = std::max<std::size_t>(open_until, i.b);
            if (rate == Rate::Continuous) {
                stay.push_back(i);
                continue;
            }
            i.to = settled(i.to, rate);
            (rate == Rate::Fixed ? program_.fixed : program_.stepwise).push_back(i);
        }
        place[code.size()] = stay.size();
        for (Instruction& i : stay) {
            if (i.code == Code::Jump || i.code == Code::JumpFalse) i.to = static_cast<Slot>(place[i.to]);
            if (i.code == Code::Switch) i.b = static_cast<Slot>(place[i.b]);
        }
        code = std::move(stay);
    }

  private:
    static bool is(Slot slot, Slot tag) { return (slot & slot_tag::mask) == tag; }

    void count_writes(const std::vector<Instruction>& code) {
        for (const Instruction& i : code)
            for_each_slot(i, program_.program.calls, [&](Slot slot, bool written) {
                if (!written) return;
                std::vector<std::uint8_t>& writes =
                    is(slot, slot_tag::temporary) ? temporary_writes_ : writes_;
                const Slot number = slot & ~slot_tag::mask;
                if (number >= writes.size())
                    writes.resize(std::max<std::size_t>(number + 1, 2 * writes.size()));
                writes[number] = std::min(writes[number] + 1, 2);
            });
    }

    // Where a slot lives now.
    Slot now(Slot slot) const {
        if (!is(slot, slot_tag::temporary)) return slot;
        const Slot number = slot & ~slot_tag::mask;
        return number < moved_.size() && moved_[number] ? moved_[number] : slot;
    }

    Rate rate_of(Slot slot) const {
        if (is(slot, slot_tag::constant)) return Rate::Fixed;
        return is(slot, slot_tag::quantity) && slot < rates_.size() ? rates_[slot] : Rate::Continuous;
    }

    Rate rate_of(const Instruction& i) const {
        switch (i.code) {
            case Code::Copy:
            case Code::Add:
            case Code::Subtract:
            case Code::Multiply:
            case Code::Divide:
            case Code::Negate:
            case Code::Unary:
            case Code::Binary:
                break;
            default:  // calls may fail, and a failure belongs to its instant
                return Rate::Continuous;
        }
        Rate rate = Rate::Fixed;
        for_each_slot(i, program_.program.calls, [&](Slot slot, bool written) {
            if (!written) rate = std::max(rate, rate_of(slot));
        });
        const auto& writes = is(i.to, slot_tag::temporary) ? temporary_writes_ : writes_;
        return writes[i.to & ~slot_tag::mask] == 1 ? rate : Rate::Continuous;
    }

    // A temporary gets a place of its own.
    Slot settled(Slot slot, Rate rate) {
        if (is(slot, slot_tag::temporary)) {
            const Slot place = program_.quantity(), number = slot & ~slot_tag::mask;
            if (number >= moved_.size()) moved_.resize(std::max<std::size_t>(number + 1, 2 * moved_.size()));
            moved_[number] = place;
            slot = place;
        }
        if (slot >= rates_.size()) rates_.resize(slot + 1, Rate::Continuous);
        rates_[slot] = rate;
        return slot;
    }

    ProgramBuilder& program_;
    std::vector<Rate>& rates_;                             // by quantity
    std::vector<std::uint8_t> writes_, temporary_writes_;  // of quantities and temporaries: none, one, more
    std::vector<Slot> moved_;  // by temporary; 0, the place of the time, where it stays
};

}  // namespace

void hoist(ProgramBuilder& program, std::vector<Instruction>& instructions) {
    Hoister(program).run(instructions);
}

}  // namespace cutset

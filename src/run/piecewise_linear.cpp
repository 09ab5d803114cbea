#include "run/piecewise_linear.h"

#include <algorithm>
#include <unordered_set>

namespace cutset {

bool is_piecewise_linear(const Program& program, const Loop& loop) {
    std::unordered_set<Slot> varies(loop.torn.begin(), loop.torn.end());
    bool fixed = true;
    for (const Section* section : {&loop.residual, &loop.jacobian})
        for (const Instruction& i : section->instructions) {
            if (i.code == Code::Delay || i.code == Code::Solve) return false;
            bool reads = false;
            for_each_slot(i, program.calls, [&](Slot slot, bool written) {
                if (!written)
                    reads = reads || varies.count(slot);
                else if (reads)
                    varies.insert(slot);
            });
            if (i.code == Code::JumpFalse) fixed = fixed && !reads;
        }
    return fixed && std::none_of(loop.jacobian_entries.begin(), loop.jacobian_entries.end(),
                                 [&](const JacobianEntry& e) { return varies.count(e.slot) > 0; });
}

}  // namespace cutset

#include "run/continuous_inputs.h"

namespace cutset {

std::vector<Slot> continuous_inputs(const Program& program) {
    const Layout& layout = program.layout;
    std::vector<bool> read(layout.slots, false), switched(layout.slots, false);
    const auto look = [&](const Section& section) {
        for (const Instruction& i : section.instructions) {
            for_each_slot(i, program.calls, [&](Slot slot, bool written) {
                if (!written) read[slot] = true;
            });
            if (i.code == Code::Switch) read[layout.switches[i.a]] = true;
        }
    };
    look(program.continuous);
    look(program.crossings);
    for (const Loop& loop : program.loops) {
        look(loop.residual);
        look(loop.jacobian);
    }
    for (Slot slot : layout.state) read[slot] = switched[slot] = true;
    const FlatModel& model = program.partition->model;
    for (VariableIndex v{0}; v < model.variables.end_index(); ++v.value) {
        if (model.variables[v].variability == Variability::Discrete)
            switched[layout.variable[v.value]] = true;
        if (layout.previous[v.value]) switched[layout.previous[v.value]] = true;
    }
    for (Slot slot : layout.switches) switched[slot] = true;
    // A kink is nowhere read, but beyond it the equations are others.
    for (std::size_t i = 0; i < layout.switches.size(); ++i)
        if (program.partition->switches[i].kink) read[layout.switches[i]] = true;
    for (Slot slot : layout.switches_before) switched[slot] = true;
    for (Slot slot : layout.clocks) switched[slot] = true;
    switched[layout.starting] = switched[layout.ending] = true;
    std::vector<Slot> inputs;
    for (Slot slot = 0; slot < layout.slots; ++slot)
        if (read[slot] && switched[slot]) inputs.push_back(slot);
    return inputs;
}

}  // namespace cutset

// The systems of a live model: those of its language, else its submodels.
#include <algorithm>

#include "live/live_model.h"
#include "run/result_columns.h"

namespace cutset {

std::vector<SystemSummary> systems_of(const Partition& partition) {
    const FlatModel& model = partition.model;
    std::vector<bool> is_state(model.variables.size());
    for (VariableIndex v : shown_states(partition)) is_state[v.value] = true;
    std::vector<SystemSummary> systems(model.instances.size());
    for (InstanceIndex i{0}; i < model.instances.end_index(); ++i.value) {
        systems[i.value].path = model.path(i);
        systems[i.value].name = i.value == 0 ? model.name : model.path(i);
    }
    const std::vector<bool> without = without_values(partition);
    for (VariableIndex v{0}; v < model.variables.end_index(); ++v.value) {
        const Variable& variable = model.variables[v];
        if (variable.internal || without[v.value]) continue;
        auto& list = systems[variable.origin.instance.value].variables;
        const auto add = [&](const std::string& name, SystemRole role) { list.push_back({name, role}); };
        if (variable.variability <= Variability::Parameter) {
            if (variable.variability == Variability::Parameter) add(variable.name, SystemRole::Parameter);
        } else if (is_state[v.value]) {
            add(variable.name, SystemRole::State);
            add(variable.name, SystemRole::Initial);
            add(derivative_name(variable.name), SystemRole::Derivative);
        } else if (variable.variability == Variability::Discrete && !variable.free_parameter) {
            add(variable.name, SystemRole::State);
            add(variable.name, SystemRole::Initial);
        } else if (variable.declared == VariableKind::Input) {
            add(variable.name, SystemRole::Input);
        } else if (variable.declared == VariableKind::Output) {
            add(variable.name, SystemRole::Output);
        } else {
            add(variable.name, SystemRole::Auxiliary);
        }
    }
    std::erase_if(systems, [](const SystemSummary& s) { return s.variables.empty(); });
    for (SystemSummary& s : systems)
        std::stable_sort(s.variables.begin(), s.variables.end(),
                         [](const auto& a, const auto& b) { return a.role < b.role; });
    return systems;
}

}  // namespace cutset

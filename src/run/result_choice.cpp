#include "run/result_choice.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/bad_option.h"
#include "results/choose_columns.h"
#include "results/messages.h"
#include "run/result_columns.h"

namespace cutset {

bool known_choice(const ResultChoice& choice, const Partition& partition, Diagnostics& diagnostics) {
    if (choice.variables.empty()) return true;
    std::vector<std::string> names;
    const std::vector<bool> without = without_values(partition);
    for (VariableIndex v{0}; v < partition.model.variables.end_index(); ++v.value)
        if (!without[v.value]) names.push_back(partition.model.path(v));
    for (VariableIndex v : partition.states) names.push_back(derivative_name(partition.model.path(v)));
    bool good = true;
    for (const std::string& pattern : choice.variables) {
        if (std::any_of(names.begin(), names.end(),
                        [&](const std::string& name) { return matches_pattern(name, pattern); }))
            continue;
        diagnostics.report(
            bad_option(results_messages::nothing_matches(pattern, nearest_name(pattern, names))));
        good = false;
    }
    return good;
}

}  // namespace cutset

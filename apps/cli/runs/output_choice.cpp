#include "runs/output_choice.h"

#include <algorithm>

#include "base/bad_option.h"
#include "output/curves.h"
#include "results/choose_columns.h"
#include "results/messages.h"

namespace cutset::cli {

void add_output_choice(Command& command, ResultChoice& choice) {
    command.list("--output-variables", choice.variables,
                 "write these variables only: NAME,…, where * stands for any letters and ? for one; for "
                 "example \"Tank*.h,der(*)\" (all)");
    command.flag(
        "--output-parameters", choice.constants_in_rows,
        "in a .csv file, write parameters and constants in every row instead of in a table beside it, "
        "FILE.parameters.csv");
}

bool known_choice(const ResultChoice& choice, const Partition& partition, Diagnostics& diagnostics) {
    if (choice.variables.empty()) return true;
    std::vector<std::string> names = variable_paths(partition);
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

}  // namespace cutset::cli

#include "operations/simulation/start_guesses.h"

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/bad_option.h"

namespace cutset {

std::vector<std::pair<VariableIndex, double>> read_guesses(const std::string& path, const FlatModel& model,
                                                           Diagnostics& diagnostics) {
    const char* const help = "give the file of cutset steady -o point.json, or of --checkpoint";
    std::ifstream in(path);
    if (!in) {
        diagnostics.report(bad_option("--guesses " + path + ": the file cannot be read", help));
        return {};
    }
    const nlohmann::json data = nlohmann::json::parse(in, nullptr, false);
    if (!data.is_object() || !data.contains("values") || !data["values"].is_object()) {
        diagnostics.report(
            bad_option("--guesses " + path + ": it is not a JSON object with the key values", help));
        return {};
    }
    const auto& values = data["values"];
    std::vector<std::pair<VariableIndex, double>> guesses;
    for (VariableIndex v{0}; v < model.variables.end_index(); ++v.value) {
        if (model.variables[v].variability != Variability::Continuous) continue;
        const auto found = values.find(model.path(v));
        if (found != values.end() && found->is_number() && std::isfinite(found->get<double>()))
            guesses.emplace_back(v, found->get<double>());
    }
    if (guesses.empty())
        diagnostics.report(bad_option("--guesses " + path + ": it has no value of a variable of the model",
                                      "was it written for another model?"));
    return guesses;
}

}  // namespace cutset

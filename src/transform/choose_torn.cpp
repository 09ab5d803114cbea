#include "transform/choose_torn.h"

#include <algorithm>
#include <unordered_map>

#include "ir/find_variables.h"
#include "transform/messages.h"

namespace cutset::passes {

void choose_torn(Analysis& a, Diagnostics& diagnostics) {
    if (a.options.tear.empty()) return;
    const FlatModel& model = a.model();
    std::unordered_map<std::string, VariableIndex> variable_of;  // looked up only
    for (VariableIndex v(0); v < model.variables.end_index(); ++v.value)
        if (model.variables[v].variability == Variability::Continuous) variable_of.emplace(model.path(v), v);
    std::unordered_map<std::uint32_t, Expr> value_of;
    for (const Eliminated& e : a.partition.eliminated)
        if (e.alias) value_of.emplace(e.variable.value, e.value);
    for (const std::string& wish : a.options.tear) {
        std::string name = wish;
        std::uint32_t order = 0;
        auto found = variable_of.find(name);
        if (found == variable_of.end()) {
            if (name.ends_with("'")) {
                name.pop_back();
                order = 1;
            } else if (auto of = differentiated_path(name)) {
                name = std::move(*of);
                order = 1;
            }
            found = variable_of.find(name);
        }
        if (found == variable_of.end()) {
            std::vector<std::string> names;
            for (VariableIndex v(0); v < model.variables.end_index(); ++v.value)
                if (model.variables[v].variability == Variability::Continuous && !model.variables[v].internal)
                    names.push_back(model.path(v));
            diagnostics.report(unknown_tear_variable(a, wish, nearest_name(name, names)));
            continue;
        }
        VariableIndex v = found->second;
        if (const auto alias = value_of.find(v.value); alias != value_of.end())
            for (Expr leaf : a.leaves({alias->second})) v = leaf->variable();
        a.torn.push_back({wish, {v, order}, false});
    }
}

void check_torn(Analysis& a, Diagnostics& diagnostics) {
    for (const TornWish& wish : a.torn)
        if (!wish.used) diagnostics.report(torn_in_no_loop(a, wish));
}

}  // namespace cutset::passes

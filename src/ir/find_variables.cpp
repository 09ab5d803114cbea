#include "ir/find_variables.h"

#include <cctype>

namespace cutset {

std::string plain_path(const std::string& path) {
    std::string result;
    for (std::size_t i = 0; i < path.size(); ++i) {
        if (std::isspace(static_cast<unsigned char>(path[i]))) continue;
        if (path[i] == ':' && i + 1 < path.size() && path[i + 1] == ':') {
            result += '.';
            ++i;
        } else {
            result += path[i];
        }
    }
    return result;
}

std::vector<VariableIndex> find_variables(const FlatModel& model, const std::string& path) {
    std::vector<VariableIndex> found;
    for (VariableIndex v(0); v < model.variables.end_index(); ++v.value) {
        const std::string& name = model.variables[v].name;
        // Most names differ in their last letters; paths are made for the others only.
        const std::string bare = name.substr(0, name.find('['));
        if (path.size() < bare.size() || path.find(bare) == std::string::npos) continue;
        const std::string whole = model.path(v);
        if (whole == path || (whole.size() > path.size() && whole.starts_with(path) &&
                              whole[path.size()] == '[' && whole.find(']', path.size()) == whole.size() - 1))
            found.push_back(v);
    }
    return found;
}

std::string nearest_path(const FlatModel& model, const std::string& path) {
    std::vector<std::string> candidates;
    for (VariableIndex v(0); v < model.variables.end_index(); ++v.value)
        if (!model.variables[v].internal) candidates.push_back(model.path(v));
    return nearest_name(path, candidates);
}

}  // namespace cutset

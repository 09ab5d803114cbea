#include "ir/find_variables.h"

#include <cctype>
#include <unordered_map>

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

std::optional<std::string> differentiated_path(std::string_view text) {
    if (!text.starts_with("der(") || !text.ends_with(')')) return std::nullopt;
    const std::string_view inside = text.substr(4, text.size() - 5);
    int depth = 0;
    for (char c : inside) {
        depth += (c == '(') - (c == ')');
        if (depth < 0) return std::nullopt;  // der(x)(0)
    }
    return std::string(inside);
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

std::vector<std::vector<VariableIndex>> find_variables(const FlatModel& model,
                                                       const std::vector<std::string>& paths) {
    std::vector<std::vector<VariableIndex>> found(paths.size());
    constexpr std::size_t few = 20;
    if (paths.size() <= few) {
        for (std::size_t i = 0; i < paths.size(); ++i) found[i] = find_variables(model, paths[i]);
        return found;
    }
    std::unordered_multimap<std::string, std::size_t> wanted;
    for (std::size_t i = 0; i < paths.size(); ++i) wanted.emplace(paths[i], i);
    const auto take = [&](const std::string& path, VariableIndex v) {
        const auto [begin, end] = wanted.equal_range(path);
        for (auto at = begin; at != end; ++at) found[at->second].push_back(v);
    };
    for (VariableIndex v(0); v < model.variables.end_index(); ++v.value) {
        const std::string path = model.path(v);
        take(path, v);
        if (path.ends_with(']')) take(path.substr(0, path.rfind('[')), v);
    }
    return found;
}

std::vector<std::string> variable_paths(const FlatModel& model) {
    std::vector<std::string> names;
    names.reserve(model.variables.size());
    for (VariableIndex v{0}; v < model.variables.end_index(); ++v.value) names.push_back(model.path(v));
    return names;
}

std::string nearest_path(const FlatModel& model, const std::string& path) {
    std::vector<std::string> candidates;
    for (VariableIndex v(0); v < model.variables.end_index(); ++v.value)
        if (!model.variables[v].internal) candidates.push_back(model.path(v));
    return nearest_name(path, candidates);
}

}  // namespace cutset

// Lists of names in one text.
#pragma once

#include <cctype>
#include <string>
#include <vector>

namespace cutset {

// "a,b c" → names; commas inside brackets belong to a name.
inline std::vector<std::string> split_names(const std::string& text) {
    std::vector<std::string> names;
    std::string name;
    int depth = 0;
    for (char c : text) {
        if (c == '(' || c == '[') ++depth;
        if (c == ')' || c == ']') --depth;
        if (depth <= 0 && (c == ',' || c == ' ')) {
            if (!name.empty()) names.push_back(name);
            name.clear();
        } else {
            name += c;
        }
    }
    if (!name.empty()) names.push_back(name);
    return names;
}

// The same at commas only, without blanks around: "v1=atan2(a, b), v2" → {"v1=atan2(a, b)", "v2"}.
inline std::vector<std::string> split_list(const std::string& text) {
    std::vector<std::string> parts(1);
    int brackets = 0;
    for (char c : text) {
        if (c == '(' || c == '[') ++brackets;
        if (c == ')' || c == ']') --brackets;
        if (c == ',' && brackets <= 0)
            parts.emplace_back();
        else if (!parts.back().empty() || !std::isspace(static_cast<unsigned char>(c)))
            parts.back() += c;
    }
    for (std::string& part : parts)
        while (!part.empty() && std::isspace(static_cast<unsigned char>(part.back()))) part.pop_back();
    std::erase(parts, "");
    return parts;
}

}  // namespace cutset

#include "export/code_names.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace cutset {

std::string CodeNames::key(std::string name) const {
    if (!case_matters_)
        std::transform(name.begin(), name.end(), name.begin(),
                       [](unsigned char c) { return std::tolower(c); });
    return name;
}

void CodeNames::reserve(std::string_view words) {
    std::istringstream in{std::string(words)};
    for (std::string word; in >> word;) used_.insert(key(word));
}

std::string CodeNames::make(const std::string& path) {
    std::string name;
    for (unsigned char c : path) {
        if (std::isalnum(c) && c < 128)
            name += static_cast<char>(c);
        else if (underscores_ && !name.empty() && name.back() != '_')
            name += '_';
    }
    while (!name.empty() && name.back() == '_') name.pop_back();
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) name = "v" + name;
    if (name.size() > longest_) name.resize(longest_);
    std::string candidate = name;
    for (int number = 2; !used_.insert(key(candidate)).second; ++number) {
        const std::string suffix = (underscores_ ? "_" : "n") + std::to_string(number);
        candidate = name.substr(0, longest_ - suffix.size()) + suffix;
    }
    return candidate;
}

}  // namespace cutset

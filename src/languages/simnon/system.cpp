#include "languages/simnon/system.h"

#include <algorithm>
#include <cctype>

namespace cutset::simnon {

namespace {

char small(char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

}  // namespace

bool same_letters(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return small(x) == small(y); });
}

std::string upper(std::string_view text) {
    std::string result(text);
    for (char& c : result) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return result;
}

std::string_view spelling(Section section) {
    switch (section) {
        case Section::Initial:
            return "INITIAL";
        case Section::Output:
            return "OUTPUT";
        case Section::Dynamics:
            return "DYNAMICS";
        case Section::Connect:
            return "CONNECT";
    }
    return "";
}

std::string_view spelling(SystemKind kind) {
    switch (kind) {
        case SystemKind::Continuous:
            return "CONTINUOUS";
        case SystemKind::Discrete:
            return "DISCRETE";
        case SystemKind::Connecting:
            return "CONNECTING";
        case SystemKind::Model:
            return "MODEL";
    }
    return "";
}

std::string_view spelling(SystemRole role) {
    switch (role) {
        case SystemRole::Input:
            return "INPUT";
        case SystemRole::Output:
            return "OUTPUT";
        case SystemRole::Time:
            return "TIME";
        case SystemRole::State:
            return "STATE";
        case SystemRole::Initial:
            return "INIT";
        case SystemRole::Derivative:
            return "DER";
        case SystemRole::New:
            return "NEW";
        case SystemRole::SampleTime:
            return "TSAMP";
        case SystemRole::Parameter:
            return "PAR";
        case SystemRole::Auxiliary:
            return "VAR";
    }
    return "";
}

std::optional<std::size_t> System::find(std::string_view name) const {
    const auto found = by_letters_.find(upper(name));
    if (found == by_letters_.end()) return std::nullopt;
    for (std::size_t i : found->second)
        if (variables[i].name == name) return i;
    if (found->second.size() > 1) return std::nullopt;
    return found->second.front();
}

bool System::ambiguous(std::string_view name) const {
    const auto found = by_letters_.find(upper(name));
    return found != by_letters_.end() && !find(name);
}

std::size_t System::add(SystemVariable variable) {
    by_letters_[upper(variable.name)].push_back(variables.size());
    variables.push_back(std::move(variable));
    return variables.size() - 1;
}

}  // namespace cutset::simnon

#include "session/names.h"

#include <algorithm>

#include "ir/find_variables.h"
#include "session/messages.h"

namespace cutset {

namespace messages = session_messages;

namespace {

// The place where the last name of a path begins: dots inside brackets do not count.
std::size_t last_name(std::string_view path) {
    int depth = 0;
    for (std::size_t i = path.size(); i-- > 0;) {
        if (path[i] == ']' || path[i] == ')') ++depth;
        if (path[i] == '[' || path[i] == '(') --depth;
        if (path[i] == '.' && depth == 0) return i + 1;
    }
    return 0;
}

std::string with_dots(std::string name) {
    for (std::size_t at; (at = name.find("::")) != std::string::npos;) name.replace(at, 2, ".");
    return name;
}

}  // namespace

std::string path_in(const SystemSummary& system, const std::string& name) {
    if (system.path.empty()) return name;
    const auto of = differentiated_path(name);
    return of ? "der(" + system.path + "." + *of + ")" : system.path + "." + name;
}

NameIndex::NameIndex(const std::vector<LiveModel::Quantity>& quantities,
                     const std::vector<SystemSummary>& systems, bool brackets, std::string listing)
    : systems_(systems), brackets_(brackets), listing_(std::move(listing)) {
    for (const LiveModel::Quantity& quantity : quantities) {
        const std::size_t k = entries_.size();
        entries_.push_back({quantity.path, quantity.kind, quantity.path.substr(last_name(quantity.path))});
        by_path_[lower_case(quantity.path)].push_back(k);
        by_last_[lower_case(entries_[k].last)].push_back(k);
    }
}

const SystemSummary* NameIndex::system(std::string_view name) const {
    const SystemSummary* found = nullptr;
    for (const SystemSummary& system : systems_)
        if (system.name == name || (!system.path.empty() && system.path == name)) return &system;
    for (const SystemSummary& system : systems_)
        if (equal_ignoring_case(system.name, name) || equal_ignoring_case(system.path, name)) {
            if (found) return nullptr;
            found = &system;
        }
    return found;
}

std::string NameIndex::shown(const std::string& path) const {
    if (!brackets_) return path;
    const std::size_t at = last_name(path);
    return at == 0 ? path : path.substr(at) + "[" + path.substr(0, at - 1) + "]";
}

std::optional<WrittenName> NameIndex::read(TokenReader& tokens) const {
    const auto word = tokens.word();
    if (!word) return std::nullopt;
    WrittenName out{*word, {}};
    while (tokens.next_is('[') && (tokens.adjacent() || tokens.peek(1).kind == CommandToken::Kind::Word)) {
        const std::size_t place = tokens.place();
        tokens.any();
        std::string inside;
        bool numbers = true, closed = false;
        while (!tokens.at_end() && !(closed = tokens.take(']'))) {
            const CommandToken token = tokens.any();
            numbers = numbers && (token.kind == CommandToken::Kind::Number || token.is(','));
            inside += token.text;
        }
        if (!closed) {
            tokens.go_to(place);
            return out;
        }
        if (!numbers) {
            out.system = inside;
            return out;
        }
        out.name += "[" + inside + "]";
        if (tokens.adjacent() && tokens.peek().kind == CommandToken::Kind::Word &&
            tokens.peek().text[0] == '.')
            out.name += tokens.any().text;
    }
    // `Y(MOTOR)`, `der(x)`
    if (tokens.next_is('(') && tokens.peek(1).kind == CommandToken::Kind::Word && tokens.peek(2).is(')')) {
        const std::string inside = tokens.peek(1).text;
        const bool derivative = equal_ignoring_case(out.name, "der") && !by_last_.contains("der");
        if (derivative || system(inside)) {
            tokens.go_to(tokens.place() + 3);
            if (derivative)
                out.name = "der(" + inside + ")";
            else
                out.system = inside;
        }
    }
    return out;
}

std::optional<NamedQuantity> NameIndex::find(const WrittenName& written,
                                             const std::vector<LiveModel::Kind>& wanted,
                                             std::optional<Diagnostic>& problem) const {
    // A derivative is that of its variable.
    const auto of = differentiated_path(written.name);
    if (of && written.system.empty() && !by_path_.contains(lower_case(written.name))) {
        auto variable = find(WrittenName{*of, {}}, {LiveModel::Kind::State}, problem);
        if (variable)
            *variable = {"der(" + variable->path + ")", "der(" + variable->shown + ")",
                         LiveModel::Kind::Other};
        return variable;
    }
    if (written.system.empty() && equal_ignoring_case(written.name, "time") && !by_path_.contains("time"))
        return NamedQuantity{"time", "time", LiveModel::Kind::Other};
    std::vector<std::size_t> found;
    const auto keep_if = [&](const auto& condition) {
        std::vector<std::size_t> kept;
        std::copy_if(found.begin(), found.end(), std::back_inserter(kept), condition);
        if (!kept.empty()) found = std::move(kept);
    };
    std::string name = with_dots(written.name);
    bool by_last = false;
    if (!written.system.empty()) {
        const SystemSummary* const system = this->system(written.system);
        if (!system) {
            std::vector<std::string> names;
            for (const SystemSummary& s : systems_) names.push_back(s.name);
            problem = messages::unknown_system(written.system, names);
            return std::nullopt;
        }
        name = path_in(*system, name);
    }
    if (const auto at = by_path_.find(lower_case(name)); at != by_path_.end()) {
        found = at->second;
        keep_if([&](std::size_t k) { return entries_[k].path == name; });
    } else if (const auto last = by_last_.find(lower_case(name));
               last != by_last_.end() && written.system.empty()) {
        found = last->second;
        by_last = true;
        keep_if([&](std::size_t k) {
            return wanted.empty() ||
                   std::find(wanted.begin(), wanted.end(), entries_[k].kind) != wanted.end();
        });
        keep_if([&](std::size_t k) { return entries_[k].last == name; });
    }
    if (found.size() > 1) {
        std::vector<std::string> names;
        for (const std::size_t k : found) names.push_back(shown(entries_[k].path));
        problem = messages::ambiguous_variable(written.text(), names);
        return std::nullopt;
    }
    if (found.empty()) {
        // The time under the name that a system gives it.
        for (const SystemSummary& system : systems_)
            for (const SystemSummary::Variable& variable : system.variables)
                if (variable.role == SystemRole::Time && equal_ignoring_case(variable.name, written.name) &&
                    (written.system.empty() || this->system(written.system) == &system))
                    return NamedQuantity{"time", written.text(), LiveModel::Kind::Other};
        std::vector<std::string> names;
        for (const Entry& entry : entries_) names.push_back(shown(entry.path));
        std::string near = nearest_name(written.text(), names);
        if (near.empty()) {
            names.clear();
            for (const Entry& entry : entries_) names.push_back(entry.last);
            near = nearest_name(written.name, names);
        }
        problem = messages::unknown_variable(written.text(), near, listing_, entries_.size());
        return std::nullopt;
    }
    const Entry& entry = entries_[found[0]];
    return NamedQuantity{entry.path,
                         by_last                  ? entry.last
                         : written.system.empty() ? entry.path
                                                  : shown(entry.path),
                         entry.kind};
}

std::vector<std::string> NameIndex::spellings(const std::vector<LiveModel::Kind>& kinds,
                                              bool shown_only) const {
    std::vector<std::string> out;
    for (const Entry& entry : entries_) {
        if (!kinds.empty() && std::find(kinds.begin(), kinds.end(), entry.kind) == kinds.end()) continue;
        out.push_back(shown(entry.path));
        if (shown_only) continue;
        if (brackets_ && out.back() != entry.path) out.push_back(entry.path);
        if (out.back() != entry.last && by_last_.at(lower_case(entry.last)).size() == 1)
            out.push_back(entry.last);
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

}  // namespace cutset

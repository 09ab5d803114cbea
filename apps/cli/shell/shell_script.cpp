#include "shell/shell_script.h"

#include <algorithm>

namespace cutset::cli {

std::pair<std::string, bool> without_prompt(std::string_view line) {
    bool prompted = false;
    std::size_t from = 0;
    while (from < line.size() && (line[from] == ' ' || line[from] == '\t' || line[from] == '>')) {
        if (line[from] == '>') prompted = true;
        ++from;
    }
    return {std::string(line.substr(from)), prompted};
}

namespace {

// Printed manuals indent what the program says.
bool same_words(std::string_view a, std::string_view b) {
    const auto trimmed = [](std::string_view text) {
        while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
        while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
        return text;
    };
    return trimmed(a) == trimmed(b);
}

}  // namespace

std::optional<std::string> ScriptLines::line() {
    std::string text;
    if (!std::getline(input_, text)) return std::nullopt;
    ++number_;
    if (!text.empty() && text.back() == '\r') text.pop_back();
    if (number_ == 1 && text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
    return text;
}

std::optional<std::string> ScriptLines::command() {
    for (;;) {
        const auto text = line();
        printed_.clear();
        if (!text) return std::nullopt;
        auto [command, prompted] = without_prompt(*text);
        // Comments and empty lines do not decide it.
        if (!transcript_ && (prompted || (!command.empty() && command[0] != '"'))) transcript_ = prompted;
        if (transcript_.value_or(false) && !prompted) continue;
        return command;
    }
}

std::optional<std::string> ScriptLines::further(std::string_view prompt) {
    const bool with_prompt = prompt.find('>') != std::string_view::npos;
    const std::string_view sign = prompt.substr(std::min(prompt.find_first_not_of(' '), prompt.size()));
    for (;;) {
        const auto text = line();
        if (!text) return std::nullopt;
        if (!with_prompt) {
            // Lines that were printed come in their order; some may be missing.
            const auto repeated = std::find_if(printed_.begin(), printed_.end(),
                                               [&](const std::string& p) { return same_words(p, *text); });
            const bool output = transcript_.value_or(false) && repeated != printed_.end();
            printed_.erase(printed_.begin(), output ? repeated + 1 : printed_.end());
            if (output) continue;
            return text;
        }
        const std::string_view rest =
            std::string_view(*text).substr(std::min(text->find_first_not_of(" \t"), text->size()));
        // `K>3` is the answer to `K>`.
        const bool same = rest.starts_with(sign);
        auto [answer, prompted] = without_prompt(same ? rest.substr(sign.size()) : rest);
        if (transcript_.value_or(false) && !same && !prompted) continue;
        printed_.clear();
        return answer;
    }
}

void ScriptLines::printed(std::string_view text) {
    if (!transcript_.value_or(false)) return;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        printed_.emplace_back(text.substr(0, end));
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
    }
    while (printed_.size() > 10000) printed_.pop_front();
}

}  // namespace cutset::cli

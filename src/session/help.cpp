#include "session/help.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace cutset {

namespace {

bool begins_with(std::string_view text, std::string_view beginning) {
    return text.size() >= beginning.size() &&
           std::equal(beginning.begin(), beginning.end(), text.begin(),
                      [](unsigned char a, unsigned char b) { return std::toupper(a) == std::toupper(b); });
}

// Lines of at most `width` characters, each with `indent` blanks before it.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
    std::string out, line(indent, ' ');
    std::size_t at = 0;
    while (at < text.size()) {
        if (text[at] == '\n') {
            out += line + "\n";
            line.assign(indent, ' ');
            ++at;
            continue;
        }
        const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
        const std::string_view word = text.substr(at, end - at);
        if (line.size() > indent && line.size() + 1 + word.size() > width) {
            out += line + "\n";
            line.assign(indent, ' ');
        }
        if (line.size() > indent) line += ' ';
        line += word;
        at = end < text.size() && text[end] == ' ' ? end + 1 : end;
    }
    if (line.size() > indent) out += line + "\n";
    return out;
}

std::string help_of(const CommandHelp& c) {
    std::string out = fmt::format("{}\n  {}\n", c.usage, c.summary);
    if (!c.text.empty()) out += "\n" + wrapped(c.text, 2, 88);
    if (!c.examples.empty()) {
        out += "\nExamples:\n";
        std::string_view rest = c.examples;
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find('\n'), rest.size());
            out += fmt::format("  {}\n", rest.substr(0, end));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    }
    while (!out.empty() && out.back() == '\n') out.pop_back();
    return out;
}

}  // namespace

std::string help_overview(const std::vector<std::string>& operations) {
    std::string out = "Commands, in any letter case; enough letters to tell them apart will do:\n";
    std::string_view group;
    for (const CommandHelp& c : all_command_help()) {
        if (c.group != group) {
            group = c.group;
            out += fmt::format("\n{}\n", group);
        }
        out += fmt::format("  {:<11}{}\n", c.name, c.summary);
    }
    out += "\nOperations of the program, on the active system with its present values:\n";
    std::string names;
    for (const std::string& name : operations) names += (names.empty() ? "" : " ") + name;
    out += wrapped(names, 2, 88);
    out +=
        "\n`help SIMU` says more about one command, `help bode` about an operation; `?` says what the last\n"
        "result means, `??` proposes what to do next. A \" begins a comment. Tab completes, Ctrl-R searches\n"
        "the history and `history` lists it, `!ls` is a command of the system, Ctrl-C stops a run or clears "
        "the\n"
        "line, Ctrl-D ends.";
    return out;
}

std::optional<std::string> help_on(std::string_view word) {
    // Words that are explained with others.
    static constexpr std::pair<std::string_view, std::string_view> others[] = {
        {"NEXT", "FOR"}, {"GOTO", "IF"},        {"LABEL", "IF"}, {"DEFAULT", "LET"},
        {"FREE", "LET"}, {"RESUME", "SUSPEND"}, {"END", "MACRO"}};
    for (const auto& [other, name] : others)
        if (other.size() == word.size() && begins_with(other, word)) word = name;
    const CommandHelp* found = nullptr;
    for (const CommandHelp& c : all_command_help()) {
        if (!begins_with(c.name, word)) continue;
        if (c.name.size() == word.size()) return help_of(c);
        if (found) return std::nullopt;  // several
        found = &c;
    }
    if (!found) return std::nullopt;
    return help_of(*found);
}

}  // namespace cutset

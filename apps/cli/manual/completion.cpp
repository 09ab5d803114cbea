#include "manual/completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "manual/option_text.h"

namespace cutset::cli {

namespace {

// Replaces a mark of a template by text.
std::string filled(std::string text, std::string_view mark, const std::string& by) {
    text.replace(text.find(mark), mark.size(), by);
    return text;
}

// In single quotes for bash and zsh.
std::string shell_quoted(std::string_view text) {
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

// Lines `case` of bash: the patterns that lead to the same action stand together.
std::string bash_cases(const std::map<std::string, std::vector<std::string>>& patterns) {
    std::string text;
    for (const auto& [action, these] : patterns)
        text += fmt::format("        {}) {} ;;\n", fmt::join(these, " | "), action);
    return text;
}

constexpr std::string_view bash_script =
    R"(# Completion of cutset for bash: `source <(cutset --print-completion bash)`.
_cutset_words() {
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
}
_cutset_files() {
    local current=$1 ending
    shift
    mapfile -t COMPREPLY < <(
        compgen -d -- "$current"
        for ending in "$@"; do compgen -f -X "!*$ending" -- "$current"; done
    )
}
_cutset() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        _cutset_words '@commands@' "$current"
        return
    fi
    case "$command $previous" in
@values@    esac
    if [[ $current == -* ]]; then
        case $command in
@options@        esac
        return
    fi
    case $command in
@files@    esac
}
complete -o filenames -o default -F _cutset cutset
)";

// As _arguments of zsh wants descriptions.
std::string zsh_text(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
        result += c;
    }
    return result;
}

std::string zsh_action(const Option& option) {
    if (!option.proposals().empty()) return fmt::format("({})", fmt::join(option.proposals(), " "));
    if (option.endings().empty()) return option.is_positional() ? " " : "_files";
    std::vector<std::string> endings;
    for (const std::string& ending : option.endings()) endings.push_back(ending.substr(1));
    return fmt::format("_files -g \"*.({})\"", fmt::join(endings, "|"));
}

std::string zsh_argument(const Option& option) {
    const std::string action =
        fmt::format("{}:{}", value_text(option) == "FILE" ? "FILE" : "VALUE", zsh_action(option));
    if (option.is_positional())
        return shell_quoted(
            fmt::format("{}:{}:{}", option.may_be_repeated() ? "*" : "", option.names(), zsh_action(option)));
    const std::string rest =
        fmt::format("[{}]{}", zsh_text(short_help(option)), option.takes_value() ? ":" + action : "");
    const std::vector<std::string> names = names_of(option);
    if (names.size() == 1) return shell_quoted((option.may_be_repeated() ? "*" : "") + names.front() + rest);
    return fmt::format("{}{{{}}}{}", shell_quoted(fmt::format("({})", fmt::join(names, " "))),
                       fmt::join(names, ","), shell_quoted(rest));
}

constexpr std::string_view zsh_script = R"(#compdef cutset
# Completion of cutset for zsh: as _cutset in a directory of $fpath, or `source <(cutset --print-completion zsh)`.
_cutset() {
    local -a commands
    commands=(
@commands@    )
    if (( CURRENT == 2 )); then
        _describe command commands
        return
    fi
    local command=$words[2]
    shift words
    (( CURRENT-- ))
    case $command in
@arguments@    esac
}
if [ "$funcstack[1]" = _cutset ]; then
    _cutset "$@"
else
    compdef _cutset cutset
fi
)";

// In single quotes for fish.
std::string fish_quoted(std::string_view text) {
    std::string result = "'";
    for (const char c : text) {
        if (c == '\'' || c == '\\') result += '\\';
        result += c;
    }
    return result + "'";
}

// An option as `complete` of fish takes it, without the commands that have it.
std::string fish_option(const Option& option) {
    std::string text;
    if (option.is_positional()) {
        for (const std::string& ending : option.endings()) text += " " + ending;
        return text.empty() ? "" : fmt::format("-a '(__cutset_files{})'", text);
    }
    for (const std::string& name : names_of(option))
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (!option.proposals().empty())
        text += fmt::format(" -x -a '{}'", fmt::join(option.proposals(), " "));
    else if (option.takes_value())
        text += " -r -F";
    return fmt::format("{} -d {}", text.substr(1), fish_quoted(short_help(option)));
}

constexpr std::string_view fish_script =
    R"(# Completion of cutset for fish: `cutset --print-completion fish | source`.
function __cutset_no_command
    test (count (commandline -opc)) -eq 1
end
function __cutset_command
    set -l words (commandline -opc)
    test (count $words) -gt 1; and contains -- $words[2] $argv
end
function __cutset_files
    set -l endings (string join '|' / (string escape --style=regex -- $argv))
    __fish_complete_path (commandline -ct) | string match -r -- '^[^\t]*(?:'$endings')(?:\t.*)?$'
end
complete -c cutset -f
@commands@@options@)";

}  // namespace

std::string bash_completion(const CommandLine& line) {
    std::vector<std::string> commands = {"--help", "--version"};
    std::map<std::string, std::vector<std::string>> values, options, files;
    for (const Command& command : line.commands()) {
        commands.push_back(command.name());
        std::vector<std::string> names = {"--help"};
        bool takes_file = false;  // the first positional decides
        for (const Option& option : command.options()) {
            if (option.is_positional()) {
                if (takes_file || option.endings().empty()) continue;
                takes_file = true;
                files[fmt::format("_cutset_files \"$current\" {}", fmt::join(option.endings(), " "))]
                    .push_back(command.name());
                continue;
            }
            for (const std::string& name : names_of(option)) {
                names.push_back(name);
                if (!option.takes_value()) continue;
                const std::string action = option.proposals().empty()
                                               ? "return"
                                               : fmt::format("_cutset_words '{}' \"$current\" && return",
                                                             fmt::join(option.proposals(), " "));
                values[action].push_back(shell_quoted(command.name() + " " + name));
            }
        }
        options[fmt::format("_cutset_words '{}' \"$current\"", fmt::join(names, " "))].push_back(
            command.name());
    }
    std::string text =
        filled(std::string(bash_script), "@commands@", fmt::format("{}", fmt::join(commands, " ")));
    text = filled(text, "@values@", bash_cases(values));
    text = filled(text, "@options@", bash_cases(options));
    return filled(text, "@files@", bash_cases(files));
}

std::string zsh_completion(const CommandLine& line) {
    std::string commands, arguments;
    for (const Command& command : line.commands()) {
        commands +=
            fmt::format("        {}\n", shell_quoted(command.name() + ":" + zsh_text(command.summary())));
        arguments += fmt::format("        {}) _arguments '--help[help]'", command.name());
        for (const Option& option : command.options())
            arguments += fmt::format(" \\\n            {}", zsh_argument(option));
        arguments += " ;;\n";
    }
    return filled(filled(std::string(zsh_script), "@commands@", commands), "@arguments@", arguments);
}

std::string fish_completion(const CommandLine& line) {
    std::string commands, options;
    std::map<std::string, std::vector<std::string>> commands_with;
    std::vector<std::string> order;
    for (const Command& command : line.commands()) {
        commands += fmt::format("complete -c cutset -n __cutset_no_command -a {} -d {}\n", command.name(),
                                fish_quoted(command.summary()));
        for (const Option& option : command.options()) {
            const std::string text = fish_option(option);
            if (text.empty()) continue;
            std::vector<std::string>& these = commands_with[text];
            if (these.empty()) order.push_back(text);
            these.push_back(command.name());
        }
    }
    for (const std::string& text : order)
        options += fmt::format("complete -c cutset -n '__cutset_command {}' {}\n",
                               fmt::join(commands_with[text], " "), text);
    return filled(filled(std::string(fish_script), "@commands@", commands), "@options@", options);
}

}  // namespace cutset::cli

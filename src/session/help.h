// `help` and `help SIMU`: what each command of the experiment language does, with examples.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cutset {

struct CommandHelp {
    std::string_view name;      // "SIMU"
    std::string_view group;     // "Model", "Run", ...
    std::string_view usage;     // "SIMU [start stop [increment]] [-CONT] [-MARK] [/file]"
    std::string_view summary;   // one line
    std::string_view text;      // more, may be empty
    std::string_view examples;  // lines "SIMU 0 25    from 0 to 25"
};
const std::vector<CommandHelp>& all_command_help();

// The list of all commands, for `help` alone; `operations` are those of the program.
std::string help_overview(const std::vector<std::string>& operations);
// For `help WORD`, any letter case, also abbreviations that are unique; nothing when there is no such
// command. Operations of the program have their own --help.
std::optional<std::string> help_on(std::string_view word);

}  // namespace cutset

// Which command a line means, and what macros do between commands: variables, loops, tests, jumps.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "session/workbench.h"

namespace cutset {

struct CommandEntry {
    const char* name;
    CommandFunction function;  // null: the interpreter does it itself
    bool paths;                // its arguments are names of files
};
// Those of the manual first.
const std::vector<CommandEntry>& command_table();
constexpr std::size_t manual_commands = 17;
// Words that have a meaning in macros; they have no abbreviations.
const std::vector<std::string>& control_words();

struct CommandMeaning {
    enum class Kind { None, Command, Control, Macro, Operation };
    Kind kind = Kind::None;
    std::string name;  // in full
    const CommandEntry* command = nullptr;
    std::shared_ptr<const Macro> macro;
    bool reported = false;  // a macro file with errors
};
// Whether it is the whole word of a command, an operation or a macro that was typed: no variable goes before.
bool is_full_name(const Workbench& bench, std::string_view word);
CommandMeaning meaning_of(Workbench& bench, std::string_view word, bool report);

// One line at the prompt with all that it calls.
Session::Outcome execute_line(Workbench& bench, std::string_view line);

// Blanks and `>` at the beginning left out.
std::string_view without_prompt(std::string_view line);

}  // namespace cutset

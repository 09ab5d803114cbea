#include "session/command_language.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

namespace cutset {

namespace {

struct Spelling {
    std::string_view option;
    std::string_view command;  // what stands for the option
    bool assigns = false;      // `=` after the name is `:`
    bool person = false;       // a command that only a person may give
};
constexpr Spelling spellings[] = {
    {"--initial", "experiment: --initial",
     false},  // there is no command for it: the head of the text says it
    {"--init", "INIT", true},
    {"--set", "PAR", true},
    {"--input", "INPUT", true},
    {"--tolerance", "ERROR", false},
    {"--solver", "ALGOR", false},
    {"--step-size", "increment of SIMU", false},
    {"--max-step", "increment of SIMU", false},
    {"--stop", "stop time of SIMU", false},
    {"--step", "increment of SIMU", false},
    {"--points", "increment of SIMU", false},
    {"--strict", "TURN STRICT ON", false},
    {"--allow-external", "TURN EXTERNAL ON", false, true},
    {"--library", "cutset shell --library", false},
    {"--checkpoint", "CHECKPOINT NAME /", false},
    {"--output", "SIMU …/NAME", false},
};

bool in_option(char c) {
    return (c >= 'a' && c <= 'z') || c == '-';
}

std::string in_commands(std::string_view text, bool person) {
    std::string out;
    std::size_t i = 0;
    bool assignment = false, quoted = false;  // the words after an option that assigns
    while (i < text.size()) {
        const bool begins = i == 0 || !in_option(text[i - 1]);
        if (begins && text.substr(i, 2) == "--") {
            std::size_t end = i;
            while (end < text.size() && in_option(text[end])) ++end;
            const std::string_view option = text.substr(i, end - i);
            const auto* spelling = std::find_if(std::begin(spellings), std::end(spellings),
                                                [&](const Spelling& s) { return s.option == option; });
            i = end;
            if (spelling == std::end(spellings) || (spelling->person && !person)) {
                out += option;
                continue;
            }
            out += spelling->command;
            assignment = spelling->assigns;
            // `--input "u=…"` is one word to the command line.
            quoted = assignment && text.substr(i, 2) == " \"";
            if (quoted) {
                out += ' ';
                i += 2;
            }
            continue;
        }
        if (assignment && text[i] == '=') {
            out += ':';
            assignment = false;
        } else if (quoted && text[i] == '"') {
            quoted = false;
        } else {
            out += text[i];
        }
        ++i;
    }
    return out;
}

}  // namespace

Diagnostic in_commands(Diagnostic diagnostic, bool person) {
    diagnostic.message = in_commands(diagnostic.message, person);
    diagnostic.help = in_commands(diagnostic.help, person);
    for (std::string& detail : diagnostic.details) detail = in_commands(detail, person);
    return diagnostic;
}

}  // namespace cutset

#include "manual/man_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "manual/option_text.h"

namespace cutset::cli {

namespace {

// Text as roff has it: a backslash, a minus and a dot or quote at the beginning of a line mean something
// there.
std::string roff(std::string_view text) {
    std::string result;
    bool line_begins = true;
    for (const char c : text) {
        if (line_begins && (c == '.' || c == '\'')) result += "\\&";
        line_begins = c == '\n';
        if (c == '\\')
            result += "\\e";
        else if (c == '-')
            result += "\\-";
        else
            result += c;
    }
    return result;
}

std::string upper(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

std::string option_entry(const Option& option) {
    std::vector<std::string> names;
    for (const std::string& name : names_of(option)) names.push_back(fmt::format("\\fB{}\\fR", roff(name)));
    std::string text = fmt::format(".TP\n{}", fmt::join(names, ", "));
    if (option.takes_value() && !option.is_positional())
        text += fmt::format(" \\fI{}\\fR", roff(value_text(option)));
    return fmt::format("{}\n{}\n", text, roff(option.help()));
}

// An option that many commands have is described once.
class SharedOptions {
  public:
    explicit SharedOptions(const CommandLine& line) {
        for (const Command& command : line.commands())
            for (const Option& option : command.options()) ++counts_[key(option)];
    }
    bool contains(const Option& option) const {
        const auto found = counts_.find(key(option));
        return found != counts_.end() && found->second >= enough;
    }

  private:
    static constexpr int enough = 5;
    static std::pair<std::string, std::string> key(const Option& option) {
        return {option.names(), option.help()};
    }
    std::map<std::pair<std::string, std::string>, int> counts_;
};

std::string shared_options_section(const CommandLine& line, const SharedOptions& shared) {
    std::string text = ".SH ARGUMENTS AND OPTIONS OF MANY COMMANDS\n";
    std::vector<std::string> seen;
    for (const Command& command : line.commands())
        for (const Option& option : command.options())
            if (shared.contains(option) &&
                std::find(seen.begin(), seen.end(), option.names() + option.help()) == seen.end()) {
                seen.push_back(option.names() + option.help());
                text += option_entry(option);
            }
    return text;
}

std::string command_section(const Command& command, const SharedOptions& shared) {
    std::string text = fmt::format(".SS cutset {} {}\n{}\n", roff(command.name()), roff(usage(command)),
                                   roff(command.summary()));
    std::vector<std::string> also;
    for (const Option& option : command.options()) {
        if (!shared.contains(option))
            text += option_entry(option);
        else if (!option.is_positional())
            also.push_back(roff(names_of(option).back()));
    }
    if (!also.empty()) text += fmt::format(".PP\nAlso {}.\n", fmt::join(also, ", "));
    if (!command.footer().empty()) text += fmt::format(".PP\n.nf\n{}\n.fi\n", roff(command.footer()));
    return text;
}

}  // namespace

std::string man_page(const CommandLine& line) {
    const SharedOptions shared(line);
    std::string text = fmt::format(
        ".\\\" Written by cutset --print-man from its table of commands.\n"
        ".TH CUTSET 1 \"\" \"{}\" \"User Commands\"\n"
        ".SH NAME\ncutset \\- modelling and simulation of physical systems from equations\n"
        ".SH SYNOPSIS\n\\fBcutset\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR] [\\fIFILE\\fR] [\\fIMODEL\\fR]\n"
        ".br\n\\fBcutset\\fR\n"
        ".SH DESCRIPTION\n{}\nWithout arguments it is a shell, in which models are loaded, run, changed and "
        "run "
        "again.\n\\fBcutset\\fR \\fICOMMAND\\fR \\fB\\-\\-help\\fR says what is said here about one "
        "command.\n",
        roff(line.version()), roff(line.description()));
    std::string group;
    for (const Command& command : line.commands()) {
        if (command.group() != group) text += fmt::format(".SH {}\n", roff(upper(group = command.group())));
        text += command_section(command, shared);
    }
    text += shared_options_section(line, shared);
    text +=
        ".SH EXIT STATUS\n"
        ".TP\n0\ndone\n.TP\n1\nthe model or the run failed\n.TP\n2\nthe command line was wrong\n"
        ".TP\n3\na bug in Cutset, or no memory left\n"
        ".SH ENVIRONMENT\n"
        ".TP\nCUTSET_PATH\ndirectories with .dym libraries, separated by colons\n"
        ".TP\nCUTSET_CACHE\nwhere translations are kept between runs; off: nowhere\n"
        ".SH FILES\n.TP\n~/.cache/cutset\ntranslations that serve until a text changes\n";
    text += fmt::format(".SH EXAMPLES\n.nf\n{}\n.fi\n", roff(line.footer()));
    return text;
}

}  // namespace cutset::cli

#include "command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>
#include <type_traits>

#include "base/diagnostic.h"
#include "base/json.h"
#include "output/curves.h"
#include "output/json_output.h"

namespace cutset::cli {

Option& Option::required() {
    required_ = true;
    return *this;
}
Option& Option::excludes(std::string name) {
    excluded_ = std::move(name);
    return *this;
}
Option& Option::files(std::vector<std::string> endings) {
    endings_ = std::move(endings);
    return *this;
}
Option& Option::proposes(std::vector<std::string> words) {
    proposals_ = std::move(words);
    return *this;
}
bool Option::takes_value() const {
    if (const auto* step = std::get_if<StepTarget>(&target_)) return step->takes_value;
    return !std::holds_alternative<FlagTarget>(target_);
}
bool Option::may_be_repeated() const {
    return std::holds_alternative<StepTarget>(target_) || std::holds_alternative<ListTarget>(target_);
}

Option& Command::add(std::string names, OptionTarget target, std::string help) {
    Option& o = options_.emplace_back();
    o.names_ = std::move(names);
    o.target_ = std::move(target);
    o.help_ = std::move(help);
    return o;
}
Option& Command::positional(std::string name, std::string& value, std::string help, bool required) {
    Option& o = add(std::move(name), &value, std::move(help));
    o.required_ = required;
    return o;
}
Option& Command::positionals(std::string name, std::vector<std::string>& values, std::string help) {
    return add(std::move(name), ListTarget{&values, false, true}, std::move(help));
}
Option& Command::option(std::string names, std::string& value, std::string help) {
    return add(std::move(names), &value, std::move(help));
}
Option& Command::option(std::string names, std::optional<std::string>& value, std::string help) {
    return add(std::move(names), &value, std::move(help));
}
Option& Command::option(std::string names, double& value, std::string help) {
    return add(std::move(names), &value, std::move(help));
}
Option& Command::option(std::string names, std::optional<double>& value, std::string help) {
    return add(std::move(names), &value, std::move(help));
}
Option& Command::option(std::string names, int& value, std::string help) {
    return add(std::move(names), &value, std::move(help));
}
Option& Command::option(std::string names, std::optional<int>& value, std::string help) {
    return add(std::move(names), &value, std::move(help));
}
Option& Command::option(std::string names, std::vector<std::string>& values, std::string help) {
    return add(std::move(names), ListTarget{&values, false, false}, std::move(help));
}
Option& Command::list(std::string names, std::vector<std::string>& values, std::string help) {
    return add(std::move(names), ListTarget{&values, true, false}, std::move(help));
}
Option& Command::add_choice(std::string names, std::vector<std::string> words, std::string help,
                            TakeValue set) {
    Option& o = add(std::move(names), ChoiceTarget{std::move(set)}, std::move(help));
    o.words_ = std::move(words);
    return o;
}
Option& Command::choice(std::string names, std::string& value, std::vector<std::string> words,
                        std::string help) {
    return add_choice(std::move(names), std::move(words), std::move(help),
                      [&value](const std::string& given) { value = given; });
}
Option& Command::flag(std::string names, bool& value, std::string help) {
    return add(std::move(names), FlagTarget{&value}, std::move(help));
}
Option& Command::add_step(std::string name, bool takes_value, std::string help, TakeValue take) {
    return add(std::move(name), StepTarget{std::move(take), takes_value}, std::move(help));
}
void Command::footer(std::string text) {
    footer_ = std::move(text);
}
void Command::prepare(std::function<std::optional<int>()> step) {
    prepare_.push_back(std::move(step));
}

CommandLine::CommandLine(std::string description, std::string version, std::string footer)
    : description_(std::move(description)), version_(std::move(version)), footer_(std::move(footer)) {}

Command& CommandLine::add(std::string name, std::string group, std::string summary,
                          std::function<int()> run) {
    Command& command = commands_.emplace_back();
    command.name_ = std::move(name);
    command.group_ = std::move(group);
    command.summary_ = std::move(summary);
    command.run_ = std::move(run);
    return command;
}

namespace {

CLI::Option* build_option(CLI::App& app, const std::string& names, const OptionTarget& target,
                          const std::string& help) {
    return std::visit(
        [&](auto value) -> CLI::Option* {
            if constexpr (std::is_same_v<decltype(value), FlagTarget>) {
                return app.add_flag(names, *value.value, help);
            } else if constexpr (std::is_same_v<decltype(value), StepTarget>) {
                // At once, so that the order is that of the command line.
                if (!value.takes_value)
                    return app
                        .add_flag_callback(
                            names, [add = value.add] { add(""); }, help)
                        ->trigger_on_parse();
                return app.add_option_function<std::string>(names, value.add, help)->trigger_on_parse();
            } else if constexpr (std::is_same_v<decltype(value), ChoiceTarget>) {
                return app.add_option_function<std::string>(names, value.set, help);
            } else if constexpr (std::is_same_v<decltype(value), ListTarget>) {
                CLI::Option* option = app.add_option(names, *value.values, help);
                if (!value.positional) option->take_all()->allow_extra_args(false);
                return option;
            } else {
                return app.add_option(names, *value, help);
            }
        },
        target);
}

void split_at_commas(std::vector<std::string>& values) {
    std::vector<std::string> parts;
    for (const std::string& value : values)
        for (std::string& part : split_names(value)) parts.push_back(std::move(part));
    values = std::move(parts);
}

// With --json, what is wrong with a command line.
void print_refused(const std::string& message, const std::string& help) {
    Json out;
    out["errors"] = Json::array();
    out["errors"].push_back({{"code", "bad-option"}, {"message", message}, {"help", help}});
    out["warnings"] = Json::array();
    out["status"] = "error";
    print_json(out);
}

// What is wrong with a command line, in place of the words of the parser.
std::string parse_problem(const CLI::ParseError& e, const std::vector<std::string>& options) {
    const std::string words = e.what();
    const auto behind = [&](std::string_view mark) {
        const std::size_t at = words.find(mark);
        return at == std::string::npos ? words : words.substr(at + mark.size());
    };
    if (dynamic_cast<const CLI::ExtrasError*>(&e)) {
        const std::string all = behind("expected: "), first = all.substr(0, all.find(' '));
        if (!first.starts_with("-")) return fmt::format("{}: more than is wanted here", first);
        const std::string near = nearest_name(first.substr(0, first.find('=')), options);
        return fmt::format("there is no option {}{}", first,
                           near.empty() ? "" : fmt::format("; did you mean {}?", near));
    }
    if (dynamic_cast<const CLI::ConversionError*>(&e)) {
        std::string given = behind("convert: ");
        if (const std::size_t at = given.find(" = "); at != std::string::npos) given.replace(at, 3, " ");
        return fmt::format("{}: a number is wanted", given);
    }
    if (dynamic_cast<const CLI::ExcludesError*>(&e)) {
        const std::size_t at = words.find(" excludes ");
        if (at == std::string::npos) return words;
        return fmt::format("{} and {} exclude each other", words.substr(0, at), behind(" excludes "));
    }
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&e))
        return fmt::format("{} needs a value", words.substr(0, words.find(':')));
    if (dynamic_cast<const CLI::RequiredError*>(&e) && words.ends_with(" is required"))
        return fmt::format("{} is missing", words.substr(0, words.size() - 12));
    if (const std::size_t at = words.find(" not in {"); at != std::string::npos) {
        const std::string choices = words.substr(at + 9, words.size() - at - 10);
        std::string list;
        for (const std::string& choice : split_names(choices)) list += (list.empty() ? "" : ", ") + choice;
        std::string given = words.substr(0, at);
        if (const std::size_t colon = given.find(": "); colon != std::string::npos) given.erase(colon, 1);
        return fmt::format("{}: the choices are {}", given, list);
    }
    return words;
}

// The option of that command that stands twice though it takes one value; "" when there is none.
std::string option_given_twice(const Command& command, int argc, char** argv) {
    for (const Option& o : command.options()) {
        if (!o.takes_value() || o.may_be_repeated()) continue;
        int count = 0;
        for (const std::string& name : split_names(o.names()))
            for (int i = 2; i < argc && name.starts_with("-"); ++i) {
                const std::string_view word = argv[i];
                count +=
                    word == name || (word.starts_with(name) && word.substr(name.size()).starts_with("="));
            }
        const std::size_t full = o.names().find("--");
        if (count > 1) return o.names().substr(full == std::string::npos ? 0 : full);
    }
    return "";
}

}  // namespace

std::vector<std::string> CommandLine::names() const {
    std::vector<std::string> names;
    for (const Command& command : commands_) names.push_back(command.name_);
    return names;
}

std::vector<std::string> CommandLine::options_of(const std::string& name) const {
    std::vector<std::string> names = {"--help"};
    for (const Command& command : commands_)
        if (command.name_ == name)
            for (const Option& o : command.options_)
                if (const std::size_t at = o.names_.find("--"); at != std::string::npos)
                    names.push_back(o.names_.substr(at, o.names_.find(',', at) - at));
    return names;
}

int CommandLine::parse_and_run(int argc, char** argv) {
    CLI::App app{description_};
    app.name(argv[0]);
    app.set_version_flag("--version", version_);
    app.require_subcommand(1);
    app.footer(footer_);
    std::vector<std::string> names;
    std::vector<CLI::App*> parsers;
    for (const Command& command : commands_) {
        names.push_back(command.name_);
        CLI::App* parser = app.add_subcommand(command.name_, command.summary_)->group(command.group_);
        parsers.push_back(parser);
        const auto called = [&](const char* word) { return command.name_ == word; };
        if (std::none_of(argv + 1, argv + argc, called)) continue;
        for (const Option& o : command.options_) {
            CLI::Option* option = build_option(*parser, o.names_, o.target_, o.help_);
            if (o.required_) option->required();
            if (!o.words_.empty()) option->check(CLI::IsMember(o.words_));
            if (!o.excluded_.empty()) option->excludes(parser->get_option(o.excluded_));
        }
        parser->footer(command.footer_);
    }
    if (argc == 1) {
        fmt::print("{}", app.help());
        return 2;
    }
    const bool json = std::any_of(argv + 1, argv + argc, [](std::string_view w) { return w == "--json"; });
    if (const std::string given = argv[1];
        (given.empty() || given[0] != '-') && std::find(names.begin(), names.end(), given) == names.end()) {
        const std::string near = nearest_name(given, names);
        const std::string message = fmt::format("there is no command {}{}", given,
                                                near.empty() ? "" : fmt::format("; did you mean {}?", near));
        const std::string help = "`cutset --help` lists the commands";
        if (json)
            print_refused(message, help);
        else
            fmt::print(stderr, "error: {}\n  help: {}\n", message, help);
        return 2;
    }
    // `--minimize -h` means an expression that begins with a minus, not the option -h: joined to the option,
    // the parser takes it so.
    const auto takes_text = [&](const std::string& word) {
        for (const Command& command : commands_)
            for (const Option& o : command.options_)
                if (command.name_ == argv[1] && o.names_ == word)
                    return std::holds_alternative<std::string*>(o.target_) ||
                           std::holds_alternative<ListTarget>(o.target_);
        return false;
    };
    for (const Command& command : commands_) {
        const std::string twice = command.name_ == argv[1] ? option_given_twice(command, argc, argv) : "";
        if (twice.empty()) continue;
        const std::string message = fmt::format("{} stands twice; it takes one value", twice);
        const std::string help =
            fmt::format("leave one out; `cutset {} --help` says which may be repeated", argv[1]);
        if (json)
            print_refused(message, help);
        else
            fmt::print(stderr, "error: {}\n  help: {}\n", message, help);
        return 2;
    }
    std::vector<std::string> words;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i], next = i + 1 < argc ? argv[i + 1] : "";
        const bool minus = next.size() > 1 && next[0] == '-' && next[1] != '-' && next != "-o";
        words.push_back(minus && takes_text(word) ? word + "=" + argv[++i] : word);
    }
    try {
        std::reverse(words.begin(), words.end());  // as this parser wants them
        app.parse(std::move(words));
    } catch (const CLI::ParseError& e) {
        if (e.get_exit_code() == 0) return app.exit(e);  // --help, --version
        const std::vector<std::string> known = options_of(argv[1]);
        const std::string message = parse_problem(e, known);
        const std::string help = fmt::format("`cutset {} --help` lists the options", argv[1]);
        if (json && std::find(known.begin(), known.end(), "--json") != known.end())
            print_refused(message, help);
        else
            fmt::print(stderr, "error: {}\n  help: {}\n", message, help);
        return 2;
    }
    for (std::size_t i = 0; i < commands_.size(); ++i) {
        if (!*parsers[i]) continue;
        const Command& command = commands_[i];
        for (const Option& o : command.options_)
            if (const auto* list = std::get_if<ListTarget>(&o.target_); list && list->split)
                split_at_commas(*list->values);
        for (const auto& step : command.prepare_)
            if (const auto status = step()) return *status;
        return command.run_();
    }
    return 2;
}

}  // namespace cutset::cli

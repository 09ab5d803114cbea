// The command line: commands with their options, help and dispatch.
//
// A command is declared by data, and its options are values that the parser fills:
//
//     struct CountOptions : ModelOptions { bool all = false; };
//
//     void add_count(CommandLine& line) {
//         auto o = std::make_shared<CountOptions>();
//         Command& c = line.add("count", groups::model, "count the things", [o] { return count(*o); });
//         add_model_options(c, *o);
//         c.flag("--all", o->all, "the small ones too");
//         c.footer("Example:\n  cutset count tanks.dym");
//     }
//
// The options are only recorded here; the parser is built for the command that is called, so that a start
// takes no longer with many commands.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace cutset::cli {

// The groups of `cutset --help`, in the order of their first commands.
namespace groups {
constexpr const char* model = "Model";
constexpr const char* runs = "Runs";
constexpr const char* design = "Operating points and design";
constexpr const char* linear = "Linear systems";
constexpr const char* results = "Results and exchange";
}  // namespace groups

// A switch on.
struct FlagTarget {
    bool* value;
};
// Several values: as given, or each split at its commas.
struct ListTarget {
    std::vector<std::string>* values;
    bool split;
    bool positional;
};
// Options whose order on the command line matters: each adds to a list, where it stands.
struct StepTarget {
    std::function<void(const std::string&)> add;
    bool takes_value;
};
// One of the words of a choice.
struct ChoiceTarget {
    std::function<void(const std::string&)> set;
};
using OptionTarget =
    std::variant<StepTarget, ChoiceTarget, std::string*, std::optional<std::string>*, double*,
                 std::optional<double>*, int*, std::optional<int>*, FlagTarget, ListTarget>;

class Option {
  public:
    Option& required();
    // Not together with this one, which was added before.
    Option& excludes(std::string name);

    // What completion proposes: files with these endings, ".dym"; words, where others are taken too.
    Option& files(std::vector<std::string> endings);
    Option& proposes(std::vector<std::string> words);

    // "-o,--output"; "FILE" of a positional one.
    const std::string& names() const { return names_; }
    const std::string& help() const { return help_; }
    // The words of a choice; empty: everything.
    const std::vector<std::string>& words() const { return words_; }
    const std::vector<std::string>& endings() const { return endings_; }
    // The words of the choice, or those that are proposed.
    const std::vector<std::string>& proposals() const { return words_.empty() ? proposals_ : words_; }
    bool is_positional() const { return !names_.starts_with('-'); }
    bool is_required() const { return required_; }
    bool takes_value() const;
    bool may_be_repeated() const;

  private:
    friend class CommandLine;
    friend class Command;
    std::string names_;
    std::string help_;
    OptionTarget target_;
    std::vector<std::string> words_, proposals_, endings_;
    bool required_ = false;
    std::string excluded_;
};

// The words of an option and what each means.
template <class Value>
using Words = std::vector<std::pair<std::string, Value>>;

class Command {
  public:
    // By place: required or not, and all that are left.
    Option& positional(std::string name, std::string& value, std::string help, bool required);
    Option& positionals(std::string name, std::vector<std::string>& values, std::string help);

    // One value; `names` are "-o,--output" or "--tolerance". What is not a number where one is expected is a
    // wrong command line.
    Option& option(std::string names, std::string& value, std::string help);
    Option& option(std::string names, std::optional<std::string>& value, std::string help);
    Option& option(std::string names, double& value, std::string help);
    Option& option(std::string names, std::optional<double>& value, std::string help);
    Option& option(std::string names, int& value, std::string help);
    Option& option(std::string names, std::optional<int>& value, std::string help);
    // May be repeated, one value each.
    Option& option(std::string names, std::vector<std::string>& values, std::string help);
    // Separated by commas, and may be repeated; commas in brackets do not separate.
    Option& list(std::string names, std::vector<std::string>& values, std::string help);
    // One of these words, or what it means.
    Option& choice(std::string names, std::string& value, std::vector<std::string> words, std::string help);
    template <class Value>
    requires(!std::is_same_v<Value, std::string>) Option& choice(const std::string& names, Value& value,
                                                                 Words<std::type_identity_t<Value>> words,
                                                                 const std::string& help) {
        std::vector<std::string> allowed;
        for (const auto& [word, meaning] : words) allowed.push_back(word);
        return add_choice(names, std::move(allowed), help,
                          [&value, words = std::move(words)](const std::string& given) {
                              for (const auto& [word, meaning] : words)
                                  if (word == given) value = meaning;
                          });
    }
    Option& flag(std::string names, bool& value, std::string help);

    // Steps are done in the order of the command line: "--simplify" without, "--solve-for v" with a value.
    // What it is and its value are added to `steps`. May be repeated.
    template <class Step, class Kind>
    Option& step(const std::string& name, std::vector<Step>& steps, Kind kind, bool takes_value,
                 const std::string& help) {
        return add_step(name, takes_value, help, [&steps, kind](const std::string& value) {
            steps.push_back(Step{kind, value});
        });
    }

    // Examples and the like, below the options.
    void footer(std::string text);
    // Done after parsing, before the command runs; an exit status ends the program instead.
    void prepare(std::function<std::optional<int>()> step);

    const std::string& name() const { return name_; }
    const std::string& group() const { return group_; }
    const std::string& summary() const { return summary_; }
    const std::string& footer() const { return footer_; }
    // In the order of its help.
    const std::deque<Option>& options() const { return options_; }

  private:
    friend class CommandLine;
    using TakeValue = std::function<void(const std::string&)>;
    Option& add(std::string names, OptionTarget target, std::string help);
    Option& add_choice(std::string names, std::vector<std::string> words, std::string help, TakeValue set);
    Option& add_step(std::string name, bool takes_value, std::string help, TakeValue add);

    std::string name_, group_, summary_, footer_;
    std::function<int()> run_;
    std::vector<std::function<std::optional<int>()>> prepare_;
    std::deque<Option> options_;
};

class CommandLine {
  public:
    CommandLine(std::string description, std::string version, std::string footer);

    // `run` returns the exit status: 0 done, 1 the model or the run failed, 2 the command line was wrong.
    Command& add(std::string name, std::string group, std::string summary, std::function<int()> run);

    // The exit status of the command, or 2 when the command line is wrong.
    int parse_and_run(int argc, char** argv);

    // All that were added, for help, manual pages and completions.
    const std::deque<Command>& commands() const { return commands_; }
    // Of the commands, and of the options of one: "--json".
    std::vector<std::string> names() const;
    std::vector<std::string> options_of(const std::string& command) const;
    const std::string& description() const { return description_; }
    const std::string& version() const { return version_; }
    const std::string& footer() const { return footer_; }

  private:
    std::string description_, version_, footer_;
    std::deque<Command> commands_;
};

}  // namespace cutset::cli

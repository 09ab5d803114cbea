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
// Options whose order on the command line matters: each adds its name and value to one list.
struct StepTarget {
    std::vector<std::pair<std::string, std::string>>* steps;
    std::string name;
    bool takes_value;
};
using OptionTarget = std::variant<StepTarget, std::string*, std::optional<std::string>*, double*,
                                  std::optional<double>*, int*, std::optional<int>*, FlagTarget, ListTarget>;

class Option {
  public:
    Option& required();
    // Not together with this one, which was added before.
    Option& excludes(std::string name);

  private:
    friend class CommandLine;
    friend class Command;
    std::string names;
    std::string help;
    OptionTarget target;
    std::vector<std::string> allowed;  // empty: everything
    bool is_required = false;
    std::string excluded;
};

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
    // One of these words.
    Option& choice(std::string names, std::string& value, std::vector<std::string> allowed, std::string help);
    Option& flag(std::string names, bool& value, std::string help);

    // A step: "--simplify" or "--solve-for v"; its name without dashes and its value are added to `steps`, in
    // the order of the command line. May be repeated.
    Option& step(std::string name, std::vector<std::pair<std::string, std::string>>& steps, bool takes_value,
                 std::string help);

    // Examples and the like, below the options.
    void footer(std::string text);
    // Done after parsing, before the command runs; an exit status ends the program instead.
    void prepare(std::function<std::optional<int>()> step);

  private:
    friend class CommandLine;
    Option& add(std::string names, OptionTarget target, std::string help);

    std::string name_, group_, description_, footer_;
    std::function<int()> run_;
    std::vector<std::function<std::optional<int>()>> prepare_;
    std::deque<Option> options_;
};

class CommandLine {
  public:
    CommandLine(std::string description, std::string version, std::string footer);

    // `run` returns the exit status: 0 done, 1 the model or the run failed, 2 the command line was wrong.
    Command& add(std::string name, std::string group, std::string description, std::function<int()> run);

    // The exit status of the command, or 2 when the command line is wrong.
    int parse_and_run(int argc, char** argv);

    // Of the commands, and of the options of one: "--json".
    std::vector<std::string> names() const;
    std::vector<std::string> options_of(const std::string& command) const;

  private:
    std::string description_, version_, footer_;
    std::deque<Command> commands_;
};

}  // namespace cutset::cli

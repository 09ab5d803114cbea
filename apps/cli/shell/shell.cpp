// cutset shell: the experiment language, typed or from a script.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <exception>
#include <filesystem>
#include <iostream>
#include <memory>
#include <sstream>

#include "base/letters.h"
#include "base/source.h"
#include "base/utf8.h"
#include "commands.h"
#include "output/console.h"
#include "runs/limits.h"
#include "session/advice.h"
#include "session/help.h"
#include "session/session.h"
#include "shell/shell_host.h"

namespace cutset::cli {

namespace {

struct ShellOptions {
    std::string script;
    std::vector<std::string> library;
    bool quiet = false;
    bool plots = false;
    bool allow_external = false;
    Limits limits;
};

bool is_model_file(const std::string& path) {
    const std::string ending = lower_case(std::filesystem::path(path).extension().string());
    return ending == ".dym" || ending == ".t" || ending == ".mo";
}

// Models in the present folder, in their order by name.
std::vector<std::string> models_here() {
    std::vector<std::string> names;
    std::error_code problem;
    for (const auto& entry : std::filesystem::directory_iterator(".", problem)) {
        const std::string name = entry.path().filename().string();
        if (is_model_file(name)) names.push_back(name);
        if (names.size() > 200) break;
    }
    std::sort(names.begin(), names.end());
    return names;
}

// As the terminal may show it: a history file may hold anything.
std::string printable(std::string text) {
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
    return text;
}

class Shell {
  public:
    Shell(ShellHost& host, Session::Settings settings) : host_(host), session_(host, std::move(settings)) {}

    Session& session() { return session_; }

    // Until the end of the input or STOP; whether a command failed.
    bool run() {
        while (const auto line = host_.next_command(session_.prompt()))
            if (!execute(*line)) break;
        return failed_;
    }

    // False: the session is over.
    bool execute(const std::string& line) {
        if (answer(without_prompt(line).first)) return true;
        if (escapes(without_prompt(line).first)) return true;
        // What people type who want to leave, unless they have a macro of that name.
        const std::string word = lower_case(without_prompt(line).first);
        if ((word == "exit" || word == "quit") && session_.command_of(word).empty()) return false;
        host_.begin_command();
        struct End {
            ShellHost& host;
            ~End() { host.end_command(); }
        } const end{host_};
        try {
            const Session::Outcome outcome = session_.execute(line);
            failed_ = failed_ || outcome == Session::Outcome::Failed;
            if (outcome == Session::Outcome::Stop) return false;
        } catch (const std::bad_alloc&) {
            failed_ = true;
            fmt::print(stderr, "error: out of memory; the session goes on\n");
        } catch (const std::exception& e) {
            failed_ = true;
            fmt::print(
                stderr,
                "error: internal error: {}\n  help: this is a bug in Cutset, please report it; the session "
                "goes on\n",
                e.what());
        }
        if (shell_interrupt() && !host_.interactive()) {
            interrupted_ = true;
            return false;
        }
        return true;
    }
    bool interrupted() const { return interrupted_; }

    LineCompletion complete(const std::string& line, std::size_t cursor) const {
        const std::string before = line.substr(0, cursor);
        const auto [text, prompted] = without_prompt(before);
        std::size_t begin = before.find_last_of(" \t>");
        begin = begin == std::string::npos ? 0 : begin + 1;
        const std::string word = before.substr(begin), first = text.substr(0, text.find_first_of(" \t"));
        const bool first_word = text.find_first_of(" \t") == std::string::npos;
        LineCompletion result;
        const auto add = [&](const std::vector<std::string>& words, bool any_case) {
            for (const std::string& w : words)
                if (w.size() >= word.size() &&
                    (any_case ? lower_case(w.substr(0, word.size())) == lower_case(word)
                              : w.starts_with(word)))
                    result.candidates.push_back(w);
        };
        result.begin = begin;
        if (!first_word && word.starts_with("-")) {
            const auto& names = operation_names();
            if (std::find(names.begin(), names.end(), first) != names.end()) {
                add(operation_options(first), false);
                return result;
            }
        }
        if (!first_word && lower_case(first) == "help") {
            add(Session::commands(), true);
            add(operation_names(), true);
            return result;
        }
        const Session::Completion found = session_.complete(line, cursor);
        result.begin = found.begin;
        result.candidates = found.candidates;
        if (first_word && !word.empty() && lower_case("help").starts_with(lower_case(word)) &&
            found.begin == begin)
            result.candidates.push_back(std::isupper(static_cast<unsigned char>(word[0])) ? "HELP" : "help");
        return result;
    }

    bool is_command(const std::string& word) const {
        return word == "?" || word == "??" || lower_case(word) == "history" || lower_case(word) == "help" ||
               !session_.command_of(word).empty();
    }

  private:
    // help, ? and ??; false for all other lines.
    bool answer(std::string line) {
        if (const std::size_t comment = line.find('"'); comment != std::string::npos) line.resize(comment);
        while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back()))) line.pop_back();
        const std::size_t space = line.find_first_of(" \t");
        const std::string first = lower_case(line.substr(0, space));
        std::string rest =
            space == std::string::npos ? "" : line.substr(line.find_first_not_of(" \t", space));
        if (first == "?" && rest.empty()) {
            for (const std::string& text : explain_last(session_.facts(), host_.reported()))
                host_.print(text);
            return true;
        }
        if (first == "??") {
            const auto proposals = propose_next(session_.facts(), host_.reported(), models_here());
            for (const std::string& text : proposal_lines(proposals)) host_.print(text);
            return true;
        }
        if (first == "?") {
            help(rest);
            return true;
        }
        if (first != "help") return false;
        help(rest);
        return true;
    }

    // `!ls` and `history`; false for all other lines. What a script says is not given to the system.
    bool escapes(const std::string& line) {
        const bool listing = lower_case(line) == "history" || lower_case(line).starts_with("history ");
        if (listing && host_.interactive() && session_.command_of("history").empty()) {
            const std::vector<std::string> lines = host_.history();
            const std::string count = line.substr(std::min<std::size_t>(line.size(), 7));
            const std::size_t wanted = count.find_first_of("123456789") == std::string::npos
                                           ? 25
                                           : static_cast<std::size_t>(std::atoi(count.c_str()));
            for (std::size_t i = lines.size() - std::min(wanted, lines.size()); i < lines.size(); ++i)
                host_.print(fmt::format("{:>5}  {}", i + 1, printable(lines[i])));
            return true;
        }
        if (!line.starts_with("!")) return false;
        host_.begin_command();
        if (!host_.interactive()) {
            failed_ = true;
            fmt::print(stderr, "error: ! is for the prompt; a script cannot give commands to the system\n");
            return true;
        }
        const std::string command = line.substr(1);
        if (command.find_first_not_of(" \t") == std::string::npos) {
            host_.print("! and a command of the system: !ls");
            return true;
        }
        if (const int status = host_.system_command(command); status != 0)
            host_.print(fmt::format("(exit status {})", status));
        return true;
    }

    void help(const std::string& word) {
        const auto& operations = operation_names();
        if (word.empty()) {
            host_.print(help_overview(operations));
            return;
        }
        // A command by its full name, an operation, an abbreviation.
        const bool operation =
            std::find(operations.begin(), operations.end(), lower_case(word)) != operations.end();
        const auto& commands = all_command_help();
        const bool command = std::any_of(commands.begin(), commands.end(), [&](const CommandHelp& c) {
            return lower_case(std::string(c.name)) == lower_case(word);
        });
        if (operation && !command) {
            host_.operation({lower_case(word), "--help"});
            return;
        }
        if (const auto text = help_on(word)) {
            host_.print(*text);
            return;
        }
        if (const std::string full = session_.command_of(word); !full.empty())
            if (const auto text = help_on(full)) {
                host_.print(*text);
                return;
            }
        std::vector<std::string> words = operations;
        for (const CommandHelp& c : all_command_help()) words.emplace_back(c.name);
        const std::string near = nearest_name(word, words);
        host_.print(fmt::format("There is no command {}{} `help` lists them.", word,
                                near.empty() ? "." : fmt::format("; did you mean {}?", near)));
    }

    ShellHost& host_;
    Session session_;
    bool failed_ = false, interrupted_ = false;
};

Session::Settings settings_of(const ShellOptions& options) {
    Session::Settings settings;
    settings.library_directories = options.library;
    settings.allow_external = options.allow_external;
    return settings;
}

int run_script(std::istream& input, const ShellOptions& options) {
    const InterruptGuard guard;
    using Way = ScriptHost::Way;
    const bool typed = &input == &std::cin && ::isatty(STDIN_FILENO);
    ScriptHost host(input, typed ? Way::Typed : options.quiet ? Way::Quiet : Way::Echo);
    Session::Settings settings = settings_of(options);
    settings.draw_plots = options.plots || typed;
    Shell shell(host, std::move(settings));
    if (is_model_file(options.script)) {
        if (!options.quiet) fmt::print("{}SYST {}\n", shell.session().prompt(), options.script);
        shell.execute("SYST " + options.script);
    }
    const bool failed = shell.run();
    return shell.interrupted() ? 130 : failed && !typed ? 1 : 0;
}

int run_terminal(const ShellOptions& options) {
    const InterruptGuard guard;
    TerminalHost host(std::make_unique<Terminal>());
    Session::Settings settings = settings_of(options);
    settings.open_editor = true;
    settings.keep_macros = true;
    settings.recovery = recovery_folder();
    Shell shell(host, std::move(settings));
    host.complete = [&](const std::string& line, std::size_t cursor) { return shell.complete(line, cursor); };
    host.is_command = [&](const std::string& word) { return shell.is_command(word); };
    if (!options.quiet)
        host.print("Cutset. `help` lists the commands, `??` proposes what to do next, STOP or Ctrl-D ends.");
    if (!options.script.empty()) {
        host.print(fmt::format("{} SYST {}", shell.session().prompt(), options.script));
        shell.execute("SYST " + options.script);
    }
    shell.run();
    return 0;
}

int shell(const ShellOptions& options) {
    std::string wrong;
    const auto watch = LimitWatch::start(options.limits, false, true, wrong);
    if (!watch) {
        fmt::print(stderr, "error: {}\n", wrong);
        return 2;
    }
    set_stage("the session");
    const bool model = is_model_file(options.script);
    if (!options.script.empty() && !model) {
        std::string problem;
        auto text = read_file(options.script, problem);
        if (!text) {
            fmt::print(
                stderr,
                "error: cannot read {}: {}\n  help: `cutset shell` takes a file of commands, or a model\n",
                printable(options.script), problem);
            return 2;
        }
        std::istringstream input(std::move(*text));
        return run_script(input, options);
    }
    if (Terminal::usable()) return run_terminal(options);
    return run_script(std::cin, options);
}

}  // namespace

void add_shell(CommandLine& line) {
    auto o = std::make_shared<ShellOptions>();
    Command& c = line.add("shell", groups::model, "experiment with a model: commands typed or from a script",
                          [o] { return shell(*o); });
    c.positional("SCRIPT", o->script,
                 "a file of commands, or a model to begin with; none: what is typed or piped", false)
        .files({".dym", ".t", ".mac"});
    c.option("--library", o->library, "directory with .dym libraries; CUTSET_PATH lists more");
    c.flag("--quiet", o->quiet, "in scripts: commands are not echoed");
    c.flag("--plots", o->plots, "in scripts: plots are drawn too");
    c.option("--limit-memory", o->limits.memory,
             "most memory to be used, for example 2G (80 % of what the machine has left)");
    c.option("--limit-time", o->limits.time, "most seconds to be used, all in all (no limit)");
    c.flag("--allow-external", o->allow_external, "models may call functions of shared libraries");
    c.footer(
        "Examples:\n"
        "  cutset shell                      a session on the terminal; `cutset` alone does the same\n"
        "  cutset shell examples/tanks.dym   … with a model to begin with\n"
        "  cutset shell experiment.txt       the commands of a file; the output is a transcript\n"
        "  echo \"SYST TRIOD\" | cutset shell  … of a pipe\n"
        "Exit status of a script: 0 all commands done, 1 one failed, 130 interrupted.\n"
        "docs/shell.md has a tutorial and all commands.");
}

int run_shell() {
    return shell({});
}

}  // namespace cutset::cli

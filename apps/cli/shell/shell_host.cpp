#include "shell/shell_host.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "commands.h"
#include "output/console.h"
#include "results/cursor.h"

namespace cutset::cli {

namespace {

CommandLine program_commands() {
    CommandLine line("", "", "");
    add_commands(line);
    return line;
}

// A reader of the output that has seen enough, `head` for example, ends the program.
void put(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
        if (errno == EPIPE) std::_Exit(0);
}

}  // namespace

const std::vector<std::string>& operation_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all = program_commands().names();
        std::erase(all, "shell");
        std::erase(all, "studio");  // which goes on until its last window is closed
        return all;
    }();
    return names;
}

std::vector<std::string> operation_options(const std::string& operation) {
    return program_commands().options_of(operation);
}

void ShellHost::begin_command() {
    InterruptGuard::begin_command();
    plots_.begin_command();
    reported_.clear();
}

void ShellHost::print(std::string_view text) {
    plots_.end_progress();
    put(for_output(std::string(text)) + "\n");
    plots_.leave();
}

void ShellHost::report(const Diagnostics& diagnostics, const Sources& sources) {
    if (diagnostics.all().empty()) return;
    plots_.end_progress();
    std::fflush(stdout);
    print_diagnostics(diagnostics, sources);
    plots_.leave();
    reported_.insert(reported_.end(), diagnostics.all().begin(), diagnostics.all().end());
}

void ShellHost::end_command() {
    plots_.end_progress();
}

void ShellHost::show(const Plot& plot, bool growing) {
    plots_.end_progress();
    plots_.show(plot, growing);
}

void ShellHost::progress(double time, double start, double stop) {
    plots_.show_progress(time, start, stop);
}

int ShellHost::system_command(const std::string& text) {
    plots_.leave();
    return run_program("/bin/sh", {"sh", "-c", text});
}

std::vector<std::string> ShellHost::operations() const {
    return operation_names();
}

// The same program again: what an operation does, and how it ends, leaves the session as it is.
int ShellHost::operation(const std::vector<std::string>& words) {
    plots_.leave();
    std::vector<std::string> all = {"cutset"};
    all.insert(all.end(), words.begin(), words.end());
    return run_program("/proc/self/exe", all);
}

bool ShellHost::edit(const std::string& path) {
    const char* editor = std::getenv("VISUAL");
    if (!editor || !*editor) editor = std::getenv("EDITOR");
    if (!editor || !*editor || !interactive()) return false;
    plots_.leave();
    // As shells do it: the variable may hold options.
    return run_program("/bin/sh", {"sh", "-c", std::string(editor) + " \"$1\"", "sh", path}) == 0;
}

int ShellHost::run_program(const std::string& path, const std::vector<std::string>& words) {
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    // A script is read by us alone.
    if (!interactive()) posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t defaults;
    sigemptyset(&defaults);
    for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP}) sigaddset(&defaults, signal);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    std::fflush(stdout);
    std::fflush(stderr);
    give_terminal();
    pid_t child = 0;
    const int problem = ::posix_spawn(&child, path.c_str(), &files, &attributes, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    int status = 0;
    if (problem == 0)
        while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
    take_terminal();
    if (problem != 0) {
        fmt::print(stderr, "error: cannot start {}: {}\n", words[0], std::strerror(problem));
        return 127;
    }
    if (WIFSIGNALED(status)) {
        if (WTERMSIG(status) != SIGINT)
            fmt::print(stderr, "{} was ended by a signal: {}\n", words.size() > 1 ? words[1] : words[0],
                       ::strsignal(WTERMSIG(status)));
        return 128 + WTERMSIG(status);
    }
    return WEXITSTATUS(status);
}

// ---------------------------------------------------------------- a terminal

TerminalHost::TerminalHost(std::unique_ptr<Terminal> terminal)
    : ShellHost(terminal.get()),
      owned_(std::move(terminal)),
      history_(History::default_path()),
      editor_(*owned_, history_),
      colour_(colour_on(stdout)) {
    if (colour_) editor_.paint = [this](const std::string& line) { return paint(line); };
}

// The command in bold, what is a comment in grey.
std::string TerminalHost::paint(const std::string& line) const {
    const std::size_t comment = std::min(line.find('"'), line.size());
    const std::size_t begin = std::min(line.find_first_not_of(" >"), comment);
    std::size_t end = begin;
    while (end < comment && (std::isalnum(static_cast<unsigned char>(line[end])) || line[end] == '?')) ++end;
    const std::string word = line.substr(begin, end - begin);
    const bool known = !word.empty() && is_command && is_command(word);
    std::string out = line.substr(0, begin);
    out += known ? "\033[1m" + word + "\033[0m" : word;
    out += line.substr(end, comment - end);
    // A quote that is closed holds a file name or an expression together.
    const bool closed = comment < line.size() && line.find('"', comment + 1) != std::string::npos;
    if (comment < line.size())
        out += closed ? line.substr(comment) : "\033[90m" + line.substr(comment) + "\033[0m";
    return out;
}

std::optional<std::string> TerminalHost::next_command(const std::string& prompt) {
    editor_.complete = complete;
    const std::string shown = prompt + " ";
    for (;;) {
        const auto result = editor_.read(shown, colour_ ? "\033[1;34m" + shown + "\033[0m" : shown, true);
        if (result.end == LineEditor::End::EndOfInput) return std::nullopt;
        if (result.end == LineEditor::End::Line) return result.text;
    }
}

// Ctrl-C clears the line; on an empty one it is for the command that asks.
std::optional<std::string> TerminalHost::read_line(const std::string& prompt) {
    editor_.complete = nullptr;
    plots_.leave();
    const std::string shown = prompt.empty() ? prompt : "  " + prompt + " ";
    if (prompt.empty() && !input_explained_) {
        input_explained_ = true;
        const char* hint = "(lines of the text; an empty one ends them, then E writes it; Ctrl-C goes back)";
        put(colour_ ? fmt::format("\033[90m{}\033[0m\n", hint) : fmt::format("{}\n", hint));
    }
    // Ctrl-C may have been typed before it is read as a key.
    owned_->set_mode(Terminal::Mode::Editing);
    if (interrupt()) {
        owned_->set_mode(Terminal::Mode::Running);
        return "";
    }
    for (;;) {
        const auto result = editor_.read(shown, colour_ ? "\033[34m" + shown + "\033[0m" : shown, false);
        if (result.end == LineEditor::End::Line) return result.text;
        if (result.end == LineEditor::End::EndOfInput) return std::nullopt;
        if (result.text.empty()) {
            interrupt() = true;
            return "";
        }
    }
}

// Left and Right move the cursor, Up and Down by larger steps, + and - zoom, 0 shows all; other keys end it.
bool TerminalHost::explore(const Plot& plot) {
    Plot view = plot;
    const PlotRange whole = horizontal_range(plot);
    PlotRange shown = whole;
    double at = whole.low / 2 + whole.high / 2;
    constexpr double step = 1.0 / 200, large_step = 1.0 / 20;
    bool open = true;
    plots_.leave();
    while (open) {
        view.x_range = shown;
        plots_.show_with(with_cursor(view, at), cursor_lines(plot, at),
                         "arrows move, + and - zoom, 0 shows all, Return ends");
        owned_->set_mode(Terminal::Mode::Editing);
        const Key key = owned_->read_key();
        owned_->set_mode(Terminal::Mode::Running);
        const double length = shown.high - shown.low;
        const auto zoom = [&](double factor) {
            const double half = factor * length / 2;
            shown = {std::max(whole.low, at - half), std::min(whole.high, at + half)};
        };
        switch (key.kind) {
            case KeyKind::Left:
                at -= step * length;
                break;
            case KeyKind::Right:
                at += step * length;
                break;
            case KeyKind::Down:
            case KeyKind::WordLeft:
                at -= large_step * length;
                break;
            case KeyKind::Up:
            case KeyKind::WordRight:
                at += large_step * length;
                break;
            case KeyKind::Home:
                at = shown.low;
                break;
            case KeyKind::End:
                at = shown.high;
                break;
            case KeyKind::Character:
                if (key.character == '+' || key.character == '=')
                    zoom(0.5);
                else if (key.character == '-')
                    zoom(2);
                else if (key.character == '0')
                    shown = whole;
                else
                    open = false;
                break;
            case KeyKind::Resize:
            case KeyKind::Other:
                break;
            default:
                open = false;
                break;
        }
        at = std::clamp(at, whole.low, whole.high);
        // What lies beyond the part that is shown comes into view.
        const double shift = at < shown.low ? at - shown.low : at > shown.high ? at - shown.high : 0;
        shown = {shown.low + shift, shown.high + shift};
        if (open) plots_.take_back();
    }
    plots_.leave();
    return true;
}

void TerminalHost::give_terminal() {
    owned_->set_mode(Terminal::Mode::Original);
}
void TerminalHost::take_terminal() {
    owned_->set_mode(Terminal::Mode::Running);
}

// ---------------------------------------------------------------- a script

ScriptHost::ScriptHost(std::istream& input, Way way) : ShellHost(nullptr), lines_(input), way_(way) {}

void ScriptHost::print(std::string_view text) {
    ShellHost::print(text);
    lines_.printed(text);
}

void ScriptHost::report(const Diagnostics& diagnostics, const Sources& sources) {
    ShellHost::report(diagnostics, sources);
    for (const Diagnostic& d : diagnostics.all()) lines_.printed(render(d, sources));
}

std::optional<std::string> ScriptHost::next_line(const std::string& prompt, bool command) {
    if (way_ == Way::Typed) put(prompt);
    auto line = command ? lines_.command() : lines_.further(prompt);
    if (way_ == Way::Echo && line) put(fmt::format("{}{}\n", prompt, *line));
    return line;
}

std::optional<std::string> ScriptHost::next_command(const std::string& prompt) {
    return next_line(prompt, true);
}

std::optional<std::string> ScriptHost::read_line(const std::string& prompt) {
    return next_line(prompt.empty() ? prompt : "  " + prompt, false);
}

}  // namespace cutset::cli

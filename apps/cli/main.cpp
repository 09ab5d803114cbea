// The program: its commands, and what no command catches.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/internal_error.h"
#include "base/version.h"
#include "commands.h"
#include "heap.h"
#include "leave.h"
#include "manual/completion.h"
#include "manual/man_page.h"
#include "output/json_output.h"

using namespace cutset::cli;

namespace {

// What is installed beside the program, written from the table of commands.
int print_completion(const CommandLine& line, std::string_view shell) {
    constexpr std::pair<std::string_view, std::string (*)(const CommandLine&)> shells[] = {
        {"bash", bash_completion}, {"zsh", zsh_completion}, {"fish", fish_completion}};
    for (const auto& [name, script] : shells)
        if (name == shell) {
            fmt::print("{}", script(line));
            return 0;
        }
    fmt::print(stderr, "error: --print-completion takes bash, zsh or fish\n");
    return 2;
}

int run(int argc, char** argv) {
    CommandLine line(
        "Cutset: modelling and simulation of physical systems from equations.",
        fmt::format("cutset {}", cutset::version()),
        "Examples:\n"
        "  cutset check examples/tanks.dym\n"
        "  cutset equations examples/tanks.dym --where Pipe1.q\n"
        "  cutset simulate examples/tanks.dym --stop 200 --plot Tank1.h,Tank2.h -o tanks.csv\n"
        "  cutset sweep examples/tanks.dym --vary Tank1.Area=1:5:50 -o out\n"
        "  cutset plot tanks.csv Tank1.h Tank2.h -o tanks.svg\n"
        "  cutset translate examples/tanks.dym --to modelica\n"
        "`cutset COMMAND --help` says more about one command. docs/tutorial.md is the place to begin.");
    const std::string_view called = argc > 1 ? argv[1] : "";
    if (called == "--studio-worker") return run_studio_worker();
    if (called != "--version") add_commands(line, called);
    if (called == "--print-man") {
        fmt::print("{}", man_page(line));
        return 0;
    }
    if (called == "--print-completion") return print_completion(line, argc > 2 ? argv[2] : "");
    if (called == "help") {  // `cutset help plot` is `cutset plot --help`
        std::string wanted = argc > 2 ? argv[2] : "--help", help = "--help";
        std::array<char*, 4> words = {argv[0], wanted.data(), help.data(), nullptr};
        return run(argc > 2 ? 3 : 2, words.data());
    }
    if (argc == 1 && ::isatty(STDIN_FILENO) && ::isatty(STDOUT_FILENO)) return run_shell();
    return line.parse_and_run(argc, argv);
}

// What no command caught: a bug of ours, or a machine at its limits.
int report_failure(bool json) {
    try {
        const cutset::Diagnostic d = cutset::failure_diagnostic(cutset::current_failure());
        if (json) {
            cutset::Json out;
            out["errors"] = cutset::Json::array();
            out["errors"].push_back({{"code", d.code}, {"message", d.message}, {"help", d.help}});
            out["warnings"] = cutset::Json::array();
            out["status"] = "error";
            cutset::cli::print_json(out);
        } else {
            fmt::print(stderr, "error: {}\n", d.message);
            if (!d.help.empty()) fmt::print(stderr, "  help: {}\n", d.help);
        }
    } catch (...) {
        std::fputs("error: out of memory\n", stderr);
    }
    return written_status(3);
}

// An exception that could not be caught, on a thread or through code without tables for it.
[[noreturn]] void end_without_catch() {
    try {
        if (std::current_exception()) std::rethrow_exception(std::current_exception());
        std::fputs("error: internal error: the program ended itself\n", stderr);
    } catch (...) {
        report_failure(false);
    }
    std::fflush(nullptr);
    std::_Exit(3);
}

}  // namespace

int main(int argc, char** argv) {
    prepare_heap();
    // A full disk, a file limit or a closed pipe is an error to report, not a signal to die of.
    std::signal(SIGXFSZ, SIG_IGN);
    std::signal(SIGPIPE, SIG_IGN);
    std::set_terminate(end_without_catch);
    const bool json = std::any_of(argv, argv + argc, [](std::string_view w) { return w == "--json"; });
    try {
        return written_status(run(argc, argv));
    } catch (const std::system_error& e) {
        if (e.code() == std::errc::broken_pipe) return 0;  // the reader, `head` for example, has seen enough
        if (std::ferror(stdout) || std::ferror(stderr)) {
            std::fprintf(stderr, "cutset: the output could not be written: %s\n", e.code().message().c_str());
            return 1;
        }
        return report_failure(json);
    } catch (...) {
        return report_failure(json);
    }
}

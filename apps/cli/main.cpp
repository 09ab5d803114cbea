// The program: its commands, and what no command catches.
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>
#include <system_error>

#include "commands.h"
#include "heap.h"
#include "leave.h"

using namespace cutset::cli;

namespace {

int run(int argc, char** argv) {
    CommandLine line(
        "Cutset: modelling and simulation of physical systems from equations.", "cutset 0.1.0",
        "Examples:\n"
        "  cutset check examples/tanks.dym\n"
        "  cutset equations examples/tanks.dym --where Pipe1.q\n"
        "  cutset simulate examples/tanks.dym --stop 200 --plot Tank1.h,Tank2.h -o tanks.csv\n"
        "  cutset sweep examples/tanks.dym --vary Tank1.Area=1:5:50 -o out\n"
        "  cutset plot tanks.csv Tank1.h Tank2.h -o tanks.svg\n"
        "  cutset translate examples/tanks.dym --to modelica\n"
        "`cutset COMMAND --help` says more about one command. docs/tutorial.md is the place to begin.");
    const std::string_view called = argc > 1 ? argv[1] : "";
    if (called != "--version") add_commands(line, called);
    if (argc == 1 && ::isatty(STDIN_FILENO) && ::isatty(STDOUT_FILENO)) return run_shell();
    return line.parse_and_run(argc, argv);
}

}  // namespace

int main(int argc, char** argv) {
    prepare_heap();
    // A full disk, a file limit or a closed pipe is an error to report, not a signal to die of.
    std::signal(SIGXFSZ, SIG_IGN);
    std::signal(SIGPIPE, SIG_IGN);
    try {
        return written_status(run(argc, argv));
    } catch (const std::bad_alloc&) {
        fmt::print(stderr, "cutset: out of memory; the model is too large for this machine\n");
    } catch (const std::system_error& e) {
        if (e.code() == std::errc::broken_pipe) return 0;  // the reader, `head` for example, has seen enough
        if (std::ferror(stdout) || std::ferror(stderr)) {
            std::fprintf(stderr, "cutset: the output could not be written: %s\n", e.code().message().c_str());
            return 1;
        }
        fmt::print(stderr, "cutset: {}\n", e.what());
    } catch (const std::exception& e) {
        fmt::print(
            stderr,
            "cutset: internal error: {}\nThis is a bug in Cutset, not in your model. Please report it.\n",
            e.what());
    }
    return 3;
}

// The commands of the program, in the order of `cutset --help`. A command NAME is the file NAME.cpp with
// `add_NAME`, which declares its summary, options and examples (command_line.h), and a line here.
#pragma once

#include <string_view>

#include "command_line.h"

#define CUTSET_COMMANDS(COMMAND) \
    /* Model */                  \
    COMMAND(check)               \
    COMMAND(partition)           \
    COMMAND(equations)           \
    COMMAND(structure)           \
    COMMAND(library)             \
    COMMAND(picture)             \
    COMMAND(docs)                \
    COMMAND(shell)               \
    COMMAND(studio)              \
    /* Runs */                   \
    COMMAND(simulate)            \
    COMMAND(experiment)          \
    COMMAND(sweep)               \
    COMMAND(sensitivity)         \
    /* Operating points */       \
    COMMAND(steady)              \
    COMMAND(design)              \
    COMMAND(optimize)            \
    COMMAND(fit)                 \
    COMMAND(bvp)                 \
    /* Linear systems */         \
    COMMAND(linearize)           \
    COMMAND(poles)               \
    COMMAND(zeros)               \
    COMMAND(step)                \
    COMMAND(impulse)             \
    COMMAND(initial)             \
    COMMAND(margins)             \
    COMMAND(controllability)     \
    COMMAND(observability)       \
    COMMAND(gramians)            \
    COMMAND(minimal)             \
    COMMAND(canonical)           \
    COMMAND(sample)              \
    COMMAND(lqr)                 \
    COMMAND(kalman)              \
    COMMAND(lqg)                 \
    COMMAND(place)               \
    COMMAND(tf)                  \
    COMMAND(bode)                \
    COMMAND(nyquist)             \
    COMMAND(nichols)             \
    COMMAND(rootlocus)           \
    COMMAND(routh)               \
    COMMAND(jury)                \
    COMMAND(smith)               \
    COMMAND(fraction)            \
    COMMAND(realize)             \
    COMMAND(subspace)            \
    /* Results and exchange */   \
    COMMAND(plot)                \
    COMMAND(compare)             \
    COMMAND(translate)           \
    COMMAND(symbolic)

namespace cutset::cli {

#define CUTSET_DECLARE(name) void add_##name(CommandLine& line);
CUTSET_COMMANDS(CUTSET_DECLARE)
#undef CUTSET_DECLARE

// All of them; only the one that is called, where it is known.
void add_commands(CommandLine& line, std::string_view called = {});

// A session on the terminal, as `cutset` alone starts one.
int run_shell();
// The process of a model, as a studio starts it, with the socket to the studio as descriptor 3.
int run_studio_worker();

}  // namespace cutset::cli

#include "commands.h"

#include "base/diagnostic.h"

namespace cutset::cli {

namespace {

struct Entry {
    std::string_view name;
    void (*add)(CommandLine&);
};

// The order is that of `cutset --help`.
constexpr Entry commands[] = {
    // Model
    {"check", add_check},
    {"partition", add_partition},
    {"equations", add_equations},
    {"structure", add_structure},
    {"shell", add_shell},

    // Runs
    {"simulate", add_simulate},
    {"sweep", add_sweep},
    {"sensitivity", add_sensitivity},

    // Operating points and design
    {"steady", add_steady},
    {"design", add_design},
    {"optimize", add_optimize},
    {"fit", add_fit},
    {"bvp", add_bvp},

    // Linear systems
    {"linearize", add_linearize},
    {"poles", add_poles},
    {"zeros", add_zeros},
    {"step", add_step},
    {"impulse", add_impulse},
    {"initial", add_initial},
    {"margins", add_margins},
    {"controllability", add_controllability},
    {"observability", add_observability},
    {"gramians", add_gramians},
    {"minimal", add_minimal},
    {"canonical", add_canonical},
    {"sample", add_sample},
    {"lqr", add_lqr},
    {"kalman", add_kalman},
    {"lqg", add_lqg},
    {"place", add_place},
    {"tf", add_tf},
    {"bode", add_bode},
    {"nyquist", add_nyquist},
    {"nichols", add_nichols},
    {"rootlocus", add_rootlocus},
    {"routh", add_routh},
    {"jury", add_jury},
    {"smith", add_smith},
    {"fraction", add_fraction},
    {"realize", add_realize},
    {"subspace", add_subspace},

    // Results and exchange
    {"plot", add_plot},
    {"compare", add_compare},
    {"translate", add_translate},
    {"symbolic", add_symbolic},
};

}  // namespace

void add_commands(CommandLine& line, std::string_view called) {
    const auto add = [&](const Entry& entry) {
        entry.add(line);
        CUTSET_ASSERT(line.names().back() == entry.name);
    };
    for (const Entry& entry : commands)
        if (entry.name == called) return add(entry);
    for (const Entry& entry : commands) add(entry);
}

}  // namespace cutset::cli

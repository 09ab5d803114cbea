// Two questions a person may ask at any time: `?`, what the last result means, and `??`, what to do next.
// The answers come from what has been done so far, and are given only when asked for. A Session fills the
// facts; nothing here looks at anything else.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "ir/system_summary.h"
#include "operations/simulate.h"
#include "results/trajectory.h"

namespace cutset {

struct SessionFacts {
    // ---- the model; empty: none is active
    std::string model;               // "TRIOD", "tanks"
    std::vector<std::string> files;  // as they stand on the command lines of operations: "servo.t"
    std::vector<SystemSummary> systems;
    std::vector<std::string> candidates;  // model files of the present folder, when no model is active

    // ---- what is asked of a run; names as the person wrote them
    std::vector<std::string> plotted;
    std::string abscissa;  // empty: time
    bool axes_drawn = false;
    double start = 0, stop = 1;

    // ---- the last run; columns as in `result`
    struct Run {
        RunOutcome outcome = RunOutcome::Finished;
        double from = 0, to = 0;  // asked for
        double reached = 0;
        std::size_t events = 0;
        const Trajectory* result = nullptr;
        std::vector<std::string> columns;  // those of the plotted variables, or of the states
    };
    std::optional<Run> run;

    // ---- the last command, `?` and `??` apart
    std::string command;             // "SIMU", "bode"; empty: none yet
    std::vector<std::string> words;  // the whole line
    bool failed = false;
    int status = 0;                        // of an operation
    std::vector<Diagnostic> diagnostics;   // reported by it
    std::vector<std::string> done;         // commands that went well since the last SYST, the oldest first
    std::vector<std::string> changed;      // parameters and initial values changed since the last run
    std::optional<std::string> last_file;  // of results: "store.csv"
};

// Lines for `?`.
std::vector<std::string> explain_last(const SessionFacts& facts);

// A command line that can be typed as it stands, and why.
struct Proposal {
    std::string line;
    std::string why;
};
std::vector<Proposal> propose_next(const SessionFacts& facts);
// As lines of text: "  PLOT U V           choose the curves".
std::vector<std::string> proposal_lines(const std::vector<Proposal>& proposals);

}  // namespace cutset

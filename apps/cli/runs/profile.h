// Where the time of a command went, as a table and as JSON.
#pragma once

#include <optional>
#include <vector>

#include "base/json.h"
#include "native/engine.h"
#include "run/run_totals.h"
#include "translate/workspace.h"

namespace cutset::cli {

// Seconds. Those of several runs are summed.
struct ProfileTimes {
    Workspace::Times translation;
    double machine_code = 0;  // setting it up, and waiting for it
    double beside = 0;        // made on another thread at the same time
    RunTotals runs;
    double total = 0;
    std::optional<double> processor;  // seconds of the processor in the run
};

// What `engine` has done beside a run.
double seconds_beside(const NativeEngine* engine, Engine kind);

// Names and seconds. Those of depth 0 add up to the total, those of depth 1 to `run`.
struct ProfileLine {
    const char* name;
    const char* explanation;
    double seconds;
    int depth = 0;
};
std::vector<ProfileLine> profile_lines(const ProfileTimes& times);

Json profile_json(const std::vector<ProfileLine>& lines);
// To standard error. With `cases` a second column has the mean of that many.
void print_profile(const std::vector<ProfileLine>& lines, std::size_t cases = 0);

}  // namespace cutset::cli

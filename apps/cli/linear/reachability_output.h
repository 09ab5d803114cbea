// What controllability and observability share: their options, and how what is reached and shown is printed.
#pragma once

#include "linear/linear_options.h"
#include "operations/linear/realization_study.h"

namespace cutset::cli {

struct ReachabilityOptions : ReachabilityRequest, OutputOptions {};

void add_reachability_options(Command& command, ReachabilityOptions& options);
// The whole command. Returns the exit status.
int show_reachability(const ReachabilityOptions& options);

}  // namespace cutset::cli

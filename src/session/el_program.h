// BODY of an experiment of EL, executed: assignments, loops and calls such as INTEG and STEADY act on a model
// that stands, goes on and keeps its values between them.
#pragma once

#include <functional>
#include <string>

#include "base/diagnostic.h"
#include "languages/el/syntax.h"
#include "live/live_model.h"
#include "translate/workspace.h"

namespace cutset {

struct ElProgramHost {
    std::function<void(const std::string&)> say;          // PRINT, WRITE, and what runs report
    std::function<std::string(const std::string&)> path;  // where a report of that name is written
};

// The workspace has loaded the file; `settings.model` is the experiment's model. False when errors were
// reported.
bool run_el_program(Workspace& workspace, const el::Experiment& experiment, LiveModel::Settings settings,
                    ElProgramHost& host, Diagnostics& diagnostics);

}  // namespace cutset

// --checkpoint and --from: runs that go on where another one stood.
#pragma once

#include <optional>
#include <string>

#include "live/live_checkpoint.h"
#include "model/model_options.h"
#include "run/run_point.h"
#include "run/simulate.h"
#include "runs/run_options.h"

namespace cutset::cli {

// Where a run is to begin.
struct Beginning {
    CheckpointFile file;
    bool inputs_differ = false;  // the command line gives others
};

// Reads the checkpoint and adds its settings to those of the command line, which overrule them. Nothing with
// the reason reported.
std::optional<Beginning> read_beginning(const std::string& path, RunRequest& command,
                                        Diagnostics& diagnostics);

// The point in terms of the program; nothing with the reason reported.
std::optional<RunPoint> place_beginning(const std::string& path, const Beginning& beginning,
                                        const Program& program, const SimulateOptions& options,
                                        Diagnostics& diagnostics);

// Writes where a run stands, with the settings that it was made with.
Problem write_end(const std::string& path, const RunPoint& end, const Program& program,
                  const ModelRequest& command);

}  // namespace cutset::cli

// A point of a run with the values of parameters, initial values and inputs that belong to it, and its file:
// JSON with names and values, so that it survives changes of the model's text.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "live/live_translation.h"
#include "results/output_file.h"
#include "run/named_point.h"
#include "run/run_point.h"

namespace cutset {

class Checkpoint {
  public:
    std::string model;
    LiveChanges changes;
    RunPoint point;
    std::shared_ptr<const Partition> partition;  // that the point counts in
    double time() const { return point.time; }
};

// As they were given on a command line.
struct CheckpointOptions {
    std::vector<std::string> set, init, input, known, unknown;
    std::optional<InitialMode> initial;
};

struct CheckpointFile {
    std::string model;
    CheckpointOptions options;
    LiveChanges changes;
    NamedPoint point;
    std::shared_ptr<const RunMemory> memory;  // of a run that was interrupted; may be null
};

Problem write_checkpoint(const std::string& path, const CheckpointFile& file);
// Nothing and the reason when it cannot be read.
std::optional<CheckpointFile> read_checkpoint(const std::string& path, std::string& problem);
// What of a file has no place in the model, and the reverse.
void report_misfits(const std::string& path, const PlacedPoint& placed, Diagnostics& diagnostics);

}  // namespace cutset

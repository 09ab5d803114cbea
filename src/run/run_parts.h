// The parts of a run, each with one job, around the Instant that they share. They are listed in the order of
// use: a part knows those above it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "run/event_storm.h"
#include "run/fast_growth.h"
#include "run/initialization.h"
#include "run/outputs.h"
#include "run/return_point.h"
#include "run/run_memory.h"
#include "run/step_pace.h"
#include "run/zero_crossings.h"

namespace cutset {

struct RunParts {
    RunParts(const Program& program, const SimulateOptions& options, RowSink& sink, Diagnostics& diagnostics);

    RunSummary summary;
    Instant now;
    const SwitchStructure structure;
    GivenValues given;
    Sliding sliding;
    Equations equations;
    Switches switches;
    Settling settling;
    SidesAtZero sides;
    WhenClauses whens;
    TimeEvents times;
    RangeWatch ranges;
    EventIteration events;
    EventStorm storm;
    Initialization initialization;
    RightHandSide rhs;
    ZeroCrossings crossings;
    StepPace pace;
    FastGrowth growth;
    Poles poles;
    Outputs outputs;
    ReturnPoint good;
    std::vector<double> largest_states;  // by state: the largest size met while integrating

    std::shared_ptr<const RunMemory> memory;  // where the run stands, if it stands between two steps
    std::function<void()> checkpoint;         // one is due, and `memory` is up to date

    // All that the parts remember.
    void remember(MemoryStream& stream);
};

// Reports tables whose ranges were left, in the run or its outputs.
void check_tables(RunParts& parts);

// For runs whose rows are not read.
class NoRows : public RowSink {
  public:
    std::optional<std::string> begin(const Columns&) override { return std::nullopt; }
    std::optional<std::string> row(std::span<const double>) override { return std::nullopt; }
};

}  // namespace cutset

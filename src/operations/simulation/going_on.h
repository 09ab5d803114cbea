// --checkpoint and --from: runs that go on where another one stood.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "live/live_checkpoint.h"
#include "run/run_point.h"
#include "run/simulate.h"
#include "translate/run_request.h"

namespace cutset {

// Where a run is to begin.
struct Beginning {
    CheckpointFile file;
    bool inputs_differ = false;  // the request gives others
};

// Reads the checkpoint and adds its settings to those of the request, which overrule them. Nothing with
// the reason reported.
std::optional<Beginning> read_beginning(const std::string& path, RunRequest& request,
                                        Diagnostics& diagnostics);

// The point in terms of the program; nothing with the reason reported.
std::optional<RunPoint> place_beginning(const std::string& path, const Beginning& beginning,
                                        const Program& program, const SimulateOptions& options,
                                        Diagnostics& diagnostics);

// Checkpoints of a run that goes on, every so many seconds.
class CheckpointClock {
  public:
    explicit CheckpointClock(double every) : every_(every) {}
    bool due() const {
        // Clocks take time too.
        if (++asked_ % 64 != 0 && every_ > 0) return false;
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - last_;
        return passed.count() >= every_;
    }
    void wrote(Problem problem) {
        last_ = std::chrono::steady_clock::now();
        if (problem && !problem_) problem_ = std::move(problem);
    }
    const Problem& problem() const { return problem_; }  // the first

  private:
    double every_;
    mutable unsigned asked_ = 0;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
    Problem problem_;
};

// Writes where a run stands, with the settings that it was made with.
Problem write_end(const std::string& path, const RunPoint& end, const Program& program,
                  const ModelRequest& request);

}  // namespace cutset

// One run of a Program, from its initialization or from a point of another run. It begins and integrates in
// one mode; ModeChanges strings runs in several modes together.
#pragma once

#include <memory>
#include <utility>

#include "run/integration.h"
#include "run/run_point.h"

namespace cutset {

class Run {
  public:
    Run(const Program& program, const SimulateOptions& options, RowSink& sink, Diagnostics& diagnostics)
        : parts_(program, options, sink, diagnostics),
          trial_(parts_),
          modes_(parts_, trial_),
          now_(parts_.now) {}

    RunParts& parts() { return parts_; }
    Trial& trial() { return trial_; }
    ModeEntry& modes() { return modes_; }
    RunSummary& summary() { return parts_.summary; }
    void report_to(Diagnostics& diagnostics) { now_.diagnostics = &diagnostics; }

    // Initialization, with its row.
    bool begin();
    // It failed and another mode was asked for, which was found or not: then as it would be without modes.
    bool begin_in_mode(bool found);

    // From a point of another run, with its row. What changed in between (parameters, states that were set)
    // acts like an event: states keep their values, everything else follows anew. Without a change the run
    // goes on as if it had not stopped: to the bit where its memory is valid, else with an integrator that
    // starts anew.
    bool begin_from(const RunPoint& from);
    bool begin_from_in_mode(bool found);
    // Whether something changed since the point was reached, now that it was taken.
    bool differs(const RunPoint& from) const;
    // The steps go on with what a run that stood here remembers.
    void go_on_with(std::shared_ptr<const RunMemory> memory) { memory_ = std::move(memory); }
    // Only the values of the point, with the parameters of this run.
    bool take_point(const RunPoint& from);
    // The point, for a mode.
    Handover hand_over(const RunPoint& from) const;

    // Steps, until the end or until another mode is needed.
    bool integrate();
    RunSummary finish(bool good);

    // Where it stands; and where a run in a mode of its own stands, counted as in this run.
    RunPoint point();
    RunPoint point_of(Run& mode);

  private:
    bool begin_results();
    bool write_first_row();
    bool ready(bool good);
    void compute_point();
    bool settle_at(const RunPoint& from);

    RunParts parts_;
    Trial trial_;
    ModeEntry modes_;
    Instant& now_;                             // of the parts
    bool resumed_ = false;                     // from a point of another run
    std::shared_ptr<const RunMemory> memory_;  // to go on with
};

}  // namespace cutset

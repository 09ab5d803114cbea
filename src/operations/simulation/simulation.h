// A simulation from words to rows: the model is translated and run, its rows go to a result file, where it
// stands to a checkpoint.
//
//     open text → translate → run, from its initialization or from a checkpoint → result file, checkpoint
//
// A command line, or a program that embeds Cutset, asks for a SimulationRequest, follows it as a
// SimulationListener and gets a SimulationResult. Nothing is printed.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "native/engine.h"
#include "results/trajectory.h"
#include "results/writer.h"
#include "run/simulate.h"
#include "run/start_report.h"
#include "translate/request_cache.h"
#include "translate/run_request.h"
#include "translate/translation.h"
#include "translate/workspace.h"

namespace cutset {

struct SimulationRequest : RunRequest {
    std::string output;           // result file; empty: MODEL.csv in the present directory
    ResultChoice choice;          // of the columns written
    std::string steps;            // file for the steps of the integrator
    std::string checkpoint;       // file for where the run stands at its end
    std::string from;             // checkpoint to begin at
    std::optional<double> every;  // seconds between checkpoints while it runs
    std::optional<double> pause;  // time at which it stands still
    std::string guesses;          // file of a point that the initialization begins its search at
    bool explain_start = false;   // SimulationResult::start
    bool propose_curves = false;  // where `plot` names none, some are chosen
    bool measure_times = false;   // RunSummary::times
    const std::atomic<bool>* interrupt = nullptr;
};

class SimulationListener {
  public:
    virtual ~SimulationListener() = default;
    virtual void opened() {}      // the text is read; it is translated now
    virtual void translated() {}  // nothing was reported after this but by the run
    virtual void begins(double /*start*/, double /*stop*/) {}
    virtual void progress(double /*time*/) {}
    virtual void ended() {}
};

// Units of machine code (kernels, chunks, functions) that were kept of earlier runs, or compiled.
struct CompiledUnits {
    std::size_t compiled = 0, found = 0, bytes = 0;
};

struct SimulationResult {
    Translation translation;
    RunSummary summary;
    std::string output;               // the result file
    std::vector<std::string> curves;  // that were kept
    Trajectory kept;                  // their columns
    bool checkpoint_written = false;
    bool paused = false;  // it stands still where the request said
    std::optional<StartReport> start;

    std::shared_ptr<NativeEngine> engine;  // none: interpreted
    double engine_seconds = 0;             // for setting up machine code
    double processor_seconds = 0;          // of the run, without what other threads did
    CompiledUnits units() const;

    const FlatModel& model() const { return translation.model(); }
    // Writes what later runs may use to the cache. Call it when the results have been shown.
    void keep(bool stopped);

    KeepingOnDisk translation_store;
};

// Nothing when it could not begin; why not, and what failed later, is reported to the workspace.
std::optional<SimulationResult> run_simulation(SimulationRequest request, Workspace& workspace,
                                               SimulationListener& listener);

}  // namespace cutset

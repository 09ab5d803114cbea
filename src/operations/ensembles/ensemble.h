// One model, many sets of values of parameters and initial values.
//
// A Translation without the values of the varied quantities is valid for every set of values with which
// translating the model anew would give the same Program (translate/valid_values.h). Other sets get a
// Translation of their own. So a case is equal to the bit to a single run with the same values.
//
// Translations are const; any number of threads may run cases at the same time.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "native/engine.h"
#include "translate/question.h"
#include "translate/workspace.h"

namespace cutset {

class Ensemble {
  public:
    // The workspace has loaded the model; the experiment does not speak of what is varied.
    Ensemble(const Workspace& workspace, std::string model, Experiment experiment, TransformOptions transform,
             SimulateOptions run, Engine engine, std::vector<VariedQuantity> varied);

    // One run with these values, by number of varied quantity. When the summary says `needs_mode`, the run is
    // to be begun again: from then on every case is translated alone, as runs through modes need.
    struct Case {
        RunSummary summary;
        bool translated = false;  // false when the model could not be translated for these values
    };
    Case run(std::span<const double> values, RowSink& sink, Diagnostics& diagnostics);

    // The model for these values, to look at; nothing when errors were reported.
    std::shared_ptr<const Partition> partition(std::span<const double> values, Diagnostics& diagnostics);
    // From now on cases come to their end. No case may be running.
    void ignore_interrupt() { run_.interrupt = nullptr; }
    std::size_t translations() const { return made_; }

    // Seconds that translations have taken, summed over threads; call it when no case runs.
    struct Times {
        StageTimes stages;
        double machine_code = 0;  // setting it up, and waiting for it
        double beside = 0;        // made on other threads at the same time
    };
    Times times() const;

  private:
    struct Ready;  // a Translation with its machine code
    std::shared_ptr<const Ready> find(std::span<const double> values);
    void count(const Ready& ready, Times& times) const;
    std::shared_ptr<const Ready> get(std::span<const double> values, Diagnostics& diagnostics);

    const Workspace& workspace_;
    SimulateOptions run_;
    Engine engine_;
    TranslationQuestion question_;  // without values
    std::atomic<bool> alone_{false};
    mutable std::mutex mutex_;  // guards what follows
    std::vector<std::shared_ptr<const Ready>> known_;
    Times times_;  // those of machine code without that of known translations
    std::atomic<std::size_t> made_{0};
};

}  // namespace cutset

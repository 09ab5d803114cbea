// One model, many sets of values of parameters and initial values.
//
// A Translation is a Program without the values of the varied quantities. It serves every set of values for
// which translating the model anew would give the same Program: the parameters that shaped the model have
// the values they had then, and every decision that sorting took by a value (Partition::decisions) comes out
// as it did. Other sets get a Translation of their own. So a case is equal to the bit to a single run with
// the same values.
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
#include "translate/workspace.h"

namespace cutset {

struct VariedQuantity {
    std::string path;      // as in --set and --init
    bool initial = false;  // the initial value of a variable
};

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
    std::size_t translations() const { return made_; }

    // Seconds that translations have taken, summed over threads; call it when no case runs.
    struct Times {
        Workspace::Times stages;
        double machine_code = 0;  // setting it up, and waiting for it
        double beside = 0;        // made on other threads at the same time
    };
    Times times() const;

  private:
    struct Translation;
    std::shared_ptr<const Translation> find(std::span<const double> values);
    std::shared_ptr<Translation> translate(std::span<const double> values, Workspace::Times& times,
                                           Diagnostics& diagnostics);
    std::shared_ptr<Translation> translate_alone(std::span<const double> values, Workspace::Times& times,
                                                 Diagnostics& diagnostics);
    void count(const Translation& t, Times& times) const;
    std::shared_ptr<const Translation> get(std::span<const double> values, Diagnostics& diagnostics);
    Experiment experiment_for(std::span<const double> values) const;

    const Workspace& workspace_;
    std::string model_;
    Experiment experiment_;
    TransformOptions transform_;
    SimulateOptions run_;
    Engine engine_;
    std::vector<VariedQuantity> varied_;
    bool shareable_;
    std::atomic<bool> alone_{false};
    mutable std::mutex mutex_;  // guards what follows
    std::vector<std::shared_ptr<const Translation>> known_;
    Times times_;  // those of machine code without that of known translations
    std::atomic<std::size_t> made_{0};
};

}  // namespace cutset

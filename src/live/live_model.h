// A model one experiments with: translated once; parameters, initial values and inputs are changed at will;
// it runs, pauses, goes on, is saved and restored, and several futures can begin at one point.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ir/system_summary.h"
#include "native/engine.h"
#include "results/output_file.h"
#include "run/simulate.h"
#include "translate/question.h"
#include "translate/workspace.h"

namespace cutset {

// A point of a run: everything that its future depends on, the values of parameters included. Const, and
// independent of what the model does afterwards.
class Checkpoint;
struct LiveChanges;  // live_translation.h

class LiveModel {
  public:
    struct Settings {
        std::string model;  // empty: the default one
        Experiment experiment;
        TransformOptions transform;
        Engine engine = Engine::Auto;
        SimulateOptions run;  // for values that are asked for before the first run
    };
    // The workspace has loaded the text and outlives this. Nothing when errors were reported to it.
    static std::unique_ptr<LiveModel> make(Workspace& workspace, Settings settings);
    ~LiveModel();

    // ---- what there is
    enum class Kind { Parameter, StructureParameter, Input, State, Discrete, Other };
    struct Quantity {
        std::string path;
        std::string unit;
        Kind kind = Kind::Other;
    };
    const std::vector<Quantity>& quantities() const;
    std::optional<Kind> kind(const std::string& path) const;
    // By submodel; as the language gives it where it does.
    std::vector<SystemSummary> systems() const;
    const Partition& partition() const;

    // ---- values: parameters as they are set, everything else where the run stands. Before the first run
    // that is its initial value, which is computed when it is asked for. Nothing for unknown names, or with
    // the reason reported.
    std::optional<double> value(const std::string& path, Diagnostics& diagnostics);
    // The value at which a state or discrete variable is to start, if one was given.
    std::optional<double> initial(const std::string& path) const;
    bool started() const;
    double time() const;

    // ---- changes; false with the reason reported. Those of parameters and inputs act at once: the run that
    // stands goes on with them. None of them translates the model again, except for parameters that shape it.
    bool set_parameter(const std::string& path, double value, Diagnostics& diagnostics);
    bool set_initial(const std::string& path, double value, Diagnostics& diagnostics);
    // "sin(time)", or a number.
    bool set_input(const std::string& path, const std::string& expression, Diagnostics& diagnostics);
    // Of the run that stands: a jump.
    bool set_state(const std::string& path, double value, Diagnostics& diagnostics);

    // What was changed of the text's values so far.
    const LiveChanges& changes() const;

    // ---- running. An interrupted run stands where it was interrupted.
    RunSummary run(const SimulateOptions& options, RowSink& sink, Diagnostics& diagnostics);
    // From where the run stands to options.stop; options.start says where the output points are counted from.
    RunSummary go_on(const SimulateOptions& options, RowSink& sink, Diagnostics& diagnostics);

    // ---- points of a run. Nothing before the first run.
    std::shared_ptr<const Checkpoint> checkpoint() const;
    // The same of a point that a run passes (SimulateOptions::checkpoint).
    std::shared_ptr<const Checkpoint> checkpoint(const RunPoint& passed) const;
    bool restore(const std::shared_ptr<const Checkpoint>& point, Diagnostics& diagnostics);
    Problem save(const Checkpoint& point, const std::string& path) const;
    std::shared_ptr<const Checkpoint> load(const std::string& path, Diagnostics& diagnostics) const;

    // How often the model was translated so far.
    std::size_t translations() const;

  private:
    struct Implementation;
    explicit LiveModel(std::unique_ptr<Implementation> implementation);
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace cutset

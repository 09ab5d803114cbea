// One translation of a model that is experimented with, and the changes that it is valid for.
// Parameters are held at their values in the run (SimulateOptions::given), so are the initial values of
// states where nothing but initialization itself depends on them; so a run is equal to the bit to one of a
// model that was translated with those values.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "native/engine.h"
#include "run/simulate.h"
#include "translate/translator.h"

namespace cutset {

// What was changed, by plain path.
struct LiveChanges {
    std::map<std::string, double> parameters, initials;
    struct Input {
        std::string text;              // as it was given
        std::optional<double> number;  // if that is what it is
        static Input from(std::string text);
    };
    std::map<std::string, Input> inputs;
};

// What all translations of one model have in common.
struct LiveSource {
    Workspace* workspace = nullptr;
    std::string model;
    Experiment experiment;
    TransformOptions transform;
    Engine engine = Engine::Auto;
};

class LiveTranslation {
  public:
    // Nothing when errors were reported. `run` says how an equilibrium is looked for where the run begins at
    // one.
    static std::shared_ptr<LiveTranslation> make(const LiveSource& source, const LiveChanges& changes,
                                                 const SimulateOptions& run, Diagnostics& diagnostics);

    // Whether a run with these changes is the one that translating the model with them would give.
    bool is_valid_for(const LiveChanges& changes) const;

    const std::shared_ptr<const Partition>& partition() const { return translation_.partition(); }
    const FlatModel& model() const { return translation_.model(); }

    // The program for a solver, made when it is first asked for.
    struct Code {
        std::shared_ptr<const Program> program;
        std::shared_ptr<MachineCode> machine_code;
    };
    const Code& code(Solver solver, Diagnostics& diagnostics);

    // Adds the changes to the options of a run.
    void apply(const LiveChanges& changes, SimulateOptions& options) const;

    // The variables of a plain path.
    std::vector<VariableIndex> find(const std::string& path) const;
    // The state, by number, whose derivative is called that.
    std::optional<std::size_t> state_of(const std::string& derivative) const;

  private:
    Engine engine_ = Engine::Auto;
    Translation translation_;
    JacobianKind jacobian_ = JacobianKind::None;  // of its Program
    LiveChanges made_with_;
    std::map<JacobianKind, std::unique_ptr<Code>> code_;
    std::unordered_map<std::string, VariableIndex> names_;      // looked up only
    std::unordered_map<std::string, std::size_t> derivatives_;  // looked up only
};

tree::Expression number_expression(double value);

}  // namespace cutset

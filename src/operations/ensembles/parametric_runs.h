// Runs of one model with other and other values of some parameters, and exact derivatives of what they give:
// what optimisation, estimation and sensitivity analysis ask for.
//
// The parameters (also inputs and initial values, see transform/leave_open.h) are left open, so that one
// Program is valid for all values. Derivatives come forward in time (any output at any time) or backward
// (outputs at the end, any number of parameters). Equilibria are found as `steady` finds them: where Newton's
// method does not come to one from the initial values, by the damped motion, then from one set of values to
// the next. Where a run has something that derivatives cannot follow, difference quotients of runs take their
// place; `inexact` then says why.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "native/engine.h"
#include "operations/ensembles/ensemble.h"
#include "operations/sensitivity/forward_sensitivity.h"
#include "translate/question.h"
#include "translate/workspace.h"

namespace cutset {

struct ParametricSettings {
    std::string model;
    Experiment experiment;  // with the quantities to be computed
    TransformOptions transform;
    SimulateOptions run;
    Engine engine = Engine::Auto;
    bool start_only = false;        // static: initialization (or the equilibrium), no motion
    std::vector<std::string> open;  // paths of parameters, inputs, x(0); a state x stands for x(0)
};

struct OpenParameter {
    std::string path;
    double value = 0;  // as the model and the experiment give it
    std::optional<double> minimum, maximum, nominal;
    enum class Kind { Parameter, Input, Initial } kind = Kind::Parameter;
    std::string variable;  // of an initial value: whose
    std::string unit;
};

class ParametricRuns {
  public:
    // Nothing when errors were reported to the workspace.
    static std::unique_ptr<ParametricRuns> make(Workspace& workspace, const ParametricSettings& settings);

    const std::vector<OpenParameter>& parameters() const { return parameters_; }
    std::vector<double> present_values() const;
    const FlatModel& model() const { return program_->partition->model; }
    const Program& program() const { return *program_; }
    bool has_states() const { return !program_->layout.state.empty(); }
    // The variables of that path; several for an array.
    std::vector<VariableIndex> find(const std::string& path) const;
    std::string nearest(const std::string& path) const;

    // Outputs at these rising times (at most those the run reaches) and at its end.
    struct Outcome {
        bool good = false;  // the run came to its end
        std::vector<SensitivityRow> rows;
        SensitivityRow end;
        std::string problem;  // of the run, one sentence
    };
    enum class Derivatives { None, Forward, Adjoint };  // Adjoint: of the end only
    Outcome run(std::span<const double> values, const std::vector<VariableIndex>& outputs,
                const std::vector<double>& times, Derivatives derivatives);

    // Why derivatives are difference quotients; empty when they are exact.
    const std::string& inexact() const { return inexact_; }
    // There are no derivatives at all: results jump when the parameters change.
    bool jumps() const { return jumps_; }
    std::size_t runs() const { return runs_; }
    // What the last run reported.
    const Diagnostics& last_diagnostics() const { return last_; }
    // From now on runs come to their end.
    void ignore_interrupt();
    // A run with all its rows, for pictures and files.
    RunSummary simulate(std::span<const double> values, RowSink& sink, Diagnostics& diagnostics);

  private:
    Outcome run_plainly(std::span<const double> values, const std::vector<VariableIndex>& outputs,
                        const std::vector<double>& times);
    Outcome differences(std::span<const double> values, const std::vector<VariableIndex>& outputs,
                        const std::vector<double>& times);
    bool use_ensemble();
    bool translate(const FlatModel& model, Diagnostics& diagnostics);
    bool come_to_rest(std::span<const double> values, bool prefer_stable);
    bool start_from(std::span<const double> variables, std::span<const double> values);
    bool follow_rest(std::span<const double> values);
    SimulateOptions options_for(std::span<const double> values) const;

    ParametricSettings settings_;
    // Of an equilibrium: the model whose initial values are the last one found, and the values it belongs to.
    std::optional<FlatModel> at_rest_;
    std::vector<double> rest_for_;
    bool following_ = false;
    std::shared_ptr<const Program> program_;
    std::shared_ptr<MachineCode> machine_code_;
    std::vector<OpenParameter> parameters_;
    std::vector<VariableIndex> open_;
    std::string inexact_;
    bool jumps_ = false;
    bool plain_ = false;  // the states cannot be followed: values come from result rows
    // Runs whose equations change: every one is translated with its values.
    const Workspace* workspace_ = nullptr;
    std::unique_ptr<Ensemble> ensemble_;
    std::string no_adjoint_;
    std::size_t runs_ = 0;
    Diagnostics last_;
};

}  // namespace cutset

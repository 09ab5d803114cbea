// A model as functions with exact derivatives:
//
//     x' = f(t, x, p)      y = g(t, x, p)      x(0) = s(p)
//     dx' = A dx + B dp    dy = C dx + D dp    dx(0) = S dp
//
// x are the states, p what the question leaves open (parameters, inputs and initial values, see
// transform/leave_open.h), y chosen outputs: those of the DerivativeRequest that the Program was generated
// for. Conditions count as they stand at the point: there are no events here, and discrete variables keep
// their initial values or of the point that was taken.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "generate/interpreter.h"
#include "numerics/linear/schur_complement.h"
#include "run/loop_solver.h"
#include "run/simulate.h"
#include "run/state_selector.h"

namespace cutset {

class ModelFunctions {
  public:
    // The Program has `linearized` (and `linearized_start` where initialization is asked for).
    explicit ModelFunctions(std::shared_ptr<const Program> program,
                            std::shared_ptr<MachineCode> machine_code = nullptr);

    std::size_t states() const { return layout_.state.size(); }
    std::size_t parameters() const { return equations_.by.size(); }
    std::size_t outputs() const { return equations_.of.size(); }
    const Program& program() const { return *program_; }
    const FlatModel& model() const { return program_->partition->model; }
    // With constraints that leave a choice, the variable that a state stands for now.
    VariableIndex state_variable(std::size_t i) const;
    std::vector<double> present_parameters() const;

    // What depends on p only is computed anew. False when that is not possible; see failure().
    bool set_parameters(std::span<const double> p);

    // Solves the initialization for the present p; the states are then x(0). Failures are reported.
    bool start(double time, Diagnostics& diagnostics, bool allow_external = false);
    // The values of another run's point, by variable of the model; NaN: not known, left as it is.
    bool take(double time, std::span<const double> values);

    // f and g at a point; false when they have no value there.
    bool evaluate(double time, std::span<const double> x);
    double time() const { return values_[layout_.time]; }
    std::span<const double> state() const { return part(layout_.state); }
    std::span<const double> derivatives() const { return part(layout_.derivative); }
    double output(std::size_t i) const { return values_[layout_.variable[equations_.of[i].value]]; }
    // The value of any variable at the point of the last evaluation.
    bool complete();  // computes those that f and g do not need
    double value(VariableIndex v) const { return values_[layout_.variable[v.value]]; }
    // All values, for derivatives of higher order.
    const Interpreter& values() const { return values_; }
    double& guess(VariableIndex v) { return values_[layout_.variable[v.value]]; }

    // The Jacobian at the point of the last evaluation, eliminated: rows x' then y, columns x then p. The
    // pattern never changes; values have its order. False when loops are singular.
    const SparsePattern& pattern() const { return schur_.pattern(); }
    bool linearize(std::span<double> elements);
    // S at initialization, rows x, columns p, dense by columns.
    bool linearize_start(std::vector<double>& matrix);

    // The switches (by number in the Partition) whose two sides meet at the point of the last evaluation.
    std::vector<std::size_t> conditions_at_corner();

    // Why the last call returned false, in the words of the modeller.
    std::optional<Diagnostic> failure() const;

  private:
    std::span<const double> part(const std::vector<Slot>& slots) const {
        return values_.values().subspan(slots.empty() ? 0 : slots[0], slots.size());
    }
    bool run(const Section& section);

    std::shared_ptr<const Program> program_;
    const Layout& layout_;
    const LinearizedEquations& equations_;
    NumericLoopSolver loops_;
    Interpreter values_;
    StateSelector selector_;
    SchurComplement schur_;
    std::vector<double> elements_;
    const Section* failed_ = nullptr;
    std::optional<std::size_t> singular_;  // intermediate quantity
};

}  // namespace cutset

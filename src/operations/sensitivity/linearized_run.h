// What forward and adjoint sensitivities share: a second interpreter that follows a run, the tape of its
// derivatives, and the linear differential equations along the path of the states,
//
//     s' = J(t) s + q(t)   forward,      l' = -J(t)^T l   backward,     J = df/dx at (t, x(t)).
//
// Private to src/operations.
#pragma once

#include <atomic>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "generate/interpreter.h"
#include "numerics/integrators/integrator.h"
#include "operations/sensitivity/section_tape.h"
#include "run/loop_solver.h"
#include "run/run_path.h"

namespace cutset {

// What derivatives are taken by: a parameter, with all slots that it stands in.
struct SensitivityParameter {
    std::vector<Slot> slots;
    double size = 1;  // of its value; not 0
};

struct SensitivitySettings {
    double tolerance = 1e-6;  // of the derivatives, relative
    bool allow_external = false;
    std::shared_ptr<MachineCode> machine_code;
    const std::atomic<bool>* interrupt = nullptr;
};

class LinearizedRun {
  public:
    LinearizedRun(const Program& program, const SensitivitySettings& settings);

    void take(std::span<const double> values);
    void take(const Interpreter& values) { take(values.values()); }
    // Time and states of the path.
    void move_to(double t, const RunPath& path);
    bool record(std::initializer_list<const Section*> sections, bool backward = false);
    std::span<const double> derivatives() const;  // derivatives of the states, as last computed
    double& operator[](Slot slot) { return values[slot]; }

    // The pattern and values of J (or its transpose) for `copies` systems side by side: unknown i of system k
    // is number i * copies + k. Nothing when the Program has no Jacobian.
    std::optional<IvpJacobian> jacobian(std::size_t copies, bool transposed,
                                        std::function<void(double)> move);

    const Program& program;
    const Layout& layout;
    const std::size_t states;
    SensitivitySettings settings;
    NumericLoopSolver loops;
    Interpreter values;
    SectionTape tape;
    std::string problem;  // why there are no derivatives
    bool jumps = false;   // … because the results jump when parameters change

    bool fail(std::string why) {
        if (problem.empty()) problem = std::move(why);
        return false;
    }
};

}  // namespace cutset

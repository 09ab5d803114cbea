// Derivatives of values at the end of a run by any number of parameters, backward in time: one integration
// for each value, however many parameters there are.
//
//     l(T) = dy/dx,   l' = -f_x^T l,   dy/dp = y_p + l(t0)^T dx0/dp + integral of l^T f_p dt
//
// An event at which nothing jumps but the equations change, found where g(t, x, p) = 0, adds to l
//     l- = l+ + (g_x)^T k,   k = -l+^T (f- - f+) / (g_t + g_x f-),      and k g_p to dy/dp.
// Where when clauses act, derivatives forward in time are to be used (forward_sensitivity.h).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "operations/sensitivity/linearized_run.h"
#include "run/run_observer.h"

namespace cutset {

class AdjointSensitivities : public RunObserver {
  public:
    AdjointSensitivities(const Program& program, const SensitivitySettings& settings,
                         std::vector<SensitivityParameter> parameters);

    // After the run: the derivatives of that output at its end. False when there are none; `problem` says
    // why.
    bool gradient(Slot output, std::span<double> by_parameter);
    // Its value at the end; call after `gradient`.
    double value(Slot output) { return run_.values[output]; }
    const std::string& problem() const { return run_.problem; }

    void start(const Interpreter& values) override;
    void continues(const Interpreter& values) override;
    void step(Integrator& integrator, double from, double to) override;
    void event_comes(const Interpreter& values) override;
    void event_begins(const EventCause& cause) override;
    void whens(const Interpreter& values, std::span<const std::size_t> active,
               std::span<const Assignment> discrete, std::span<const Assignment> states, bool jumps) override;
    void event_ends(const Interpreter& values, bool terminated) override;
    void cannot_follow(const std::string& why) override { run_.fail(why); }

  private:
    struct Part {
        RunPath path;
        std::vector<double> values;  // of all slots, where it begins
        // The event that ends it: values before it, and the derivatives after it.
        std::vector<double> before, rates_after;
        EventCause cause;
    };
    bool integrate(const Part& part, std::vector<double>& adjoints);
    bool pass_event(const Part& part, std::vector<double>& adjoints);
    bool good() const { return run_.problem.empty(); }

    LinearizedRun run_;
    std::vector<SensitivityParameter> parameters_;
    std::vector<double> start_values_;
    std::vector<Part> parts_;
    std::vector<double> end_values_;
    double time_ = 0;
    bool terminated_ = false;
};

}  // namespace cutset

// Derivatives of a run by parameters, forward in time: s = dx/dp along the run, with all its events.
//
// Between events  s' = f_x s + f_p. At an event at t* the derivative of its time,
//     dt*/dp = -(g_x s + g_p) / (g_t + g_x f)      where g(t, x, p) = 0 caused it,
// shifts what the event maps,  s+ = R_x (s + f- dt*) + R_t dt* + R_p - f+ dt*,  and so for discrete
// variables, which have derivatives too.
//
//     ForwardSensitivities derivatives(program, settings, parameters, outputs, times);
//     options.observer = &derivatives;  simulate(program, options, …);
//     if (derivatives.finish()) … derivatives.rows(), derivatives.end()
#pragma once

#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "operations/sensitivity/linearized_run.h"
#include "run/run_observer.h"

namespace cutset {

struct SensitivityRow {
    double time = 0;
    std::vector<double> values;       // by output
    std::vector<double> derivatives;  // by output, then by parameter
};

class ForwardSensitivities : public RunObserver {
  public:
    // `times` rise. At the time of an event values are those before it.
    ForwardSensitivities(const Program& program, const SensitivitySettings& settings,
                         std::vector<SensitivityParameter> parameters, std::vector<Slot> outputs,
                         std::vector<double> times);

    // After the run: the rest of it. False when there are no derivatives; `problem` says why.
    bool finish();
    const std::string& problem() const { return run_.problem; }
    bool jumps() const { return run_.jumps; }  // … because the results jump when parameters change

    // At the times asked for that the run reached, and at its end.
    const std::vector<SensitivityRow>& rows() const { return rows_; }
    const SensitivityRow& end() const { return end_; }
    // The smallest |dg/dt| relative to the size of what it is made of: events that graze have no derivative.
    bool grazed() const { return grazed_; }

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
    double* tangents(Slot slot) { return tangents_.data() + std::size_t(slot) * width_; }
    void copy_tangents(Slot to, Slot from);
    void keep_previous();
    bool run(std::initializer_list<const Section*> sections);
    bool integrate();
    SensitivityRow outputs_at(double t);
    void write_until(Integrator* integrator, double from, double to);
    bool comes_apart(const EventCause& cause) const;
    bool good() const { return run_.problem.empty(); }

    LinearizedRun run_;
    std::vector<SensitivityParameter> parameters_;
    std::vector<Slot> outputs_;
    std::vector<double> times_;
    std::size_t width_;
    std::vector<double> tangents_;  // by slot, then by parameter
    std::vector<double> shift_;     // dt*/dp of the event at hand
    std::vector<double> sizes_;     // of the states, the largest met
    RunPath path_;
    std::vector<SensitivityRow> rows_;
    SensitivityRow end_;
    bool begun_ = false, ended_ = false, grazed_ = false;
    double time_ = 0;
};

}  // namespace cutset

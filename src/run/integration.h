// The steps of a run in one mode:
//
//     repeat until the stop time, or until it is to stand still (interruption, pause):
//         integrate a step with frozen conditions, to the nearest of stop, time event and zero crossing
//         look for zero crossings that the ends of the step do not show
//         write the output points passed, from the integrator's interpolant
//         at an event: the values before it, the event iteration, the values after it; restart the integrator
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "run/mode_entry.h"
#include "run/run_observer.h"

namespace cutset {

class Integration {
  public:
    // `memory`: of a run that stood here, to go on with; may be null.
    Integration(RunParts& parts, Trial& trial, const ModeEntry& entry, bool resumed,
                std::shared_ptr<const RunMemory> memory)
        : parts_(parts),
          trial_(trial),
          entry_(entry),
          now_(parts.now),
          resumed_(resumed),
          memory_(std::move(memory)) {}

    // To the end of the run, or until another mode is wanted. False after a failure, which is reported.
    bool run();

  private:
    struct Step {
        StepResult result;     // of the integrator
        double reached = 0;    // its end, or the event that was found within it
        bool is_root = false;  // the integrator located a zero crossing
        bool missed = false;   // one was found afterwards
        bool is_event = false;
        bool loops_solved = false;  // at its end
        bool evaluated = false;     // the equations there
    };
    enum class Progress { Goes, Ends, Failed };

    bool start();
    IvpProblem problem();
    bool take_up();
    void keep_memory();
    void remember_steps(MemoryStream& stream);
    bool is_to_stand() const;
    bool stand_still();
    void take_checkpoint();
    bool run_steps();
    double next_stop();
    Progress take_step(Step& step);
    Progress give_up(const StepResult& result);
    bool limit_growth(double& until);
    bool follows_equations(const StepResult& result);
    bool creeps(const StepResult& result);
    void find_missed(Step& step);
    void solve_loops_at_end(Step& step);
    bool approach(const Step& step);
    void write_until_lost(const Step& step);
    bool write_outputs(const Step& step);
    void find_delayed_jump(Step& step);
    bool record_step(Step& step);
    bool record_inside(const Step& step, double& last);
    bool evaluate_past(double t, std::vector<double>& inside);
    bool a_delay_is_negative() const;
    void write_recorded(const Step& step, double good);
    bool finish_step(Step& step);
    Progress handle_event(Step& step);
    bool begin_event(Step& step, bool& goes_on);
    bool end_event(const Step& step, bool goes_on);
    bool renew_states(const Step& step);
    EventCause cause_of_event(double reached) const;
    void report_what_cannot_be_followed();
    bool report_failure();
    void warn_of_tolerances(double factor);
    void add_statistics();
    double* measured(double& sum) const { return now_.options.measure_times ? &sum : nullptr; }

    RunParts& parts_;
    Trial& trial_;
    const ModeEntry& entry_;
    Instant& now_;
    const bool resumed_;
    const std::shared_ptr<const RunMemory> memory_;
    std::unique_ptr<Integrator> integrator_;
    std::vector<double> x_;              // states, and tearing variables in whole-DAE mode
    std::vector<double> absolute_;       // tolerances
    double relative_ = 0;                // the same
    std::vector<double> inputs_before_;  // an event: what it can change for the integrator
    TrackedUnknowns tracked_;
    double longest_step_ = 0;
    double event_time_ = 0;      // of the next time event
    bool asks_for_end_ = false;  // terminal() stands in a condition
    bool watch_steps_ = false;   // validities or delays look at the end of every step
    bool loops_known_ = false;   // the derivatives need all nonlinear loops
    bool has_tables_ = false;
    // Steps since then in which the equations had no value at a point that was tried.
    int edge_steps_ = 0;
    double edge_since_ = 0;
};

}  // namespace cutset

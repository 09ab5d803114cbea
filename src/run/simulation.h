// The run behind simulate(): its state and its steps. Private to src/operations.
//
//   simulation_instant.cpp   one instant: equations, switches, what is not finite
//   simulation_sliding.cpp   switches held at their surface
//   simulation_start.cpp     the start problem
//   simulation_rest.cpp      rest positions
//   simulation_point.cpp     the start and the linearised motion around it
//   simulation_events.cpp    the start as a whole, events
//   simulation_whens.cpp     when clauses
//   simulation_modes.cpp     entering and leaving a mode (see mode_changes.h)
//   simulation_resume.cpp    where a run stands, and going on from there
//   simulation_rates.cpp     what the integrator asks for
//   simulation_crossings.cpp crossing functions within a step
//   simulate.cpp             output rows, integration, the run as a whole
#pragma once

#include <cmath>
#include <limits>
#include <memory>

#include "base/stopwatch.h"
#include "generate/interpreter.h"
#include "run/crossing_watch.h"
#include "run/delay_buffer.h"
#include "run/equilibrium.h"
#include "run/forced_switches.h"
#include "run/loop_solver.h"
#include "run/result_columns.h"
#include "run/run_observer.h"
#include "run/run_point.h"
#include "run/simulate.h"
#include "run/state_selector.h"

namespace cutset {

inline constexpr Slot no_slot = ~Slot(0);  // of a column that this mode does not compute
inline constexpr double never = std::numeric_limits<double>::infinity();
inline constexpr int most_iterations = 100;        // of switches and of when clauses at one instant
inline constexpr std::size_t storm_length = 2000;  // events in a row without progress
inline constexpr long pace_window = 10000;         // steps after which their pace is looked at

// Two instants that differ by rounding only are one.
inline bool same_instant(double a, double b) {
    return std::isfinite(a) && std::isfinite(b) &&
           std::abs(a - b) <= 1e-13 * std::max(std::abs(a), std::abs(b));
}

// Seconds that a run has waited for machine code so far, if times are measured.
double waited(const SimulateOptions& options);

using Flags = std::vector<char>;  // true and false, looked at all the time

// What one run hands on to another of the same model in another mode. Variables by their index in the model
// as it was before transformation.
struct Handover {
    double time = 0;
    bool starting = false;
    std::vector<double> values;
    std::vector<double> ahead;                            // a moment later, as far as it can be told
    std::vector<std::optional<double>> previous;          // pre(v)
    std::vector<double> sizes;                            // the largest met
    std::vector<std::pair<std::string, double>> by_name;  // derivatives and others that were added later
    Flags when_held;
    std::vector<bool> invalid;
    struct Ticking {
        Expr node;
        ClockState state;
        bool now;
    };
    std::vector<Ticking> clocks;
    std::size_t next_output = 0;
    std::vector<EquationIndex> failed;  // equations of the block that could not be solved
};

// For runs whose rows nobody wants.
class NoRows : public RowSink {
  public:
    std::optional<std::string> begin(const Columns&) override { return std::nullopt; }
    std::optional<std::string> row(std::span<const double>) override { return std::nullopt; }
};

struct ValueBefore;
struct InitialPoint;
class LoopSearch;

class Simulation {
  public:
    Simulation(const Program& program, const SimulateOptions& options, RowSink& sink,
               Diagnostics& diagnostics)
        : program_(program),
          partition_(*program.partition),
          model_(partition_.model),
          layout_(program.layout),
          options_(options),
          sink_(sink),
          diagnostics_{&diagnostics},
          delays_(partition_.delays.size()),
          loops_(program, model_),
          output_loops_(program, model_),
          residuals_(program, options.solver == Solver::Ida, loops_),
          selector_(program),
          main_(program, {&loops_, &delays_, options.allow_external}),
          output_(program, {&output_loops_, &delays_, options.allow_external}) {
        for (Interpreter* values : {&main_, &output_}) {
            values->set_machine_code(options.machine_code);
            for (const auto& [v, value] : options.given) (*values)[layout_.variable[v.value]] = value;
        }
    }

    // The run in parts: the start with its row, then integration until the end or until another mode is
    // needed.
    bool begin();
    bool integrate();
    bool integrate_with(std::unique_ptr<Integrator>& integrator);
    RunSummary& summary() { return summary_; }
    RunSummary finish(bool good);
    std::optional<Equilibrium> start_only();
    std::optional<Equilibrium> rest();
    std::optional<EndOfRun> end_of_run();
    std::optional<InitialPoint> point(LoopSearch* search);

    // ---- a run in parts (simulation_resume.cpp)
    bool begin_from(const RunPoint& from);
    bool begin_after_change(bool found);
    // The parts of begin_from, for a run that goes on in a mode.
    bool take_point(const RunPoint& from);
    bool begin_results();
    Handover hand_over(const RunPoint& from) const;
    RunPoint stand();
    void return_to_place(bool in_event);
    RunPoint stand_in(Simulation& mode);
    std::vector<double> parameter_values();  // by variable; of others whatever they are

    // ---- modes (simulation_modes.cpp)
    void allow_modes(bool allow) { modes_ = allow; }
    bool wants_mode() const { return wants_mode_; }
    Handover hand_over();
    Handover hand_over_start();
    // The start in another mode, or as it would be without modes.
    bool begin_after(bool found);
    enum class Entry { Entered, Failed, Disagrees };
    // The equations of all modes, from where another run has come to.
    Entry enter(const Handover& from);
    // A mode, with its own equations. Afterwards `disagreeing` lists the exits that are taken at once, and
    // `jumps` what had to jump.
    struct Jump {
        VariableIndex variable;
        double from, to;
    };
    Entry enter_mode(const Handover& from, std::span<const ValueBefore> before, std::size_t exits,
                     std::vector<std::size_t>& disagreeing, std::vector<Jump>& jumps);
    void write_columns_of(const Simulation& first);
    bool write_after_entry();
    void report_to(Diagnostics& diagnostics) { diagnostics_.to = &diagnostics; }
    // What the event at which it stopped had to say.
    const Diagnostics& held() const { return held_; }
    // No other mode was found: the event once more, with its messages.
    bool retry();
    std::string failure() const;
    // The equations of the block that could not be solved.
    std::vector<EquationIndex> failed_equations();

  private:
    void prepare();
    void hold_at_start(std::size_t whens);
    bool attempt_start();
    void take(const Handover& from);
    struct Attempt;
    bool attempt_event();

    // ---- a run in parts
    Section holding(const Section& section, const std::vector<std::pair<VariableIndex, double>>& held) const;
    const Section& parameters_section();
    const Section& initial_section();
    void set_given_starts(Interpreter& values) const;
    bool is_start_given(VariableIndex v) const;
    void keep_place(double at, std::span<const double> x);
    void compute_place();
    bool differs(const RunPoint& from) const;
    bool settle_at(const RunPoint& from);
    bool write_first_row();

    // ---- one instant
    bool run_section(const Section& section);
    bool report_not_finite(const Section& section, double time);
    bool derivatives_finite();
    bool keep_branches();
    bool evaluate();  // continuous equations at the present time and states
    void note_equations();
    bool equations_known() const;
    // The unknowns of the integrator: the states, and in whole-DAE mode the iterated unknowns of the loops.
    void set_states(Interpreter& values, std::span<const double> x);
    std::vector<double> states() const;
    void read_states(std::vector<double>& x) const;
    bool states_are(std::span<const double> x) const;
    double switch_value(std::size_t i) const;
    bool settle_switches(const Section& section);
    Interpreter& probe();
    void measure_time_switches();
    bool look_ahead();

    // ---- sliding
    bool is_sign(std::size_t i) const;
    double& mixture(Interpreter& values, std::size_t i);
    bool run_mixed(Interpreter& values, const Section& section);
    bool crossing_rates(Interpreter& values, const std::vector<std::size_t>& list, std::vector<double>& rates,
                        bool& moved);
    bool solve_sliding(Interpreter& values, const Section& section);
    void begin_sliding(std::size_t i, double at, bool algebraic);
    void end_sliding(std::size_t i);
    double sliding_margin(std::size_t i);
    bool try_sliding();
    bool rest_on_surfaces();
    bool leave_moved_surfaces();

    // ---- values of switches
    bool is_forced(std::size_t i) const;
    void force(std::size_t i, double value);
    bool run_quietly(const Section& section);
    bool list_disagreeing(const Section& section, std::vector<std::size_t>& changing, bool first = false);
    enum class Settling { Done, Failed, Cycle };
    Settling settle_quietly(const Section& section, std::vector<std::size_t>& involved);
    bool report_cycle(const std::vector<std::size_t>& involved);
    bool search_switches(const Section& section, const std::vector<std::size_t>& involved);
    bool near_surface(std::size_t i) const;
    bool lasts();
    bool lasts(double distance, bool clearly);
    bool finite(const Interpreter& values) const;
    bool settle_for_good();
    bool search_lasting();
    void settle_on_sides();

    // ---- when clauses
    struct Setter {  // of a variable, among the active clauses
        std::size_t when = 0, action = 0;
        bool set = false;
        Span overruled;  // an earlier one
    };
    struct Changing {  // variables that clauses change
        std::vector<VariableIndex> variables;
        Span where;
    };
    void prepare_whens();
    void keep_values_before();
    bool when_clauses();
    void list_active_whens();
    void hold_conditions();
    void tell_of_overruled();
    bool counts(std::size_t w, std::size_t a) const;
    bool assign_discrete(Changing& changing);
    bool restart_states();
    void tell_observer_of_whens();
    bool jump_is_due() const;
    bool jump_states();

    // ---- crossings within a step
    void watch_crossings();
    void note_sizes();
    bool try_crossings(double t, std::span<const double> x);
    int crossings(double t, std::span<const double> x, std::span<double> g);
    std::optional<std::size_t> disagreeing_switch(std::span<const int> located);
    double locate_disagreement(Integrator& integrator, double from, double to, std::vector<double>& x);
    bool find_missed_crossing(Integrator& integrator, const StepResult& step, double& reached,
                              std::vector<double>& x);
    bool nothing_is_missed(Integrator& integrator, const StepResult& step, double reached,
                           const std::vector<double>& x);
    void forget_offsets();
    void find_places();
    void force_switches(std::span<const int> roots);
    void force_missed();

    // ---- the run
    bool initialise();
    bool solve_start();
    bool report_start_failure();
    bool report_left_open(const Block* failed);
    bool check_start();
    Environment start_environment();
    void set_guesses(Interpreter& values);
    void guess_by_definitions(Interpreter& values);
    bool rates_at(std::span<const double> x, std::span<double> f);
    bool matrix_at(std::span<const double> x, std::span<const double> f, std::span<const double> scale,
                   std::vector<double>& j);
    bool renew_states();
    void copy_to_output();
    bool prepare_clocks();
    void find_switched_loops();
    std::vector<bool> slots_from_loops() const;
    bool event();
    void check_validity();
    void watch_tables();
    void record_delays(double time);
    void pass_delayed_jumps();
    double next_time_event() const;
    bool write_row(Interpreter& values);
    bool write_output(double t);
    bool storm(double time);
    void count_kink(std::size_t i, double at);
    bool count_firing(std::size_t i, double at);
    bool run_continuous();
    bool try_continuous(double t, std::span<const double> x);
    bool plain() const;
    std::span<const double> rates_found() const;
    bool try_rates(const Section& section, double t, std::span<const double> x);
    int jacobian(double t, std::span<const double> x, std::span<double> values);
    std::optional<IvpJacobian> ivp_jacobian();
    int derivatives(double t, std::span<const double> x, std::span<double> dx);
    void collect_breakpoints();
    double next_breakpoint() const;
    void warn_of_tolerances();
    bool output_is_due(double reached) const;
    bool write_outputs(Integrator& integrator, double from, double reached, std::span<const double> x,
                       bool is_event);
    bool approach(Integrator& integrator, double from, double to, std::span<const double> x);
    void read_tracked(std::vector<double>& values) const;
    void record_inside(Integrator& integrator, double from, double to);
    EventCause cause_of_event(double reached) const;
    void tell_what_cannot_be_followed();
    bool integration_failed(const Integrator& integrator);
    // The equation that gives the derivative of a state.
    const SolvedEquation* rate_equation(VariableIndex state) const;
    // After a step: where steps are very short for long, do derivatives jump without an event?
    bool watch_pace(Integrator& integrator, double from, double reached, std::span<const double> x);
    bool judge_jumps(Integrator& integrator);
    struct RateJump {
        std::size_t state;
        double time, before, after;
    };
    std::optional<RateJump> find_jump(double from, double to, std::span<const double> x);
    std::optional<RateJump> jump_between(double t_left, std::vector<double> left, double t_right,
                                         std::vector<double> right);
    double default_max_step();
    IvpProblem problem();

    bool fail(Diagnostic d) {
        diagnostics_.report(std::move(d));
        return false;
    }
    double* measured(double& sum) const { return options_.measure_times ? &sum : nullptr; }
    double time() const { return main_[layout_.time]; }
    double output_time(std::size_t i) const;
    std::size_t output_count() const;

    const Program& program_;
    const Partition& partition_;
    const FlatModel& model_;
    const Layout& layout_;
    const SimulateOptions& options_;
    RowSink& sink_;
    struct Reporter {
        Diagnostics* to;
        void report(Diagnostic d) { to->report(std::move(d)); }
    };
    Reporter diagnostics_;
    DelayBuffer delays_;
    NumericLoopSolver loops_, output_loops_;
    LoopResiduals residuals_;  // whole-DAE mode: what the integrator makes zero
    bool whole_ = false;       // loops are evaluated, not solved, at present
    StateSelector selector_;
    Interpreter main_, output_;

    ResultLayout result_;
    std::vector<double> row_;
    std::size_t next_output_ = 0;
    RunSummary summary_;

    std::vector<ClockState> clocks_;
    std::vector<std::size_t> state_switches_, time_switches_;  // numbers of switches
    std::vector<double> slope_;                                // by switch: of the crossing of a time switch
    std::vector<double> measured_for_;  // values of discrete_inputs_ that they were measured with
    bool slopes_known_ = false;
    std::unique_ptr<Interpreter> probe_;  // for looks ahead
    std::vector<std::size_t> changing_;   // switches that disagree
    std::vector<double> switches_at_entry_;
    ForcedSwitches forced_;               // switches whose crossing was located at this instant
    Flags when_held_;                     // by when clause: its condition before this event
    std::vector<VariableIndex> targets_;  // of the actions of when clauses, in order
    std::vector<std::vector<std::size_t>> when_targets_;  // by clause and action: its number there
    std::vector<Setter> setters_;                         // by target
    Flags is_active_;                                     // by when clause
    std::vector<std::size_t> active_whens_;               // those, in order
    bool overruled_ = false;                              // one of them by a later one
    std::vector<std::pair<Slot, double>> restarts_;       // states that they set
    std::vector<VariableIndex> restarted_;                // the same
    std::vector<std::pair<Slot, Slot>> kept_before_;      // pre(x) and x
    std::vector<bool> invalid_;                           // by validity: left and reported
    std::vector<bool> table_reported_;
    bool terminated_ = false;
    std::size_t storm_events_ = 0;
    double storm_start_ = 0;
    std::size_t last_fired_ = std::size_t(-1);  // the switch of the last state event
    struct KinkCount {
        std::size_t all = 0, recent = 0;  // events; those after `since`
        double since = 0;
    };
    struct Firing {
        std::size_t count = 0, shorter = 0;  // intervals in a row, each shorter than the one before
        double last = 0, interval = 0, first = 0, longest = 0, window = 0;
        bool reported = false;
    };
    std::vector<Firing> firings_;            // by switch and direction
    std::vector<double> peaks_;              // the same: of the crossing since the last of them
    double smallest_crossing_ = 0;           // that the tolerance can tell, relative
    std::vector<std::size_t> fired_now_;     // switches located at this instant
    std::vector<std::size_t> decided_;       // switches at their surface whose side their rates have told
    Flags acts_;                             // by switch: the equations or crossings read its value
    std::vector<Slot> inputs_;               // what an event can change for the integrator
    std::vector<Slot> discrete_inputs_;      // those that are no states
    std::vector<KinkCount> kinks_;           // by switch
    Flags left_;                             // by switch: has just ended sliding
    Flags sliding_;                          // by switch: its crossing is held at zero
    std::vector<std::size_t> sliding_list_;  // those, in order
    Flags algebraic_;                        // by switch that slides: its crossing depends on its own value
    std::vector<double> weights_, output_weights_;  // by switch: of the true side of a relation that slides
    std::vector<double> offset_;            // by switch: taken from its crossing, which rounding left there
    std::vector<double> largest_crossing_;  // by switch: the largest size met
    std::vector<Slot> mixed_slots_;
    bool equations_for_crossings_ = true;
    CrossingWatch watch_;
    bool at_crossings_ = false;  // the last point that the integrator asked about is that of its crossings
    bool at_rates_ = false;      // or of derivatives, computed without loops
    std::vector<double> crossings_begin_, crossings_middle_, crossings_end_;  // of the step, by state switch
    std::vector<double> places_, inside_;     // where to look in the step; the states there
    std::vector<std::size_t> loop_switches_;  // state switches inside loops
    // Those, and others whose crossings depend on solutions of loops, which differ by rounding from one
    // evaluation to the next.
    std::vector<std::size_t> uncertain_switches_;
    std::vector<std::size_t> switched_loops_;   // those loops, the nonlinear ones
    std::vector<Slot> unknown_slots_;           // of continuous variables that are not eliminated
    std::vector<std::size_t> branch_switches_;  // those of an unknown that a nonlinear loop iterates
    Flags muted_;                               // by switch: no longer watched
    std::vector<Op> switch_ops_;                // by switch: the operation of its node
    Flags simple_;                              // by switch: a < b that no instant decides
    bool all_simple_ = false;
    bool equations_known_ = false;  // main_ has been computed from these inputs:
    double inputs_time_ = 0;
    std::vector<double> inputs_then_;                     // by inputs_
    bool repeatable_ = false;                             // the equations depend on nothing else
    std::vector<double> breakpoints_;                     // of tables over time: no step goes past one
    std::vector<Slot> tracked_;                           // iterated unknowns of nonlinear loops
    std::vector<double> tracked_before_, tracked_after_;  // at the ends of the step
    std::vector<double> jumps_;                           // those of them where the table jumps
    std::vector<double> tolerances_;                      // by state: absolute
    std::vector<double> largest_;                         // by state: the largest size met
    std::vector<double> bad_states_;                      // where derivatives were last not finite
    double bad_time_ = 0;
    struct Pace {
        long steps = 0;  // since `begin`
        double begin = 0;
        double longest = 0;  // step that is allowed
        int looks = 0;       // steps that are still to be looked at for jumps
        int found = 0;       // of those that were
        int hopeless = 0;
        double per_run = 0;          // steps, at the pace of the last window
        double at_first = 0;         // the same when jumps were first found; 0: never
        std::vector<double> before;  // the states before the step, while looking
        std::optional<RateJump> jump;
        bool told = false;
    };
    Pace pace_;
    bool modes_ = false;          // other modes may be asked for
    bool wants_mode_ = false;     // one is
    bool modes_entered_ = false;  // this run was entered from another mode
    bool leaving_ = false;        // a condition of this mode no longer holds
    bool keep_previous_ = false;
    std::size_t exits_ = std::size_t(-1);                    // when clauses from here on leave this mode
    std::shared_ptr<Attempt> attempt_;                       // the state before the event at hand
    Diagnostics held_;                                       // what it had to say
    bool stop_now_ = false;                                  // an error that no shorter step cures
    std::optional<Section> held_parameters_, held_initial_;  // without what the options give
    double kept_time_ = 0;                                   // the last place that was good
    std::vector<double> kept_states_;
    bool resumed_ = false;          // from a point of another run
    bool place_disturbed_ = false;  // an event failed there
    std::vector<double> scales_;    // by state
};

}  // namespace cutset

// When clauses at an event. Iterated until no further condition becomes true:
//
//     the equations, with conditions that agree; the conditions of the clauses, all of the same moment
//     the clauses whose condition became true act, all together:
//         pre(x) := x, but in the first iteration, where pre(x) is the value before the event
//         new values: solved for, together with the equations; two that differ for one variable are an error
//         states jump and are set anew
//
// Where none becomes true the discrete equations go on: pre(m) := m for what they determine, and again until
// nothing changes.
//
// A clause that is made true by another acts in the next iteration. The order of the text decides nothing; of
// the branches of one `when … elsewhen …` only the first that becomes true acts. `start()` is over when
// pre(x) becomes x for the first time.
//
// FlatModel::whens_together (Modelica specification, appendix B): conditions belong to the system too. The
// clauses that act are those whose conditions, with the new values, are true and were not in the iteration
// before; those of `initial()` act with the initialization, before pre(x) becomes x.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "run/new_values.h"
#include "run/settling.h"

namespace cutset {

class WhenClauses {
  public:
    WhenClauses(Instant& now, Settling& settling);

    // Acts until no further condition becomes true.
    bool run();
    // For clauses together: those of `initial()`, with the initialization as it has been solved. `changed`:
    // discrete variables have got other values, which initial equations may look at.
    bool act_at_start(bool& changed);

    // pre(x) := x
    void keep_values_before();
    // The conditions as they are now do not act again until they have been false.
    void hold_conditions();
    // At initialization a condition that holds does not act, unless it has `sample` or `start()`. For the
    // first of them, the others being exits of a mode.
    void hold_at_start(std::size_t count);
    // What discrete equations determine has changed, and is read as pre(m).
    bool discrete_differs() const;
    bool report_discrete_cycle();
    // These clauses act again and again.
    bool report_no_end(const std::vector<std::size_t>& clauses);
    // A clause whose condition has become true since.
    std::optional<std::size_t> fresh() const;

    // Clauses from here on leave the mode of the run (transform/fix_conditions.h).
    void set_exits(std::size_t first) { exits_ = first; }
    std::size_t exits() const { return exits_; }
    bool has_exits() const { return exits_ < now_.model.whens.size(); }
    // Exits whose conditions hold, counted from the first.
    std::vector<std::size_t> open_exits(const Interpreter& values) const;
    bool leaving() const { return leaving_; }        // an exit was taken
    bool terminated() const { return terminated_; }  // the model ends the run
    void set_leaving(bool leaving) { leaving_ = leaving; }
    void go_on() { leaving_ = terminated_ = false; }

  private:
    bool evaluate();
    bool run_together();
    bool run_after_each_other();
    bool is_together() const { return now_.model.whens_together; }
    void list_active();
    bool solve_together();
    void take_back(const std::vector<std::size_t>& clauses);
    void end_start();
    bool act();
    bool report_own_conditions(const std::vector<std::size_t>& acted);
    std::vector<VariableIndex> targets_of(const std::vector<std::size_t>& clauses) const;
    bool jump_is_due() const;
    bool jump_states();
    bool list_restarts();
    bool restart_states();
    void end_run();
    void inform_observer();
    bool values_differ_from_before() const;
    void keep_discrete_before();
    bool reads_values_before() const;

    Instant& now_;
    Settling& settling_;
    NewValues new_values_;
    Flags& held_;                                     // of the state
    std::vector<std::pair<Slot, Slot>> kept_before_;  // pre(x) and x
    std::vector<std::pair<Slot, Slot>> discrete_;     // of those, what discrete equations determine
    bool reads_before_ = false;                       // equations or conditions do
    std::vector<char> of_start_;                      // by clause: `start()` stands in its condition
    bool only_of_start_ = false;                      // no other clauses act now
    std::vector<std::size_t> active_;                 // clauses of this iteration, in order
    struct Restart {
        VariableIndex state;
        double value;
        Span where;
        Slot from;
    };
    std::vector<Restart> restarts_;  // states that they set, each once
    std::size_t exits_ = std::size_t(-1);
    bool leaving_ = false, terminated_ = false;
};

}  // namespace cutset

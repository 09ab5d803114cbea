// When clauses at an event. Those whose condition became true act: discrete values are computed until they
// agree with each other and with the equations, then states jump and are set anew, all together.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "run/settling.h"

namespace cutset {

class WhenClauses {
  public:
    WhenClauses(Instant& now, Settling& settling);

    // Acts until no further condition becomes true.
    bool run();

    // pre(x) := x
    void keep_values_before();
    // The conditions as they are now do not act again until they have been false.
    void hold_conditions();
    // At the start a condition that holds does not act, unless it has `sample` or `start()`. For the first of
    // them, the others being exits of a mode.
    void hold_at_start(std::size_t count);
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
    struct Setter {  // of a variable, among the active clauses
        std::size_t when = 0, action = 0;
        bool set = false;
        Span overruled;  // an earlier one
    };
    struct Changing {  // variables that clauses change
        std::vector<VariableIndex> variables;
        Span where;
    };
    void list_active();
    bool counts(std::size_t w, std::size_t a) const;
    bool assign_discrete(Changing& changing);
    bool assign_until_agreed();
    bool jump_is_due() const;
    bool jump_states();
    bool restart_states();
    void report_overruled();
    void inform_observer();

    Instant& now_;
    Settling& settling_;
    Flags& held_;                                     // of the state
    std::vector<VariableIndex> targets_;              // of the actions of all clauses, in order
    std::vector<std::vector<std::size_t>> numbers_;   // by clause and action: its number there
    std::vector<std::pair<Slot, Slot>> kept_before_;  // pre(x) and x
    std::vector<Setter> setters_;                     // by target
    Flags is_active_;                                 // by clause
    std::vector<std::size_t> active_;                 // those, in order
    bool overruled_ = false;                          // one of them by a later one
    std::vector<std::pair<Slot, double>> restarts_;   // states that they set
    std::vector<VariableIndex> restarted_;            // the same
    std::size_t exits_ = std::size_t(-1);
    bool leaving_ = false, terminated_ = false;
};

}  // namespace cutset

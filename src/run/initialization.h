// Initialization of a run: parameters; the initial equations, solved as they stand, else by way of the
// simplified model (homotopy), with conditions that agree; the event at initialization. Then what the
// modeller has to know about it.
#pragma once

#include <vector>

#include "expr/expr.h"
#include "run/event_iteration.h"
#include "run/given_values.h"
#include "run/start_report.h"

namespace cutset {

class Initialization {
  public:
    Initialization(Instant& now, const SwitchStructure& structure, Equations& equations, Switches& switches,
                   Settling& settling, WhenClauses& whens, TimeEvents& times, RangeWatch& ranges,
                   EventIteration& events, GivenValues& given)
        : now_(now),
          structure_(structure),
          equations_(equations),
          switches_(switches),
          settling_(settling),
          whens_(whens),
          times_(times),
          ranges_(ranges),
          events_(events),
          given_(given) {}

    bool run();

    // Starts and the values of discrete variables before the first event.
    void set_starts(Interpreter& values);
    // Variables and derivatives have their present values.
    Environment environment();

  private:
    bool solve_with_past();
    bool solve_and_settle();
    bool solve();
    bool solve_from_simplified();
    bool settle();
    bool breaks_assertion();
    bool follow_homotopy();
    bool follow_in_blocks();
    bool carry_over(const std::vector<Slot>& parts, const Block* block);
    bool stops_at(const Block* block) const;
    std::vector<Slot> actual_parts(const Block* block) const;
    bool act_at_start();
    bool leave_start();
    void set_guesses(Interpreter& values);
    void guess_by_definitions(Interpreter& values);
    bool check();
    bool report_failure();
    bool report_left_open(const Block* failed);

    Instant& now_;
    const SwitchStructure& structure_;
    Equations& equations_;
    Switches& switches_;
    Settling& settling_;
    WhenClauses& whens_;
    TimeEvents& times_;
    RangeWatch& ranges_;
    EventIteration& events_;
    GivenValues& given_;
    std::vector<StartReport::Guess> guesses_;  // by variable
};

}  // namespace cutset

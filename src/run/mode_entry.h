// Entering and leaving a mode, from the side of one run. What is continuous is handed on by value; the rest
// follows from the equations of the mode that is entered.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "run/handover.h"
#include "run/trial.h"
#include "transform/fix_conditions.h"

namespace cutset {

class ModeEntry {
  public:
    ModeEntry(RunParts& parts, Trial& trial) : parts_(parts), trial_(trial) {}

    // Where the run stands: at an exit, or before an event that failed.
    Handover hand_over();
    // … before an initialization that failed, with the initial values as the values before.
    Handover hand_over_start();

    enum class Outcome { Entered, Failed, Disagrees };
    // The equations of all modes, from where another run has come to.
    Outcome enter(const Handover& from);
    // A mode, with its own equations. Afterwards `disagreeing` lists the exits that are taken at once, and
    // `jumps` what had to jump.
    struct Jump {
        VariableIndex variable;
        double from, to;
    };
    Outcome enter_mode(const Handover& from, std::span<const ValueBefore> before, std::size_t exits,
                       std::vector<std::size_t>& disagreeing, std::vector<Jump>& jumps);
    bool entered() const { return entered_; }  // ever

    // Why it failed, and the equations of the block that could not be solved.
    std::string failure() const;
    std::vector<EquationIndex> failed_equations() const;

  private:
    bool take(const Handover& from);
    bool clocks_begin_at(const Handover& from) const;
    bool act_at_start(std::size_t exits);
    bool solve_initial();
    void list_jumps(const Handover& from, std::span<const ValueBefore> before,
                    std::vector<Jump>& jumps) const;
    bool move_ahead(Interpreter& values) const;
    void take_sides(const Interpreter& ahead);

    RunParts& parts_;
    Trial& trial_;
    bool entered_ = false;
};

}  // namespace cutset

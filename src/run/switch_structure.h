// What the structure of a Program says about its conditions (Partition::switches): which are state events and
// which time events, which stand in algebraic loops, which of them the equations read. Computed once.
#pragma once

#include <cstddef>
#include <vector>

#include "run/run_state.h"

namespace cutset {

struct SwitchStructure {
    // `fixed`: neither the choice of states nor whole-DAE mode decides about the equations.
    SwitchStructure(const Program& program, bool fixed);

    std::vector<std::size_t> state, time;  // numbers of conditions of state and of time events
    std::vector<std::size_t> branch;       // of a tearing variable that a nonlinear loop iterates
    std::vector<std::size_t> in_loops;     // state events inside algebraic loops
    // Those, and others whose zero-crossing functions depend on solutions of loops, which differ by rounding
    // from one evaluation to the next.
    std::vector<std::size_t> uncertain;
    std::vector<std::size_t> loops;  // the nonlinear loops with conditions inside
    std::vector<Op> ops;             // by condition: the operation of its node
    Flags simple;                    // by condition: a < b that no instant decides
    bool all_simple = true;
    Flags feeds_discrete;  // by condition: a discrete equation reads its value
    // By condition: it may be held at zero, between its values (sliding.h). Not a kink, nor one that decides
    // about discrete variables: what counts its changes is to see each of them.
    Flags may_slide;
    Flags acts;                         // by condition: the equations or zero crossings read its value
    Flags bends;                        // by condition: abs, min, max, sign or a choice is in its function
    std::vector<Slot> inputs;           // what an event can change for the integrator
    std::vector<Slot> discrete_inputs;  // those that are no states
    std::vector<Slot> unknowns;         // of continuous variables that are not eliminated
    bool repeatable = false;            // the equations depend on nothing but their inputs and the time

    bool is_sign(std::size_t i) const { return ops[i] == Op::Sign; }

  private:
    void find_loops(const Program& program);
};

}  // namespace cutset

// "Why is x a state, and why is y none": what index reduction decided (Partition::state_groups), in words.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/partition.h"

namespace cutset {

struct StateReason {
    enum class Answer { State, AtTimes, No };  // AtTimes: the run chooses
    VariableIndex variable;
    Answer answer = Answer::No;
    std::string text;                 // a clause: "its derivative stands in the equations, …"
    std::optional<EquationIndex> by;  // No: the constraint that gives it from others
};

// Of a continuous variable of the model.
StateReason why_state(const Partition& partition, VariableIndex v);
// Of all states, and of the candidates that became none; in the order of the model.
std::vector<StateReason> why_states(const Partition& partition);
// "x is a state: …"
std::string sentence(const StateReason& reason, const FlatModel& model);

}  // namespace cutset

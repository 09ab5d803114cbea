// What one run hands on to another of the same model in another mode: its state (run_state.h) by the
// variables of the model as it was before transformation, and by names where transformation added some. Made
// by ModeEntry, of a state; of a point, where a run begins there, by Run::hand_over.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "run/run_state.h"

namespace cutset {

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

    std::optional<double> named(const std::string& name) const;
};

// "der(der(x))" for x and 2.
std::string nth_derivative_name(std::string name, std::uint32_t order);

}  // namespace cutset

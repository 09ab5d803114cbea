// Conditions and equations at one instant: values of the conditions with which the equations lead to the same
// values, and go on to do so beyond it.
#pragma once

#include <vector>

#include "run/switches.h"

namespace cutset {

class Settling {
  public:
    Settling(Instant& now, const SwitchStructure& structure, Sliding& sliding, Equations& equations,
             Switches& switches)
        : now_(now), structure_(structure), sliding_(sliding), equations_(equations), switches_(switches) {}

    // Runs `section` until the conditions have the values that it leads to; a failure is reported unless
    // another mode may help.
    bool settle(const Section& section);

    enum class Outcome { Done, Failed, Cycle };
    // The same without a message; `involved`: the conditions that go round in circles.
    Outcome settle_quietly(const Section& section, std::vector<std::size_t>& involved);
    bool report_cycle(const std::vector<std::size_t>& involved);

  private:
    bool list_disagreeing(const Section& section, std::vector<std::size_t>& changing, bool first = false);
    bool search(const Section& section, const std::vector<std::size_t>& involved);
    bool lasts();
    bool lasts(double distance, bool clearly);
    bool settle_for_good();
    bool search_lasting();

    Instant& now_;
    const SwitchStructure& structure_;
    Sliding& sliding_;
    Equations& equations_;
    Switches& switches_;
    std::vector<std::size_t> changing_;  // conditions that disagree
    std::vector<double> at_entry_;       // values of the conditions
};

}  // namespace cutset

// Conditions and equations at one instant: values of the conditions with which the equations lead to the same
// values, and go on to do so beyond it.
#pragma once

#include <set>
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
    // One note for each loop of the section that leaves unknowns open.
    void report_open(const Section& section);

    // Whether the conditions have the values that the continuous equations lead to; a message about those
    // that do not.
    bool agrees() { return list_disagreeing(now_.program.continuous, changing_) && changing_.empty(); }
    const std::vector<std::size_t>& disagreeing() const { return changing_; }
    bool report_disagreement() { return report_cycle(changing_); }

  private:
    Outcome iterate(const Section& section, std::vector<std::size_t>& involved);
    Outcome iterate_open(const Section& section, std::vector<std::size_t>& involved);
    Outcome iterate_from_ends(const Section& section);
    void begin_changes();
    bool change_fewer();
    bool open_moves_nothing(const Section& section);
    void restore_conditions();
    bool list_disagreeing(const Section& section, std::vector<std::size_t>& changing, bool first = false);
    bool set_time_events();
    bool report_failure(const Section& section);
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
    struct Change {
        std::size_t condition;
        double from, to;
    };
    std::vector<Change> changed_;          // last, from values with which the equations had a solution
    std::vector<Change> one_by_one_;       // those of them that are still to be tried alone
    std::vector<Change> failed_together_;  // … after all of which they had none
    bool trying_one_ = false;
    std::vector<double> at_entry_;  // values of the conditions
    std::vector<double> failing_;   // … with which the equations could not be solved
    std::set<std::size_t> told_;    // loops that leave unknowns open
};

}  // namespace cutset

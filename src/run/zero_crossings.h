// The zero-crossing functions of state events within a step: what the integrator gets of them, and what it
// may not have seen.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "run/crossing_watch.h"
#include "run/right_hand_side.h"
#include "run/switches.h"

namespace cutset {

class ZeroCrossings {
  public:
    ZeroCrossings(Instant& now, const SwitchStructure& structure, Sliding& sliding, Switches& switches,
                  RightHandSide& rhs);

    // From here on the conditions, frozen, ask these signs of their functions.
    void watch();
    // … and a step begins here, the functions being known.
    void begin_here() { begin_ = watch_.now; }
    void forget_beginning() { begin_.clear(); }

    // As IvpProblem::root_functions.
    int functions(double t, std::span<const double> x, std::span<double> g);

    // Looks for a zero crossing that the ends of the step do not show: in its middle and at its end; at
    // quarters and at the extreme too when a parabola through the values of a function comes near zero. When
    // there is one, `reached` and `x` move back to it.
    bool find_missed(Integrator& integrator, const StepResult& step, double& reached, std::vector<double>& x);

    // The sizes met since the last event, for those who judge by them.
    void note_sizes();

    // At an event: the conditions whose functions have a root get the values they have beyond it; the same
    // for those that disagree with their functions at the time that was located.
    void force(std::span<const int> roots);
    void force_missed();
    // Conditions located at this instant.
    const std::vector<std::size_t>& fired() const { return fired_; }
    void clear_fired() { fired_.clear(); }

    void remember(MemoryStream& memory) {
        watch_.remember(memory);
        memory.list("crossings at begin", begin_);
        memory.list("crossings at end", end_);
        for (const auto* list : {&begin_, &end_})
            if (!list->empty() && list->size() != structure_.state.size()) memory.fail();
    }

  private:
    bool evaluate(double t, std::span<const double> x);
    std::optional<std::size_t> disagreeing(std::span<const int> located);
    double locate_disagreement(Integrator& integrator, double from, double to, std::vector<double>& x);
    bool nothing_is_missed(Integrator& integrator, const StepResult& step, double reached,
                           const std::vector<double>& x);
    void forget_offsets();
    void find_places();

    Instant& now_;
    const SwitchStructure& structure_;
    Sliding& sliding_;
    Switches& switches_;
    RightHandSide& rhs_;
    const bool need_equations_;  // the functions depend on more than states and discrete variables
    CrossingWatch watch_;
    std::vector<double> begin_, middle_, end_;  // of the step, by state event
    std::vector<double> places_, inside_;       // where to look in the step; the states there
    std::vector<std::size_t> fired_;
};

}  // namespace cutset

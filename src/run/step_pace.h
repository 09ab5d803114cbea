// Where derivatives jump without an event (conditions in functions, noevent) and both sides push back to the
// jump, no method gets on: steps are as short as the tolerance over the jump. What looks like that is
// reported from smooth but fast solutions by halving steps: a jump stays as large however near its two sides
// are. A smooth solution that is so fast that the run would take more steps than a user waits for (an
// oscillation of 10^9 periods) is reported, and in the end given up.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "run/right_hand_side.h"

namespace cutset {

// The equation that gives the derivative of a state.
const SolvedEquation* derivative_equation(const Partition& partition, VariableIndex state);

class StepPace {
  public:
    StepPace(Instant& now, RightHandSide& rhs) : now_(now), rhs_(rhs) {}

    struct Limits {
        double longest_step = 0;
        double relative = 0;           // tolerances of the integrator
        std::vector<double> absolute;  // by state
    };
    void begin(Limits limits);
    void before_step(const std::vector<double>& x) {
        if (looks_ > 0) before_ = x;
    }
    // After each step; false when the run gets on no more, which is reported.
    bool after_step(Integrator& integrator, double from, double reached, std::span<const double> x) {
        return (++steps_ < window && looks_ == 0) || look(integrator, from, reached, x);
    }

    void remember(MemoryStream& memory);

  private:
    static constexpr long window = 10000;  // steps after which their pace is looked at
    struct Jump {
        std::size_t state = 0;
        double time = 0, before = 0, after = 0;
    };
    bool look(Integrator& integrator, double from, double reached, std::span<const double> x);
    bool judge(Integrator& integrator, double reached, std::span<const double> x);
    bool judge_smooth(double reached, std::span<const double> x);
    std::optional<Jump> find_jump(double from, double to, std::span<const double> x);
    std::optional<Jump> jump_between(double t_left, std::vector<double> left, double t_right,
                                     std::vector<double> right);

    Instant& now_;
    RightHandSide& rhs_;
    Limits limits_;
    long steps_ = 0;  // since `begin_`
    double begin_ = 0;
    int looks_ = 0;               // steps that are still to be looked at for jumps
    int found_ = 0;               // of those that were
    int hopeless_ = 0;            // windows in a row
    int long_ = 0;                // windows in a row of a smooth solution, at a pace that takes too long
    double per_run_ = 0;          // steps, at the pace of the last window
    double at_first_ = 0;         // the same when jumps were first found; 0: never
    std::vector<double> before_;  // the states before the step, while looking
    std::optional<Jump> jump_;
    bool reported_ = false, long_reported_ = false;
};

}  // namespace cutset

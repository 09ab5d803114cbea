// Growth that a step cannot see. Where the derivatives at initialization are those of a mode that grows, x' =
// ρx + … with ρ > 0, but the seed |x'|/ρ from which it grows is below the tolerance, an implicit method with
// a long step stays at the unstable point, or lands anywhere, with a small estimate of its error. The first
// steps are then no longer than a part of 1/ρ, until the error control sees what grows; where even that
// cannot be resolved (x' = x**1e20 at x = 1) the run ends.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "run/right_hand_side.h"

namespace cutset {

class FastGrowth {
  public:
    FastGrowth(Instant& now, RightHandSide& rhs) : now_(now), rhs_(rhs) {}

    void set_tolerances(double relative, std::vector<double> absolute) {
        relative_ = relative;
        absolute_ = std::move(absolute);
    }
    // The integrator has been started: the steps from here on are looked at. Only those of the first starts
    // of a run, because it takes some evaluations.
    void started();
    bool watches() const { return watches_; }

    struct Finding {
        enum class Kind {
            Nothing,   // the integrator sees what there is
            Limited,   // no step may be longer than `longest`
            TooFast,   // neither time nor states resolve the growth
            NoWayOut,  // there is no value in the direction of the motion, however near
        };
        Kind kind = Kind::Nothing;
        double longest = 0;
        double rate = 0;        // ρ
        std::size_t state = 0;  // that grows
    };
    // At (t, x), while watching.
    Finding look(double t, std::span<const double> x);

    void remember(MemoryStream& memory) {
        memory("growth watched", watches_);
        memory("growth starts", starts_);
        memory("growth steps", steps_);
    }

  private:
    // The derivatives at x + part * direction / |direction|, in units of the tolerance, less those at x,
    // which are in slopes_: 0 done, > 0 impossible there, < 0 the sum is x to rounding.
    int difference(double t, std::span<const double> x, const std::vector<double>& direction, double part,
                   std::vector<double>& result);
    double product(const std::vector<double>& v, const std::vector<double>& w) const;
    Finding measure(double t, std::span<const double> x);
    bool keeps_growing(double t, std::span<const double> x, double part, double rate);

    Instant& now_;
    RightHandSide& rhs_;
    double relative_ = 0;
    std::vector<double> absolute_;
    bool watches_ = false;
    int starts_ = 0, steps_ = 0;
    std::vector<double> weights_, slopes_, change_, there_;
};

}  // namespace cutset

// What the integrator asks for at the points that it tries: derivatives and the Jacobian. (The zero-crossing
// functions: zero_crossings.h.)
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "numerics/integrators/integrator.h"
#include "run/equations.h"

namespace cutset {

class RightHandSide {
  public:
    RightHandSide(Instant& now, const SwitchStructure& structure, Sliding& sliding, Equations& equations)
        : now_(now), structure_(structure), sliding_(sliding), equations_(equations) {}

    // As IvpProblem::rhs.
    int derivatives(double t, std::span<const double> x, std::span<double> dx);
    // The elements of the Jacobian; one that is not finite counts as zero: the iteration then finds its way
    // with the others, or the step becomes shorter.
    int jacobian(double t, std::span<const double> x, std::span<double> elements);
    std::optional<IvpJacobian> ivp_jacobian();

    // The continuous equations at a point.
    bool try_continuous(double t, std::span<const double> x);
    // Part of them; false when it fails or gives derivatives that are not finite, which only the whole can
    // judge.
    bool try_section(const Section& section, double t, std::span<const double> x);
    // Nothing but the equations as they stand decides about the derivatives: no sliding, no choice of
    // branches.
    bool plain() const { return !now_.whole && sliding_.empty() && structure_.branch.empty(); }

    // A point at which something could not be computed, for the message of a failure.
    struct BadPoint {
        double time = 0;
        std::vector<double> states;
    };
    void note_bad(double t, std::span<const double> x) {
        bad_.time = t;
        bad_.states.assign(x.begin(), x.end());
    }
    void forget_bad() { bad_.states.clear(); }
    const BadPoint& bad() const { return bad_; }

  private:
    bool run_section(const Section& section);

    Instant& now_;
    const SwitchStructure& structure_;
    Sliding& sliding_;
    Equations& equations_;
    BadPoint bad_;
};

}  // namespace cutset

// Location of the roots of g(t, x(t)) where x(t) is known between the ends of a step, by the rules that
// integrator.h states. Private to src/numerics.
//
// A change of sign is narrowed down to rounding by parabolas through the last three points, regula falsi
// (Illinois) and bisections.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "numerics/integrators/ivp_functions.h"

namespace cutset {

class RootLocator {
  public:
    // x := x(t) within the step.
    using StateAt = std::function<void(double t, std::span<double> x)>;
    enum class Outcome { None, Found, Failed };

    // Where the way right after a start or a root is looked at a little later, and in growing parts if a
    // function then comes near zero, because what has just left zero may soon come back to it: always, or
    // only when a function is exactly zero there.
    enum class Care { Always, AtZeros };

    explicit RootLocator(IvpFunctions& functions, Care care = Care::Always);

    // Begins at (t, x): what is zero there is passive. False when g cannot be evaluated.
    bool start(double t, std::span<const double> x);

    // Some g is exactly zero at the time of the last call, and so passive.
    bool any_zero() const;

    // Looks from the time of the last call to `to`, where the state is `x`. When there is a root, `to` moves
    // back to just behind the first one and `x` becomes the state there.
    Outcome search(double& to, std::span<double> x, const StateAt& state_at);

    void remember(MemoryStream& memory);

    // After Found: +1 rose, -1 fell, 0 no root.
    std::span<const int> directions() const { return directions_; }

  private:
    bool evaluate(double t, std::span<const double> x, std::vector<double>& g);
    Outcome look(double& to, std::span<double> x, const StateAt& state_at);
    bool comes_near(const std::vector<double>& before, double part) const;
    bool on_root() const;  // one that was not zero is
    bool narrow(double& high, std::span<double> x, const StateAt& state_at);

    IvpFunctions& functions_;
    Care care_;
    double time_ = 0;
    bool fresh_ = true;            // nothing has been searched since a start or a root
    std::vector<double> at_time_;  // g at time_
    std::vector<double> ahead_;
    std::vector<double> middle_;
    std::vector<double> trial_, inside_;  // states at points tried
    std::vector<int> directions_;
};

}  // namespace cutset

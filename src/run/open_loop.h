// A linear loop whose equations agree with each other but leave unknowns open: the torques of two brakes that
// hold one shaft, the currents of two closed switches side by side, the potential of a part that nothing is
// connected to. Of all solutions it takes the one nearest to the last values: with the smallest sum of
// squares of the changes of all unknowns of the loop, and of what was eliminated for them, each measured by
// its nominal value. Which of them are iterated makes no difference.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "generate/interpreter.h"
#include "numerics/linear/bordered_lu.h"

namespace cutset {

// What is to change little: the iterated unknowns first, then inner ones, and what was eliminated for them.
struct OpenQuantity {
    Unknown unknown;
    double size = 1;  // nominal value
    bool eliminated = false;
};
std::vector<OpenQuantity> open_quantities(const Partition& partition, const Block& loop);

class OpenLoop {
  public:
    OpenLoop(const Program& program, const Loop& loop);

    enum class Outcome {
        Solved,
        Contradiction,  // the equations do not agree
        Failed,         // a value is not finite, or what is open cannot be told
    };
    // The residuals have been computed with zeros for the unknowns, the elements of the Jacobian too.
    // `last`: values by slot. `any`: any solution serves. `shift`: not the nearest one, but away from it in
    // one of the open directions.
    Outcome solve(std::span<const double> elements, Interpreter& values, std::span<const double> last,
                  bool any, std::optional<std::size_t> shift);
    std::size_t directions() const { return lu_.open().size(); }
    // The unknowns that are open, with those eliminated.
    std::vector<Unknown> open_unknowns() const;

  private:
    struct Quantity {
        Unknown unknown;
        Slot slot;
        double size;  // nominal value
    };
    bool run(Interpreter& values, std::span<const double> z, bool all);
    Outcome choose(Interpreter& values, std::span<const double> last, std::optional<std::size_t> shift);

    const Loop& loop_;
    BorderedLu lu_;
    bool has_eliminated_ = false;
    std::vector<Quantity> quantities_;
    std::vector<double> z_, step_, terms_, chosen_;
    std::vector<double> at_z_, along_;  // the quantities, and their changes by direction
};

// The equations of a linear loop that contradict each other at the values at hand, with those that compute
// inner unknowns; empty when that cannot be told.
std::vector<ResidualEquation> contradicting_equations(const Loop& loop, const Interpreter& values);

}  // namespace cutset

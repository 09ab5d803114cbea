// Sliding. Where the equations on either side of a condition drive its zero-crossing function c back to zero,
// the solution stays on c = 0 with a mixture of the two sides:
//
//     sign(c)      takes the value s in [-1, 1] for which c stays zero; it is inserted in the equations
//     a relation   the weight w in [0, 1] of its true side: y = w*y(true) + (1 - w)*y(false), for all
//                  derivatives and algebraic variables (Filippov's solution); what a relay gives is then its
//                  mean value
//
// The condition is dc/dt = -k*c, k*c being there against drift only. Where c itself depends on the sign
// (R*i + U*sign(i) = u) it is c = 0. Sliding ends when s or w reaches an end.
#pragma once

#include <cstddef>
#include <vector>

#include "run/instant.h"
#include "run/switch_structure.h"

namespace cutset {

class Sliding {
  public:
    Sliding(Instant& now, const SwitchStructure& structure);

    bool empty() const { return memory_.list.empty(); }
    bool holds(std::size_t i) const { return memory_.on[i] != 0; }
    bool is_algebraic(std::size_t i) const { return memory_.algebraic[i] != 0; }
    const std::vector<std::size_t>& list() const { return memory_.list; }

    // `mixture`: where it begins to look for the one that holds.
    void begin(std::size_t i, double mixture, bool algebraic);
    void end(std::size_t i);
    // The sign s or the weight w of a condition that slides.
    double mixture(std::size_t i) const;
    // 1 in the middle, 0 at the ends, below beyond them.
    double margin(std::size_t i) const;

    // `section` with the mixtures that keep the functions at zero; in the run's own values, in a copy of
    // them, or elsewhere with weights of its own.
    bool solve(Interpreter& values, const Section& section) {
        return empty() ? values.run(section) : solve_mixed(values, memory_.weights, section);
    }
    bool solve(Interpreter& values, std::vector<double>& weights, const Section& section) {
        return empty() ? values.run(section) : solve_mixed(values, weights, section);
    }
    // `section` with the mixtures as they are.
    bool run(Interpreter& values, const Section& section) {
        return run_mixed(values, memory_.weights, section);
    }
    // d(zero-crossing function)/dt for each condition in `list`, where the equations have just been computed.
    // Difference quotients along the solution are taken where no formula is known; then the values must be
    // computed again, and `moved` says so. On the way out of an instant the derivative from the right counts:
    // a function may bend just here (x - min(1, x) at x = 1).
    enum class Limit { Both, Right };
    bool crossing_derivatives(Interpreter& values, const std::vector<std::size_t>& list,
                              std::vector<double>& derivatives, bool& moved, Limit limit = Limit::Both) {
        return crossing_derivatives(values, memory_.weights, list, derivatives, moved, limit);
    }
    // Whether a formula tells that derivative.
    bool has_rate(std::size_t i, Limit limit) const {
        return now_.partition.switches[i].rate && !(limit == Limit::Right && structure_.bends[i]);
    }

  private:
    double& mixture(Interpreter& values, std::vector<double>& weights, std::size_t i) const;
    bool run_mixed(Interpreter& values, std::vector<double>& weights, const Section& section);
    bool solve_mixed(Interpreter& values, std::vector<double>& weights, const Section& section);
    bool crossing_derivatives(Interpreter& values, std::vector<double>& weights,
                              const std::vector<std::size_t>& list, std::vector<double>& derivatives,
                              bool& moved, Limit limit);

    Instant& now_;
    const SwitchStructure& structure_;
    SlidingMemory& memory_;
    std::vector<Slot> mixed_slots_;  // derivatives and algebraic variables
};

}  // namespace cutset

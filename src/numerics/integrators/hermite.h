// The polynomial with given values and derivatives at a few equidistant times: cubic through two, quintic
// through three. Private to src/numerics.
#pragma once

#include <span>
#include <vector>

#include "base/memory.h"

namespace cutset {

class HermiteInterpolant {
  public:
    struct Node {
        std::span<const double> x, dx;
    };

    // Nodes at the times 0, spacing, 2 spacing ...
    void set(double spacing, std::span<const Node> nodes);

    void remember(MemoryStream& memory) {
        memory("spacing of nodes", spacing_);
        memory("size", n_);
        memory("terms", terms_);
        memory.list("differences", differences_);
        if (differences_.size() != n_ * terms_) memory.fail();
    }

    // Value and, when not empty, derivative at the time t.
    void evaluate(double t, std::span<double> x, std::span<double> dx) const;

  private:
    double spacing_ = 1;
    std::size_t n_ = 0, terms_ = 0;
    std::vector<double> differences_;  // divided, by state: terms_ each
};

}  // namespace cutset

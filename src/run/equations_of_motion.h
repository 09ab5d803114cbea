// x' = f(x) at a fixed time, with conditions as they are, and its Jacobian by differences.
#pragma once

#include <span>
#include <vector>

#include "run/instant.h"

namespace cutset {

class EquationsOfMotion {
  public:
    explicit EquationsOfMotion(Instant& now) : now_(now) {}

    // False where they cannot be solved.
    bool derivatives_at(std::span<const double> x, std::span<double> f);
    // ∂f/∂x by columns, with steps in units of `scale`.
    bool matrix_at(std::span<const double> x, std::span<const double> f, std::span<const double> scale,
                   std::vector<double>& j);

  private:
    Instant& now_;
};

}  // namespace cutset

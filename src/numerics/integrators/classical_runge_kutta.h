// The classical Runge-Kutta formula of fourth order: one step. Private to src/numerics.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "numerics/integrators/ivp_functions.h"

namespace cutset {

class ClassicalRungeKutta {
  public:
    explicit ClassicalRungeKutta(std::size_t n) : stage_(n) {
        for (auto& k : k_) k.resize(n);
    }

    // next := the step `h` from (t, x), dx = f(t, x). False when a derivative cannot be evaluated.
    bool step(IvpFunctions& functions, double t, std::span<const double> x, std::span<const double> dx,
              double h, std::span<double> next) {
        const auto move = [&](double part, std::span<const double> slope) {
            for (std::size_t i = 0; i < x.size(); ++i) stage_[i] = x[i] + part * h * slope[i];
        };
        move(0.5, dx);
        if (functions.rhs(t + 0.5 * h, stage_, k_[0]) != 0) return false;
        move(0.5, k_[0]);
        if (functions.rhs(t + 0.5 * h, stage_, k_[1]) != 0) return false;
        move(1, k_[1]);
        if (functions.rhs(t + h, stage_, k_[2]) != 0) return false;
        for (std::size_t i = 0; i < x.size(); ++i)
            next[i] = x[i] + h / 6 * (dx[i] + 2 * k_[0][i] + 2 * k_[1][i] + k_[2][i]);
        return true;
    }

  private:
    std::array<std::vector<double>, 3> k_;
    std::vector<double> stage_;
};

}  // namespace cutset

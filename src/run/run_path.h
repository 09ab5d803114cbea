// The states of a continuous part of a run as functions of time: in each step the polynomial of degree five
// that agrees with the integrator's interpolant at the ends and in the middle, slopes included.
#pragma once

#include <span>
#include <vector>

#include "numerics/integrators/integrator.h"

namespace cutset {

class RunPath {
  public:
    explicit RunPath(std::size_t states) : n_(states) {}

    void clear() {
        ends_.clear();
        data_.clear();
    }
    // The step, or part of it, that the integrator has just made.
    void add(Integrator& integrator, double from, double to);

    bool empty() const { return ends_.empty(); }
    double begin() const { return ends_.front().from; }
    double end() const { return ends_.back().to; }
    std::size_t steps() const { return ends_.size(); }
    // x(t), t clamped to the path.
    void states(double t, std::span<double> x) const;
    // The largest size of each state met at the ends of steps.
    void largest(std::span<double> sizes) const;

  private:
    struct Step {
        double from, to;
    };
    std::size_t n_;
    std::vector<Step> ends_;
    std::vector<double> data_;  // by step: x and x' at the beginning, in the middle, at the end
    mutable std::size_t last_ = 0;
};

}  // namespace cutset

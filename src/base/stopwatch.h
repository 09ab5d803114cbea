// Where time goes: adds the time of its life to a sum, if it was given one.
#pragma once

#include <chrono>

namespace cutset {

class Stopwatch {
  public:
    explicit Stopwatch(double* sum) : sum_(sum) {
        if (sum_) start_ = Clock::now();
    }
    ~Stopwatch() {
        if (sum_) *sum_ += std::chrono::duration<double>(Clock::now() - start_).count();
    }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

  private:
    using Clock = std::chrono::steady_clock;
    double* sum_;
    Clock::time_point start_;
};

}  // namespace cutset

// Times of a run, without those during which it waits for machine code.
#pragma once

#include "base/stopwatch.h"
#include "run/simulate.h"

namespace cutset {

// Seconds that a run has waited for machine code so far, if times are measured.
inline double waited(const SimulateOptions& options) {
    return options.measure_times && options.machine_code ? options.machine_code->waited() : 0;
}

// A stopwatch that stands while the run waits for machine code; without `sum` nothing is measured.
class UnwaitedStopwatch {
  public:
    UnwaitedStopwatch(double* sum, const SimulateOptions& options)
        : sum_(sum), options_(options), waited_before_(sum ? waited(options) : 0), watch_(sum) {}
    ~UnwaitedStopwatch() {
        if (sum_) *sum_ -= waited(options_) - waited_before_;
    }
    UnwaitedStopwatch(const UnwaitedStopwatch&) = delete;
    UnwaitedStopwatch& operator=(const UnwaitedStopwatch&) = delete;

  private:
    double* sum_;
    const SimulateOptions& options_;
    double waited_before_;
    Stopwatch watch_;
};

}  // namespace cutset

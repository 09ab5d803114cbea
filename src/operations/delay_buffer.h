// The past of the arguments of delay(x, T): values at points of accepted steps, interpolated between them.
#pragma once

#include <cstddef>
#include <vector>

#include "generate/interpreter.h"

namespace cutset {

// Between recorded points of one smooth stretch the value is a polynomial through the six nearest points; a
// discontinuity (two points at one time) is never interpolated across. Before the first point the value is
// the first one.
class DelayBuffer : public DelaySource {
  public:
    explicit DelayBuffer(std::size_t lines) : lines_(lines) {}

    double value(std::size_t line, double time) override;
    void record(std::size_t line, double time, double value);
    // Drops what is older than `time`, keeping what interpolation there needs.
    void forget_before(std::size_t line, double time);

  private:
    struct Line {
        std::vector<double> times, values;
        std::size_t first = 0;  // points before it are dropped
    };
    std::vector<Line> lines_;
};

}  // namespace cutset

// The past of the arguments of delay(x, T): values at points of accepted steps, interpolated between them.
#pragma once

#include <cstddef>
#include <deque>
#include <limits>
#include <vector>

#include "base/memory.h"
#include "generate/interpreter.h"

namespace cutset {

// Between recorded points of one smooth stretch the value is a polynomial through the six nearest points; a
// discontinuity (two points at one time) is never interpolated across. Before the first point the value is
// the first one.
//
// A jump in the past is an event when it comes out of the delay: up to `pass` the value is the one before it,
// so that the step that ends there sees a smooth function.
class DelayBuffer : public DelaySource {
  public:
    explicit DelayBuffer(std::size_t lines) : lines_(lines) {}

    double value(std::size_t line, double time) override;
    // What is older than `oldest` is never asked for again, and may be dropped.
    void record(std::size_t line, double time, double value,
                double oldest = -std::numeric_limits<double>::infinity());
    // The time of the first jump that was not passed; infinity when there is none.
    double next_jump(std::size_t line) const;
    void pass(std::size_t line);  // the next jump

    struct Point {
        double time = 0, value = 0;
    };
    struct Line {
        std::vector<Point> points;
        std::size_t near = 0;      // the point before the value asked for last: the next one is near it
        std::deque<double> jumps;  // times of those that are still to come out
        double passed = -std::numeric_limits<double>::infinity();
    };
    void remember(MemoryStream& memory);
    std::vector<Line>& lines() { return lines_; }
    const std::vector<Line>& lines() const { return lines_; }

  private:
    std::vector<Line> lines_;
};

}  // namespace cutset

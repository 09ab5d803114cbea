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
//
// What lies after the last point belongs to the step that is being tried: there the value is a polynomial
// through the last points and the present one, the argument at the point where the equations are evaluated
// (present_delays.h).
class DelayBuffer : public DelaySource {
  public:
    explicit DelayBuffer(std::size_t lines) : lines_(lines) {}

    double value(std::size_t line, double time) override;

    // The equations are evaluated at `time`; the arguments there are not known yet.
    void begin(double time);
    void set_present(std::size_t line, double value) { lines_[line].present = value; }
    double present(std::size_t line) const { return lines_[line].present; }
    // Whether a value of the step that is being tried was asked for, since the last time this was forgotten.
    bool asked() const { return asked_; }
    void forget_asked() { asked_ = false; }
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
        double present = 0;        // the argument where the equations are evaluated
        double longest = 0;        // delay so far
        bool dropped = false;      // old points
        bool lost = false;         // one of them was asked for
        std::size_t near = 0;      // the point before the value asked for last: the next one is near it
        std::deque<double> jumps;  // times of those that are still to come out
        double passed = -std::numeric_limits<double>::infinity();
    };
    void remember(MemoryStream& memory);
    std::vector<Line>& lines() { return lines_; }
    const std::vector<Line>& lines() const { return lines_; }

  private:
    double in_present_step(const Line& line, double time);

    std::vector<Line> lines_;
    double now_ = -std::numeric_limits<double>::infinity();  // where the equations are evaluated
    bool asked_ = false;
};

}  // namespace cutset

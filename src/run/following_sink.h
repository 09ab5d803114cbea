// A sink that also sees what happens between the output points, so that curves of few points do not lie: the
// integrator's steps, and where some columns turn, located on the integrator's interpolant.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "run/simulate.h"

namespace cutset {

class FollowingSink : public RowSink {
  public:
    // Places in a row of the columns whose turning points are wanted; asked once, after begin().
    virtual std::vector<std::size_t> followed() const = 0;
    // A row between two output points, in the order of time: inside a step, at its end, or where a followed
    // column turns. Output points and events come as rows, as to every sink.
    virtual std::optional<std::string> between(std::span<const double> values) = 0;
};

}  // namespace cutset

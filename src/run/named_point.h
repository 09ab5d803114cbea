// Where a run stands, by names: what survives a change of the model's text and can be written to a file. Made
// of a RunPoint by `name_point`, and back by `place_point`; nothing else fills it. Switches, clocks, when
// clauses, regions of validity and delays go by their text.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "run/run_point.h"

namespace cutset {

struct NamedPoint {
    double time = 0;
    bool changed = false;
    std::vector<std::pair<std::string, double>> values, parameters, derivatives, previous, scales;
    std::vector<std::pair<std::string, double>> internal;  // of variables that are not shown
    std::vector<std::pair<std::string, RunPoint::SwitchState>> switches;
    std::vector<std::pair<std::string, ClockState>> clocks;
    std::vector<std::pair<std::string, bool>> whens, validities;
    std::vector<std::pair<std::string, DelayBuffer::Line>> delays;
    std::vector<std::string> tables;  // whose range was left
    std::optional<std::vector<std::pair<std::string, bool>>> mode;
};

NamedPoint name_point(const RunPoint& point, const Partition& partition);

// The point in a model of other equations. What it says nothing about is as at the initialization of that
// model, which is asked for where it is needed; nothing when there is none.
struct PlacedPoint {
    RunPoint point;
    std::vector<std::string> unknown;  // of the point, not in the model
    std::vector<std::string> missing;  // states and discrete variables of the model, not in the point
};
std::optional<PlacedPoint> place_point(const NamedPoint& named, const Partition& partition,
                                       const std::function<std::optional<RunPoint>()>& start);

}  // namespace cutset

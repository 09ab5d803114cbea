// Compares a result with a reference, at the times of the reference.
//
//   |v - ref| <= absolute + relative * range,   range = max - min of the reference variable
//   (its size when it is constant, 1 when it is zero)
//
// Near a jump (equal times in either trajectory, within `tube`) the result is also right when the reference
// value lies between the result values of [t - tube, t + tube], or the result between the reference values
// there.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "results/trajectory.h"

namespace cutset {

// The reference variable equals factor * (the result variable `name`) + offset.
struct ResultName {
    std::string name;
    double factor = 1;
    double offset = 0;
};

struct CompareOptions {
    double relative = 1e-3;
    double absolute = 0;
    std::optional<double> tube;               // default: 1e-4 of the time span
    std::optional<double> end;                // compare up to this time only
    double time_factor = 1;                   // multiplies the times of the result
    std::map<std::string, ResultName> names;  // by reference name, where the names differ
    std::vector<std::string> only;            // these reference variables; empty: all
    std::vector<std::string> skip;
    bool missing_is_failure = true;
};

struct ComparedVariable {
    std::string name;         // in the reference
    std::string result_name;  // in the result
    bool within = false;
    double error = 0;  // the largest
    double range = 1;
    double tolerance = 0;
    double time = 0;  // of the largest error
    double result = 0;
    double reference = 0;
};

struct Comparison {
    bool passed = false;
    std::vector<ComparedVariable> variables;  // worst first
    std::vector<std::string> missing;         // reference variables that the result lacks
    std::string problem;                      // the time ranges disagree, or nothing could be compared
};

Comparison compare(const Trajectory& result, const Trajectory& reference, const CompareOptions& options = {});

// The worst variable, or all, and the verdict.
std::string to_text(const Comparison& comparison, bool all = false);

}  // namespace cutset

// A design with its answer: points, and the settings that make a run use what was found.
#pragma once

#include <string>
#include <vector>

#include "operations/points/design.h"
#include "operations/points/static_request.h"

namespace cutset {

// What a run is given: a parameter, an initial value, an input.
struct FoundSetting {
    enum class Kind { Parameter, Initial, Input } kind = Kind::Parameter;
    std::string path;
    double value = 0;
};

struct DesignStudy {
    SteadyResult result;
    std::vector<std::vector<FoundSetting>> settings;  // by point; empty where the model is open
};
// Without a point the reasons have been reported.
DesignStudy design_study(const StaticPreparation& prepared, const StaticRequest& request,
                         const SteadyOptions& options, Diagnostics& diagnostics);

}  // namespace cutset

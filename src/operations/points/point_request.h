// What is asked of an operating point, in words: where it may be, what is given and sought, where the search
// begins.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "operations/points/static_request.h"
#include "operations/points/steady.h"
#include "translate/model_request.h"

namespace cutset {

// Its `known` and `unknown` are conditions and what is sought, not the boundary of the model.
struct PointRequest : ModelRequest {
    std::vector<std::string> guess;   // "x=3"
    std::vector<std::string> bounds;  // "x=0:10"
    std::vector<std::string> moving;  // may move on steadily
    std::optional<double> at_time;    // of inputs and other functions of time; none: 0
    std::optional<int> solutions;     // up to so many
    bool all = false;                 // all that can be found
};

StaticRequest static_request(const PointRequest& request);
SteadyOptions steady_options(const PointRequest& request);

// Loads the model and poses the problem. Nothing when errors were reported.
std::optional<StaticPreparation> pose_point(const PointRequest& request, const StaticRequest& question,
                                            Workspace& workspace);

}  // namespace cutset

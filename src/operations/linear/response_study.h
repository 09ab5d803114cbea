// Responses of a linear system in time: to a step or an impulse of each input, or from given states without
// inputs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "control/time_response.h"
#include "operations/linear/linear_source.h"
#include "results/plot.h"

namespace cutset {

enum class ResponseKind { Step, Impulse, Initial };

struct ResponseRequest : LinearRequest {
    ResponseKind kind = ResponseKind::Step;
    std::optional<double> duration;  // s; none: until the slowest mode has settled
    std::optional<int> points;       // none: by the fastest mode
    std::string start;               // of Initial: x1=1,x2=0
};

// Of one output to one input; of Initial from the states.
struct Response {
    std::string name;  // with several inputs "y from u"
    std::string input, output;
    std::vector<double> values;
    std::optional<StepInformation> information;  // of a step
};
struct ResponseStudy {
    ResponseKind kind = ResponseKind::Step;
    std::vector<std::string> inputs, outputs;
    std::optional<double> sample_time;
    std::vector<double> time;  // of all responses
    std::vector<Response> responses;
};
// Nothing when errors were reported.
std::optional<ResponseStudy> response_study(const ResponseRequest& request, Workspace& workspace);

// All responses over time, labelled by their names.
Plot response_plot(const ResponseStudy& study);

}  // namespace cutset

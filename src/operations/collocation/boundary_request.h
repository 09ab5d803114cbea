// From words to a two-point boundary value problem: the interval, conditions at its ends, what is sought and
// where the search begins.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "operations/collocation/boundary_value.h"
#include "translate/model_request.h"

namespace cutset {

// Its `unknown` are values of the solution, not boundary variables of the model: parameters "p=1" and initial
// values "x(0)=3", with guesses.
struct BoundaryRequest : ModelRequest {
    std::optional<double> from, to;             // the interval; none: 0, and an error
    std::vector<std::string> at_start, at_end;  // "r = 1"
    std::vector<std::string> boundary;          // "y(0) = 1", "y(0) = y(1)"
    std::vector<std::string> guess;             // "y = 1 - time", "p=3", or a result file
    std::string continuation;                   // "p=0:2"
    std::optional<int> solutions;               // so many; none: 1
    bool all = false;                           // as many as can be found
    std::optional<double> tolerance;            // of the states, relative; none: 1e-6
    int intervals = 20;                         // of the first mesh
    std::optional<double> points;               // rows of the result, about; none: 1001
    const std::atomic<bool>* interrupt = nullptr;
};

struct BoundaryTask {
    std::shared_ptr<const Program> program;
    BoundaryQuestion question;
    BoundaryOptions options;
};

// The model is loaded, with this experiment. Nothing when errors were reported.
std::optional<BoundaryTask> pose_boundary_value(const BoundaryRequest& request, Workspace& workspace,
                                                Experiment experiment);

}  // namespace cutset

// Operating points on the terminal and as JSON: what steady and design share.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "model/model_options.h"
#include "operations/points/static_request.h"
#include "operations/points/steady.h"
#include "output/console.h"

namespace cutset::cli {

// Options of both commands.
struct PointOptions : ModelOptions {
    std::vector<std::string> guess, bounds;
    std::vector<std::string> moving;
    std::vector<std::string> show;  // names or patterns of further variables
    std::optional<double> at_time;
    std::optional<int> solutions;
    bool all = false;
    bool all_variables = false;
    std::string output;
};
void add_point_options(Command& command, PointOptions& options);
// --known and --unknown, which open_model is not to take as the boundary of the model.
StaticRequest take_request(PointOptions& options);
SteadyOptions steady_options(const PointOptions& options);

// {"status", "values", "residual", "eigenvalues", "states", …} of one point.
Json point_json(const SteadyResult& result, const SteadyPoint& point);
// The first point at the top, all of them in "solutions".
Json result_json(const SteadyResult& result, const Workspace& workspace, const std::string& model);
void print_point(const SteadyResult& result, const SteadyPoint& point, const PointOptions& options,
                 const std::vector<VariableIndex>& first);

// {"model", "time", "values"} for `linearize --at` and the like; false when it cannot be written, reported.
bool write_point(const SteadyResult& result, const SteadyPoint& point, const std::string& path,
                 Workspace& workspace);

}  // namespace cutset::cli

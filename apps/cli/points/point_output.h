// Operating points on the terminal and as JSON: what steady and design share.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "model/model_options.h"
#include "operations/points/point_request.h"
#include "operations/points/steady.h"
#include "output/console.h"

namespace cutset::cli {

// Options of both commands.
struct PointOptions : PointRequest, OutputOptions {
    std::vector<std::string> show;  // names or patterns of further variables
    bool all_variables = false;
    std::string output;
};
void add_point_options(Command& command, PointOptions& options);

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

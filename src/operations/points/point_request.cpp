#include "operations/points/point_request.h"

#include <algorithm>

#include "base/split_names.h"

namespace cutset {

namespace {

constexpr int all_solutions = 100;

std::vector<std::string> all_parts(const std::vector<std::string>& texts) {
    std::vector<std::string> parts;
    for (const std::string& text : texts)
        for (std::string& part : split_list(text)) parts.push_back(std::move(part));
    return parts;
}

}  // namespace

StaticRequest static_request(const PointRequest& o) {
    StaticRequest request;
    request.known = all_parts(o.known);
    request.unknown = all_parts(o.unknown);
    for (std::string& name : request.unknown) {
        std::erase(name, ' ');
        if (name.ends_with("(0)")) name.resize(name.size() - 3);  // x(0): the initial value of x
    }
    request.guesses = o.guess;
    request.moving = o.moving;
    request.bounds = o.bounds;
    request.time = o.at_time.value_or(0);
    return request;
}

SteadyOptions steady_options(const PointRequest& o) {
    SteadyOptions s;
    if (o.all) s.solutions = all_solutions;
    if (o.solutions) s.solutions = std::size_t(std::max(1, *o.solutions));
    s.allow_external = o.allow_external;
    return s;
}

std::optional<StaticPreparation> pose_point(const PointRequest& request, const StaticRequest& question,
                                            Workspace& workspace) {
    ModelRequest model = request;
    model.known.clear();
    model.unknown.clear();
    const auto experiment = open_model(model, workspace);
    if (!experiment) return std::nullopt;
    return prepare(workspace, request.model, *experiment, question);
}

}  // namespace cutset

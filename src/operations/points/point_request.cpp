#include "operations/points/point_request.h"

#include <algorithm>

namespace cutset {

namespace {

constexpr int all_solutions = 100;

// At commas outside of brackets; parts of blanks only are left out.
std::vector<std::string> split_at_commas(const std::vector<std::string>& texts) {
    std::vector<std::string> parts;
    for (const std::string& text : texts) {
        parts.emplace_back();
        int brackets = 0;
        for (char c : text) {
            if (c == '(' || c == '[') ++brackets;
            if (c == ')' || c == ']') --brackets;
            if (c == ',' && brackets == 0)
                parts.emplace_back();
            else
                parts.back() += c;
        }
    }
    std::erase_if(parts, [](const std::string& p) { return p.find_first_not_of(' ') == p.npos; });
    return parts;
}

}  // namespace

StaticRequest static_request(const PointRequest& o) {
    StaticRequest request;
    request.known = split_at_commas(o.known);
    request.unknown = split_at_commas(o.unknown);
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

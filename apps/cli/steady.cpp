// cutset steady: stationary points.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "console.h"
#include "point_output.h"

namespace cutset::cli {

namespace {

struct SteadyCommand : PointOptions {};

int steady(SteadyCommand o) {
    Workspace workspace;
    StaticRequest request = take_request(o);
    request.stationary = true;
    const auto experiment = open_model(o, workspace);
    if (!experiment) return finish(workspace, o);
    const auto prepared = prepare(workspace, o.model, *experiment, request);
    if (!prepared) return finish(workspace, o);
    set_stage("looking for a stationary point");
    const SteadyOptions options = steady_options(o);
    const SteadyResult result =
        find_steady(prepared->model, prepared->question, options, "stationary point", workspace.diagnostics);
    if (!result.points.empty() && !o.output.empty())
        write_point(result, result.points.front(), o.output, workspace);
    if (o.json) {
        fmt::print("{}\n", result_json(result, workspace, prepared->model.name).dump(2));
        return workspace.diagnostics.has_errors() ? 1 : 0;
    }
    if (!o.quiet) {
        for (std::size_t i = 0; i < result.points.size(); ++i) {
            const SteadyPoint& p = result.points[i];
            if (options.solutions > 1)
                fmt::print("{}: stationary point {} of {}, residual {:.1e}\n", prepared->model.name, i + 1,
                           result.points.size(), p.residual);
            else
                fmt::print("{}: stationary, residual {:.1e}\n", prepared->model.name, p.residual);
            print_point(result, p, o, result.sought);
        }
        if (!result.points.empty() && !o.output.empty() && !workspace.diagnostics.has_errors())
            fmt::print("{}\n", o.output);
    }
    std::fflush(stdout);
    return finish(workspace, o);
}

}  // namespace

void add_steady(CommandLine& line) {
    auto o = std::make_shared<SteadyCommand>();
    Command& c = line.add("steady", groups::design,
                          "stationary points: where all derivatives are zero, and whether they are stable",
                          [o] { return steady(*o); });
    add_point_options(c, *o);
    c.footer(
        "Examples:\n"
        "  cutset steady tanks.dym                           the point that the starts lead to\n"
        "  cutset steady reactor.dym --set Da=0.1 --guess x=0.9\n"
        "  cutset steady reactor.dym --all --bounds x=0:1    every one that can be found\n"
        "  cutset steady motor.dym --input u=24 -o point.json\n"
        "Exit status: 0 when a point was found, 1 otherwise.");
}

}  // namespace cutset::cli

// cutset steady: stationary points.
#include <fmt/format.h>

#include <memory>

#include "base/json.h"
#include "commands.h"
#include "operations/points/static_messages.h"
#include "output/console.h"
#include "output/json_output.h"
#include "points/branch_output.h"
#include "points/point_output.h"

namespace cutset::cli {

namespace {

struct SteadyCommand : PointOptions {
    std::string continued;          // p=0:1
    std::vector<std::string> plot;  // variables over it
    std::optional<int> points;
};

int follow(const SteadyCommand& o, Workspace& workspace, StaticRequest request) {
    const auto range = parse_range(workspace, "--continue", o.continued, true);
    if (range && range->from == range->to)
        workspace.diagnostics.report(bad_option("--continue " + o.continued + ": the range is empty"));
    if (!range || workspace.diagnostics.has_errors()) return finish(workspace, o);
    request.varied.push_back(range->name);
    set_stage("translating the model");
    auto prepared = pose_point(o, request, workspace);
    if (!prepared) return finish(workspace, o);
    set_stage("following a branch of stationary points");
    for (const auto* names : {&o.plot, &o.show})
        for (const std::string& name : *names)
            find_named(prepared->model, name, names == &o.plot ? "--plot" : "--show", workspace.diagnostics);
    if (workspace.diagnostics.has_errors()) return finish(workspace, o);
    BranchOptions options;
    options.from = range->from;
    options.to = range->to;
    options.steady = steady_options(o);
    if (o.points) options.longest = 1.0 / std::max(2, *o.points);
    const std::string name = prepared->model.name;
    const Branch branch = follow_branch(std::move(prepared->model), prepared->question, range->name, options,
                                        workspace.diagnostics);
    const std::vector<std::string>& shown = o.plot.empty() ? o.show : o.plot;
    if (!branch.points.empty()) {
        if (branch.end == CurveEnd::Lost || branch.end == CurveEnd::TooLong)
            workspace.diagnostics.report(static_messages::branch_lost(
                range->name, branch.points.back().parameter, branch.end == CurveEnd::TooLong));
        if (!o.output.empty()) write_branch(branch, o.output, shown, workspace);
    }
    if (o.json) {
        print_json(branch_json(branch, workspace));
        return workspace.diagnostics.has_errors() ? 1 : 0;
    }
    if (!branch.points.empty() && !o.quiet) {
        if (!o.plot.empty()) draw_branch(branch, o.plot);
        print_branch(branch, shown);
        if (!o.output.empty() && !workspace.diagnostics.has_errors()) fmt::print("{}\n", o.output);
    }
    std::fflush(stdout);
    return finish(workspace, o);
}

int steady(const SteadyCommand& o) {
    Workspace workspace;
    StaticRequest request = static_request(o);
    request.stationary = true;
    if (!o.continued.empty()) return follow(o, workspace, std::move(request));
    set_stage("translating the model");
    const auto prepared = pose_point(o, request, workspace);
    if (!prepared) return finish(workspace, o);
    set_stage("looking for a stationary point");
    const SteadyOptions options = steady_options(o);
    const SteadyResult result =
        find_steady(prepared->model, prepared->question, options, "stationary point", workspace.diagnostics);
    if (!result.points.empty() && !o.output.empty())
        write_point(result, result.points.front(), o.output, workspace);
    if (o.json) {
        print_json(result_json(result, workspace, prepared->model.name));
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
    c.option(
        "--continue", o->continued,
        "follow the point while a parameter or input goes through a range, also where it turns back: p=0:1");
    c.option("--points", o->points, "about so many points of a branch (50)");
    c.list("--plot", o->plot, "draw these over the parameter of --continue");
    c.footer(
        "Examples:\n"
        "  cutset steady tanks.dym                           the point that the initial values lead to\n"
        "  cutset steady reactor.dym --set Da=0.1 --guess x=0.9\n"
        "  cutset steady reactor.dym --all --bounds x=0:1    every one that can be found\n"
        "  cutset steady reactor.dym --continue Tc=280:320 --plot T -o branch.csv   or branch.svg\n"
        "  cutset steady motor.dym --input u=24 -o point.json\n"
        "Exit status: 0 when a point was found, 1 otherwise.");
}

}  // namespace cutset::cli

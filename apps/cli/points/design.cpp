// cutset design: parameters, inputs and starts for which given variables have given values.
#include "operations/points/design.h"

#include <fmt/format.h>

#include <memory>

#include "base/json.h"
#include "commands.h"
#include "output/console.h"
#include "points/point_output.h"
#include "results/writer.h"

namespace cutset::cli {

namespace {

struct DesignCommand : PointOptions {
    bool dynamic = false;
};

std::string exact_text(double value) {
    std::string text;
    append_number(text, value);
    return text;
}

// "--set A=0.5 --input u=3": what makes a run use the values found.
std::string settings(const FlatModel& flat, const StaticQuestion& question, const SteadyPoint& point,
                     const std::vector<VariableIndex>& found) {
    std::string out;
    for (std::size_t i = 0; i < question.sought.size(); ++i) {
        const VariableIndex v = question.sought[i];
        const Variability variability = flat.variables[v].variability;
        const bool start = variability == Variability::Continuous && found[i] != v;
        const char* option = variability == Variability::Parameter ? "--set" : start ? "--init" : "--input";
        out += fmt::format("{}{} {}={}", out.empty() ? "" : " ", option, flat.path(v),
                           exact_text(point.at.values[found[i].value]));
    }
    return out;
}

int run_design(DesignCommand o) {
    Workspace workspace;
    StaticRequest request = take_request(o);
    if (o.dynamic || o.initial == "given") request.stationary = false;
    if (o.initial == "steady") request.stationary = true;
    if (o.initial == "jump")
        workspace.diagnostics.report(bad_option("--initial jump: a design has no values before its start",
                                                "use --initial steady or --initial given"));
    o.initial.clear();
    if (request.known.empty() || request.unknown.empty())
        workspace.diagnostics.report(
            bad_option(request.known.empty() ? "nothing is specified: --known is missing"
                                             : "nothing is sought: --unknown is missing",
                       "for example: cutset design tank.dym --known h=3 --unknown qin"));
    if (workspace.diagnostics.has_errors()) return finish(workspace, o), 2;
    const auto experiment = open_model(o, workspace);
    if (!experiment) return finish(workspace, o);
    const auto prepared = prepare(workspace, o.model, *experiment, request);
    if (!prepared) return finish(workspace, o);
    set_stage("solving the design problem");
    const SteadyOptions options = steady_options(o);
    SteadyResult result =
        prepared->boundary
            ? find_steady(prepared->model, prepared->question, options, "solution", workspace.diagnostics)
            : design(prepared->model, prepared->question, options, workspace.diagnostics);
    std::vector<VariableIndex> found = result.sought;
    if (prepared->boundary && !result.points.empty())
        for (const std::string& name : request.unknown)
            if (const auto v = find_named(prepared->model, name, "--unknown", workspace.diagnostics))
                result.sought.push_back(*v);
    if (!result.points.empty() && !o.output.empty())
        write_point(result, result.points.front(), o.output, workspace);
    if (o.json) {
        Json out = result_json(result, workspace, prepared->model.name);
        out["static"] = prepared->question.stationary;
        if (!result.points.empty() && !prepared->boundary)
            out["settings"] = settings(prepared->model, prepared->question, result.points.front(), found);
        fmt::print("{}\n", out.dump(2));
        return workspace.diagnostics.has_errors() ? 1 : 0;
    }
    if (!o.quiet)
        for (std::size_t i = 0; i < result.points.size(); ++i) {
            const SteadyPoint& p = result.points[i];
            fmt::print("{}: {}", prepared->model.name,
                       prepared->question.stationary ? "stationary" : "at the start");
            if (options.solutions > 1) fmt::print(", solution {} of {}", i + 1, result.points.size());
            fmt::print(", residual {:.1e}\n", p.residual);
            print_point(result, p, o, result.sought);
            if (!prepared->boundary)
                fmt::print("  {}\n", settings(prepared->model, prepared->question, p, found));
        }
    std::fflush(stdout);
    return finish(workspace, o);
}

}  // namespace

void add_design(CommandLine& line) {
    auto o = std::make_shared<DesignCommand>();
    Command& c = line.add("design", groups::design,
                          "find parameters, inputs or starts for which given variables have given values",
                          [o] { return run_design(*o); });
    add_point_options(c, *o);
    c.flag("--dynamic", o->dynamic,
           "states at their starts, derivatives as they come; so too when a derivative is among the knowns");
    c.footer(
        "Examples:\n"
        "  cutset design tank.dym --known h=3 --unknown qin            the inflow that keeps the level at 3\n"
        "  cutset design amp.dym --known V1=3,V2=5 --unknown R1,R2\n"
        "  cutset design car.dym --known \"der(v)=2\" --unknown F        at the start, with states as they "
        "begin\n"
        "  cutset design reactor.dym --known T=350 --unknown u --bounds u=0:1 --all\n"
        "As many unknowns as knowns. Exit status: 0 when a solution was found, 1 otherwise.");
}

}  // namespace cutset::cli

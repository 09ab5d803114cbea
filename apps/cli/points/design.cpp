// cutset design: parameters, inputs and initial values for which given variables have given values.
#include <fmt/format.h>

#include <memory>

#include "base/json.h"
#include "commands.h"
#include "operations/points/design_study.h"
#include "output/console.h"
#include "output/json_output.h"
#include "points/point_output.h"
#include "results/writer.h"

namespace cutset::cli {

namespace {

struct DesignCommand : PointOptions {
    bool dynamic = false;
};

const char* option_of(FoundSetting::Kind kind) {
    switch (kind) {
        case FoundSetting::Kind::Parameter:
            return "--set";
        case FoundSetting::Kind::Initial:
            return "--init";
        case FoundSetting::Kind::Input:
            return "--input";
    }
    return "";
}

std::string exact_text(double value) {
    std::string text;
    append_number(text, value);
    return text;
}

// "--set A=0.5 --input u=3": what makes a run use the values found.
std::string settings_text(const std::vector<FoundSetting>& settings) {
    std::string out;
    for (const FoundSetting& s : settings)
        out +=
            fmt::format("{}{} {}={}", out.empty() ? "" : " ", option_of(s.kind), s.path, exact_text(s.value));
    return out;
}

int run_design(const DesignCommand& given) {
    DesignCommand o = given;
    Workspace workspace;
    StaticRequest request = static_request(o);
    if (o.dynamic || o.initial == InitialMode::Given) request.stationary = false;
    if (o.initial == InitialMode::Steady) request.stationary = true;
    if (o.initial == InitialMode::Jump)
        workspace.diagnostics.report(bad_option("--initial jump: a design has no values before its start",
                                                "use --initial steady or --initial given"));
    o.initial.reset();
    if (request.known.empty() || request.unknown.empty())
        workspace.diagnostics.report(
            bad_option(request.known.empty() ? "nothing is specified: --known is missing"
                                             : "nothing is sought: --unknown is missing",
                       "for example: cutset design tank.dym --known h=3 --unknown qin"));
    if (workspace.diagnostics.has_errors()) return finish(workspace, o), 2;
    set_stage("translating the model");
    const auto prepared = pose_point(o, request, workspace);
    if (!prepared) return finish(workspace, o);
    set_stage("solving the design problem");
    const SteadyOptions options = steady_options(o);
    const DesignStudy study = design_study(*prepared, request, options, workspace.diagnostics);
    const SteadyResult& result = study.result;
    if (!result.points.empty() && !o.output.empty())
        write_point(result, result.points.front(), o.output, workspace);
    if (o.json) {
        Json out = result_json(result, workspace, prepared->model.name);
        out["static"] = prepared->question.stationary;
        if (!study.settings.empty()) out["settings"] = settings_text(study.settings.front());
        print_json(out);
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
            if (!study.settings.empty()) fmt::print("  {}\n", settings_text(study.settings[i]));
        }
    std::fflush(stdout);
    return finish(workspace, o);
}

}  // namespace

void add_design(CommandLine& line) {
    auto o = std::make_shared<DesignCommand>();
    Command& c =
        line.add("design", groups::design,
                 "find parameters, inputs or initial values for which given variables have given values",
                 [o] { return run_design(*o); });
    add_point_options(c, *o);
    c.flag("--dynamic", o->dynamic,
           "states at their initial values, derivatives as they come; so too when a derivative is among the "
           "knowns");
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

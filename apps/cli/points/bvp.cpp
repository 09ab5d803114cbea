// cutset bvp: two-point boundary value problems.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/json.h"
#include "commands.h"
#include "operations/collocation/boundary_request.h"
#include "output/console.h"
#include "output/curves.h"
#include "output/json_output.h"
#include "results/writer.h"
#include "runs/run_options.h"
#include "translate/translator.h"

namespace cutset::cli {

namespace {

struct BvpCommand : BoundaryRequest, OutputOptions {
    std::vector<std::string> plot;
    std::string output;
};

const char* status_name(BoundaryStatus status) {
    switch (status) {
        case BoundaryStatus::Solved:
            return "solved";
        case BoundaryStatus::NoSolution:
            return "no-solution";
        case BoundaryStatus::Inaccurate:
            return "inaccurate";
        case BoundaryStatus::Interrupted:
            return "interrupted";
    }
    return "";
}

Json solution_json(const BoundaryTask& p, const BoundaryOutcome& outcome, std::size_t i,
                   const std::string& output) {
    const BoundarySolution& s = outcome.solutions[i];
    const FlatModel& model = p.program->partition->model;
    Json values = Json::object(), start = values, end = values, conditions = Json::array();
    for (std::size_t k = 0; k < s.parameters.size(); ++k)
        values[model.path(p.program->linearized->by[k])] = Json(s.parameters[k]);
    for (std::size_t k = 0; k < outcome.states.size(); ++k) {
        if (outcome.states[k].empty()) continue;
        values[outcome.states[k] + "(0)"] = Json(s.start[k]);
        start[outcome.states[k]] = Json(s.start[k]);
        end[outcome.states[k]] = Json(s.end[k]);
    }
    for (std::size_t k = 0; k < outcome.conditions.size(); ++k)
        conditions.push_back({{"condition", outcome.conditions[k].text},
                              {"value", Json(outcome.values[i][k])},
                              {"target", outcome.conditions[k].target}});
    return {{"values", values},
            {"start", start},
            {"end", end},
            {"residual", Json(s.residual)},
            {"error", s.error},
            {"intervals", s.intervals},
            {"conditions", conditions},
            {"result", output}};
}

Json as_json(const BoundaryTask& p, const BoundaryOutcome& outcome, const Workspace& workspace,
             const std::vector<std::string>& files) {
    Json out = Json::object();
    if (!outcome.solutions.empty()) out = solution_json(p, outcome, 0, files[0]);
    out["model"] = p.program->partition->model.name;
    out["status"] = status_name(outcome.status);
    out["iterations"] = outcome.iterations;
    if (outcome.reached) out["reached"] = *outcome.reached;
    if (outcome.solutions.size() > 1 || p.question.solutions > 1) {
        out["solutions"] = Json::array();
        for (std::size_t i = 0; i < outcome.solutions.size(); ++i)
            out["solutions"].push_back(solution_json(p, outcome, i, files[i]));
    }
    if (outcome.continued.rows() > 0) {
        out["continued"] = Json::array();
        for (std::size_t row = 0; row < outcome.continued.rows(); ++row) {
            Json one;
            for (ColumnIndex c(0); c < outcome.continued.columns().end_index(); ++c.value)
                one[outcome.continued.columns()[c].name] = Json(outcome.continued.value(c, row));
            out["continued"].push_back(std::move(one));
        }
    }
    put_diagnostics(out, workspace.diagnostics, workspace.text.sources(), Notes::Left);
    return out;
}

void print(const BoundaryTask& p, const BoundaryOutcome& outcome, const std::vector<std::string>& files) {
    const FlatModel& model = p.program->partition->model;
    for (std::size_t i = 0; i < outcome.solutions.size(); ++i) {
        const BoundarySolution& s = outcome.solutions[i];
        const std::string which =
            outcome.solutions.size() > 1 ? fmt::format(" {} of {}", i + 1, outcome.solutions.size()) : "";
        fmt::print("{}: {}{}, residual {:.1e}, equations satisfied to {:.1e} on {} intervals\n", model.name,
                   outcome.reached ? "last solution" : "solution", which, s.residual, s.error, s.intervals);
        for (std::size_t k = 0; k < s.parameters.size(); ++k)
            fmt::print("  {} = {:.10g}\n", model.path(p.program->linearized->by[k]), s.parameters[k]);
        std::size_t width = 5;
        for (const std::string& name : outcome.states) width = std::max(width, name.size());
        fmt::print("  {:<{}}  {:<16} {:<16}\n", "", width, "start", "end");
        for (std::size_t k = 0; k < outcome.states.size(); ++k)
            if (!outcome.states[k].empty())
                fmt::print("  {:<{}}  {:<16.9g} {:<16.9g}\n", outcome.states[k], width, s.start[k], s.end[k]);
        if (!files[i].empty()) fmt::print("  {} rows in {}\n", s.trajectory.rows(), files[i]);
    }
    if (outcome.continued.rows() == 0) return;
    const Columns& columns = outcome.continued.columns();
    constexpr std::size_t most_columns = 7, most_rows = 12;
    std::string head = " ";
    for (ColumnIndex c(0); c < columns.end_index() && c.value < most_columns; ++c.value)
        head += fmt::format(" {:<14}", columns[c].name);
    fmt::print("{}\n", head);
    const std::size_t rows = outcome.continued.rows();
    const std::size_t every = (rows + most_rows - 1) / most_rows;
    for (std::size_t row = 0; row < rows; ++row) {
        if (row % every != 0 && row + 1 != rows) continue;
        std::string text = " ";
        for (ColumnIndex c(0); c < columns.end_index() && c.value < most_columns; ++c.value)
            text += fmt::format(" {:<14.8g}", outcome.continued.value(c, row));
        fmt::print("{}\n", text);
    }
}

// The interval that the experiment line of the file proposes, where the command line gives none.
bool apply_proposed_interval(BvpCommand& command, Workspace& workspace) {
    RunOptions proposed;
    if (!apply_experiment_line(workspace.text, proposed, workspace.diagnostics)) return false;
    if (!command.from) command.from = proposed.start;
    if (!command.to) command.to = proposed.stop;
    if (!command.points) command.points = proposed.points;
    return true;
}

int bvp(const BvpCommand& given) {
    BvpCommand command = given;
    Workspace workspace;
    ModelRequest model = command;
    model.unknown.clear();
    auto experiment = cutset::open_model(model, workspace);
    set_stage("translating the model");
    if (!experiment || !apply_proposed_interval(command, workspace)) return finish(workspace, command);
    command.interrupt = interrupt_flag();
    const auto prepared = pose_boundary_value(command, workspace, std::move(*experiment));
    if (!prepared) return finish_refused(workspace, command);
    const std::size_t printed =
        command.json ? 0
                     : print_diagnostics(workspace.diagnostics, workspace.text.sources(), 0, command.quiet);
    set_stage("the boundary value problem");
    catch_interrupt();
    const auto outcome =
        solve_boundary_value(prepared->program, prepared->question, prepared->options, workspace.diagnostics);
    release_interrupt();
    if (!outcome) return finish(workspace, command, printed);
    const std::string name = prepared->program->partition->model.name;
    const std::string output = command.output.empty() ? name + ".csv" : command.output;
    std::vector<std::string> files;
    for (std::size_t i = 0; i < outcome->solutions.size(); ++i) {
        std::string file = output;
        if (i > 0)
            file.insert(file.rfind('.') == std::string::npos ? file.size() : file.rfind('.'),
                        fmt::format("_{}", i + 1));
        if (const Problem trouble = write_result(outcome->solutions[i].trajectory, file)) {
            workspace.diagnostics.report(bad_option(*trouble));
            file.clear();
        }
        files.push_back(file);
    }
    std::vector<std::string> curves = given.plot;
    if (curves.empty() && !command.quiet && !command.json)
        for (const std::string& state : outcome->states)
            if (!state.empty() && curves.size() < 4) curves.push_back(state);
    if (!outcome->solutions.empty())
        for (const std::string& unknown_name :
             select_columns(outcome->solutions[0].trajectory.columns(), curves).unknown)
            workspace.diagnostics.report(
                bad_option("--plot: the result has no variable " + unknown_name,
                           suggestion(unknown_name, variable_paths(*prepared->program->partition))));
    if (command.json) {
        print_json(as_json(*prepared, *outcome, workspace, files));
        return workspace.diagnostics.has_errors() ? 1 : 0;
    }
    if (!command.quiet) {
        if (!workspace.diagnostics.has_errors())
            for (const BoundarySolution& s : outcome->solutions) print_curves(s.trajectory, curves, name);
        print(*prepared, *outcome, files);
    }
    std::fflush(stdout);
    return finish(workspace, command, printed);
}

}  // namespace

void add_bvp(CommandLine& line) {
    auto o = std::make_shared<BvpCommand>();
    Command& c = line.add("bvp", groups::design,
                          "two-point boundary value problems: conditions at the start and at the end",
                          [o] { return bvp(*o); });
    add_model_options(c, *o, *o);
    c.option("--from", o->from, "the start of the interval of time (0)");
    c.option("--to", o->to, "its end");
    c.option("--at-start", o->at_start, "a condition at the start: \"r = 1\" (may be repeated)");
    c.option("--at-end", o->at_end, "a condition at the end: \"r = 2\", \"der(x) + x = 0\"");
    c.option("--boundary", o->boundary,
             "the same with the end in brackets, \"y(0) = 1\"; or both, \"y(0) = y(1)\"");
    c.option("--guess", o->guess,
             "of a state, over time: \"y = 1 - time\"; of an unknown parameter; or a result file");
    c.option("--continue", o->continuation,
             "solve for a first value of a parameter and go on to another: p=0:2");
    c.option("--solutions", o->solutions, "look for so many solutions (1)");
    c.flag("--all", o->all, "look for as many solutions as can be found, up to 10");
    c.option("--tolerance", o->tolerance, "of the states, relative (1e-6)");
    c.option("--intervals", o->intervals, "of the first mesh (20)");
    c.option("--points", o->points, "rows of the result, about (1001)");
    c.option("-o,--output", o->output, "result file: .csv or .mat (MODEL.csv)");
    c.list("--plot", o->plot, "curves to show: v1,v2 or \"y(x)\"");
    c.footer(
        "Starts that the model gives are conditions too, as far as they are needed. --unknown names "
        "parameters that "
        "are\nsought, and initial values that are guesses only: --unknown \"lambda(0)=-3,p=1\".\n"
        "Examples:\n"
        "  cutset bvp minimal_surface.dym --to 1 --at-end \"r = 1\"\n"
        "  cutset bvp beam.dym --from 0 --to 2 --boundary \"w(0) = 0\" --boundary \"w(2) = 0\"\n"
        "  cutset bvp oscillator.dym --to 1 --at-end \"y = 0\" --unknown k=9    an eigenvalue\n"
        "Exit status: 0 when a solution was found, 1 otherwise, 2 wrong options.");
}

}  // namespace cutset::cli

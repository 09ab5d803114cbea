// cutset bvp: two-point boundary value problems.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>

#include "base/json.h"
#include "commands.h"
#include "ir/find_variables.h"
#include "operations/collocation/boundary_value.h"
#include "operations/estimation/goal.h"
#include "output/console.h"
#include "output/curves.h"
#include "output/diagnostics_json.h"
#include "results/reader.h"
#include "results/writer.h"
#include "runs/run_options.h"
#include "translate/translator.h"

namespace cutset::cli {

namespace {

struct BvpCommand : RunOptions {
    std::optional<double> from, to;
    std::vector<std::string> at_start, at_end, boundary;
    std::vector<std::string> guess;
    std::string continuation;
    std::optional<int> solutions;
    bool all = false;
    int intervals = 20;
    std::string output;
};

bool is_result_file(const std::string& text) {
    return text.ends_with(".csv") || text.ends_with(".mat") || text.ends_with(".txt");
}

std::string without_blanks(std::string text) {
    std::erase(text, ' ');
    return text;
}

// The number of NAME=NUMBER.
std::optional<double> number_of(const std::string& option, const std::string& text,
                                Diagnostics& diagnostics) {
    const std::string number = without_blanks(text.substr(text.find('=') + 1));
    double value = 0;
    const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (problem == std::errc() && end == number.data() + number.size() && std::isfinite(value)) return value;
    diagnostics.report(bad_option(fmt::format("{} {}: expected NAME=NUMBER", option, text)));
    return std::nullopt;
}

struct BoundaryTask {
    std::shared_ptr<const Program> program;
    BoundaryQuestion question;
    BoundaryOptions options;
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

// What is sought: parameters, and initial values that the model gives but that are guesses only.
struct Sought {
    std::vector<std::string> parameters, starts;
    std::vector<std::optional<double>> guesses;  // of the parameters
};

Sought read_unknowns(const std::vector<std::string>& texts, Workspace& workspace, Experiment& experiment) {
    Sought result;
    for (const std::string& list : texts)
        for (const std::string& text : split_names(list)) {
            const std::size_t equal = text.find('=');
            std::string path = without_blanks(text.substr(0, equal));
            const bool start = path.ends_with("(0)");
            if (start) path.resize(path.size() - 3);
            if (!start && equal == std::string::npos) {
                result.parameters.push_back(path);
                result.guesses.emplace_back();
                continue;
            }
            std::optional<double> value;
            if (equal != std::string::npos) {
                auto setting = parse_setting(workspace.text, "--unknown", path + "=" + text.substr(equal + 1),
                                             workspace.diagnostics);
                if (!setting) continue;
                if (start) {
                    experiment.initials.push_back(std::move(*setting));
                } else {
                    value = number_of("--unknown", text, workspace.diagnostics);
                }
            }
            if (start) {
                result.starts.push_back(path);
            } else {
                result.parameters.push_back(path);
                result.guesses.push_back(value);
            }
        }
    return result;
}

std::optional<BoundaryTask> prepare(const BvpCommand& command, const std::vector<std::string>& unknown,
                                    Workspace& workspace, Experiment experiment) {
    Diagnostics& diagnostics = workspace.diagnostics;
    BoundaryTask result;
    BoundaryQuestion& question = result.question;
    question.from = command.from.value_or(command.start.value_or(0));
    const std::optional<double> to = command.to ? command.to : command.stop;
    if (!to)
        diagnostics.report(bad_option("a boundary value problem needs the other end of its interval",
                                      "give it with --to, for example --from 0 --to 1"));
    else if (!(*to > question.from))
        diagnostics.report(bad_option(fmt::format("--to {} is not after --from {}", *to, question.from)));
    if (diagnostics.has_errors()) return std::nullopt;
    question.to = *to;

    OpenQuantities open;
    const auto output = [&](const std::string& quantity) {
        open.outputs.push_back(quantity);
        return open.outputs.size() - 1;
    };
    const auto add = [&](const std::string& option, const std::string& text, bool at_end) {
        const std::string quantity = fmt::format("#condition{}", question.conditions.size() + 1);
        const auto condition = add_condition(workspace, experiment, option, text, quantity);
        if (!condition) return;
        if (condition->lower != condition->upper) {
            diagnostics.report(
                bad_option(fmt::format("{} {}: a boundary condition is an equation", option, text),
                           "write it with = instead"));
            return;
        }
        BoundaryCondition c;
        c.text = condition->text + (at_end ? " at the end" : " at the start");
        (at_end ? c.at_end : c.at_start) = output(quantity);
        c.target = condition->lower;
        question.conditions.push_back(std::move(c));
    };
    for (const std::string& text : command.at_start) add("--at-start", text, false);
    for (const std::string& text : command.at_end) add("--at-end", text, true);
    for (const std::string& text : command.boundary) {
        const auto goal = add_boundary(workspace, experiment, text, question.from, question.to,
                                       fmt::format("#condition{}", question.conditions.size() + 1));
        if (!goal) continue;
        BoundaryCondition c;
        c.text = goal->text;
        if (goal->at_start) c.at_start = output(*goal->at_start);
        if (goal->at_end) c.at_end = output(*goal->at_end);
        c.target = goal->target;
        question.conditions.push_back(std::move(c));
    }

    Sought sought = read_unknowns(unknown, workspace, experiment);
    question.free_starts = sought.starts;
    for (const std::string& text : command.guess) {
        if (is_result_file(text)) {
            result.options.guess = read_result(text, diagnostics);
            continue;
        }
        auto setting = parse_setting(workspace.text, "--guess", text, workspace.diagnostics);
        if (!setting) continue;
        const auto parameter = std::find(sought.parameters.begin(), sought.parameters.end(), setting->path);
        if (parameter != sought.parameters.end()) {
            sought.guesses[std::size_t(parameter - sought.parameters.begin())] =
                number_of("--guess", text, diagnostics);
            continue;
        }
        const std::string quantity = fmt::format("#guess{}", question.state_guesses.size() + 1);
        experiment.quantities.push_back({quantity, std::move(setting->value), false});
        question.state_guesses.push_back({plain_path(setting->path), output(quantity)});
    }
    open.paths = sought.parameters;
    question.sought = sought.parameters.size();
    question.guess = sought.guesses;
    if (!command.continuation.empty()) {
        if (const auto over = parse_over("--continue", command.continuation, diagnostics)) {
            if (!over->range.lower || !over->range.upper)
                diagnostics.report(bad_option("--continue: expected NAME=FROM:TO"));
            else {
                open.paths.push_back(over->path);
                question.guess.push_back(over->range.lower);
                question.continue_to = *over->range.upper;
            }
        }
    }
    if (command.all) question.solutions = 10;
    if (command.solutions) question.solutions = std::size_t(std::max(1, *command.solutions));
    if (command.tolerance && !(*command.tolerance > 0))
        diagnostics.report(bad_option("--tolerance: expected a positive number"));
    if (command.intervals < 1 || command.intervals > 5000)
        diagnostics.report(bad_option("--intervals: expected a number from 1 to 5000"));
    if (diagnostics.has_errors()) return std::nullopt;
    open.start = !open.paths.empty();
    open.time = question.from;
    TranslationQuestion asked;
    asked.model = command.model;
    asked.experiment = std::move(experiment);
    asked.transform = transform_options(command, workspace.text);
    asked.open = std::move(open);
    const auto translation = Translator(workspace).translate(asked, diagnostics);
    if (!translation) return std::nullopt;
    result.program = translation->program;
    if (question.guess.size() != result.program->linearized->by.size()) {
        diagnostics.report(bad_option("--unknown: name the elements of arrays one by one, p[1],p[2]"));
        return std::nullopt;
    }
    const FlatModel& model = result.program->partition->model;
    for (const auto& g : question.state_guesses) {
        const auto found = find_variables(model, g.state);
        const auto& states = result.program->partition->states;
        if (found.empty() || std::find(states.begin(), states.end(), found[0]) == states.end())
            diagnostics.report(bad_option(
                fmt::format("--guess: {} is no state of the model and no unknown parameter", g.state),
                suggestion(g.state, variable_paths(*result.program->partition))));
    }
    if (diagnostics.has_errors()) return std::nullopt;
    result.options.tolerance = command.tolerance.value_or(1e-6);
    result.options.intervals = std::size_t(command.intervals);
    result.options.points = std::size_t(std::clamp(command.points.value_or(1001), 2.0, 1e6));
    result.options.allow_external = command.allow_external;
    Diagnostics ignored;
    if (const auto run = experiment_options(command, ignored)) result.options.interrupt = run->interrupt;
    return result;
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
    out["errors"] = diagnostics_json(workspace.diagnostics, workspace.text.sources(), Severity::Error);
    out["warnings"] = diagnostics_json(workspace.diagnostics, workspace.text.sources(), Severity::Warning);
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

int bvp(const BvpCommand& given) {
    BvpCommand command = given;
    Workspace workspace;
    // What is unknown here are values of the solution, not boundary variables of the model.
    const std::vector<std::string> unknown = std::exchange(command.unknown, {});
    auto experiment = open_model(command, workspace);
    if (!experiment) return finish(workspace, command);
    std::string problem;
    if (!apply_experiment_line(experiment_line(workspace.text), command, problem))
        workspace.diagnostics.report(bad_option("the experiment line of " + command.file + ": " + problem));
    if (workspace.diagnostics.has_errors()) return finish(workspace, command);
    command.tolerance = given.tolerance;
    const auto prepared = prepare(command, unknown, workspace, std::move(*experiment));
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
        fmt::print("{}\n", as_json(*prepared, *outcome, workspace, files).dump(2));
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
    add_model_options(c, *o);
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
        "are\nsought, and starts that are guesses only: --unknown \"lambda(0)=-3,p=1\".\n"
        "Examples:\n"
        "  cutset bvp minimal_surface.dym --to 1 --at-end \"r = 1\"\n"
        "  cutset bvp beam.dym --from 0 --to 2 --boundary \"w(0) = 0\" --boundary \"w(2) = 0\"\n"
        "  cutset bvp oscillator.dym --to 1 --at-end \"y = 0\" --unknown k=9    an eigenvalue\n"
        "Exit status: 0 when a solution was found, 1 otherwise, 2 wrong options.");
}

}  // namespace cutset::cli

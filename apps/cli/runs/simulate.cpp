// cutset simulate: from a file to curves and a result file.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

#include "base/utf8.h"
#include "commands.h"
#include "leave.h"
#include "operations/simulation/simulation.h"
#include "output/console.h"
#include "output/curves.h"
#include "output/json_output.h"
#include "run/outcome_words.h"
#include "runs/output_choice.h"
#include "runs/profile.h"
#include "runs/run_options.h"
#include "runs/start_output.h"

namespace cutset::cli {

namespace {

struct SimulateCommand : SimulationRequest, OutputOptions {
    bool statistics = false;
    bool profile = false;
};

// "dopri, bdf from t = 0.013 (stiff)".
std::string solver_text(const RunSummary& s) {
    constexpr std::size_t most_shown = 4;
    std::string text = s.first_method;
    const std::vector<SolverSwitch> changes = s.switches.known();
    for (std::size_t i = 0; i < std::min(changes.size(), most_shown); ++i)
        text += fmt::format(", {} from t = {:.4g} ({})", changes[i].to, changes[i].time, changes[i].reason);
    if (s.switches.count() > most_shown)
        text += fmt::format(" and {} more changes", s.switches.count() - most_shown);
    return text;
}

Json statistics_json(const RunSummary& s) {
    Json switches = Json::array();
    for (const SolverSwitch& change : s.switches.known())
        switches.push_back(
            {{"time", change.time}, {"from", change.from}, {"to", change.to}, {"reason", change.reason}});
    return {{"solver", s.first_method},
            {"switches", std::move(switches)},
            {"switchCount", s.switches.count()},
            {"steps", s.integrator.steps},
            {"rejected", s.integrator.error_test_failures},
            {"notConverged", s.integrator.convergence_failures},
            {"evaluations", s.integrator.rhs_evaluations},
            {"jacobians", s.integrator.jacobians},
            {"newtonIterations", s.integrator.newton_iterations},
            {"rootEvaluations", s.integrator.root_evaluations},
            {"restarts", s.integrator.restarts}};
}

Diagnostic limit_reached(const std::string& reason, const RunSummary& s) {
    Diagnostic d;
    d.code = "limit";
    d.message = fmt::format("stopped at time {:.6g}: {}", s.time, reason);
    d.help = "what was computed is kept; a higher --limit-memory or --limit-time goes further";
    return d;
}

Json cache_json(const Provenance& p, const CompiledUnits& units) {
    using enum Provenance::Kind;
    return {{"translation", p.kind == SameText}, {"analysis", p.kind == EarlierText || p.kind == SameText},
            {"reanalysed", p.reanalysed},        {"unitsFound", units.found},
            {"bytesFound", units.bytes},         {"unitsCompiled", units.compiled}};
}

std::string analysed_text(const Provenance& p) {
    switch (p.kind) {
        case Provenance::Kind::EarlierButForSome:
            return fmt::format(
                "the analysis of the text before the edit, but for {}; ",
                p.reanalysed == 1 ? "one equation" : fmt::format("{} equations", p.reanalysed));
        case Provenance::Kind::EarlierText:
            return "the analysis of the text before the edit; ";
        case Provenance::Kind::SameText:
            return "the translation; ";
        case Provenance::Kind::Text:
        case Provenance::Kind::OtherTranslation:
            break;
    }
    return "";
}

void print_cache(const Provenance& provenance, const CompiledUnits& units) {
    fmt::print(stderr, "  from the cache: {}{} of {} units of machine code ({} bytes)\n",
               analysed_text(provenance), units.found, units.found + units.compiled, units.bytes);
}

void print_statistics(const RunSummary& s) {
    fmt::print(
        stderr,
        "  steps {}, evaluations {}, Jacobians {}, Newton iterations {}, error test failures {}, convergence "
        "failures {}, events {}\n",
        s.integrator.steps, s.integrator.rhs_evaluations, s.integrator.jacobians,
        s.integrator.newton_iterations, s.integrator.error_test_failures, s.integrator.convergence_failures,
        s.events);
    if (s.loop_solutions || s.loop_factorisations)
        fmt::print(stderr, "  loops: nonlinear {} times with {} iterations, linear factored {} times\n",
                   s.loop_solutions, s.loop_iterations, s.loop_factorisations);
}

// What is shown while the simulation is on its way.
class Watcher : public SimulationListener {
  public:
    Watcher(const SimulateCommand& command, const Workspace& workspace)
        : command_(command), workspace_(workspace) {}

    void opened() override { set_stage("translating the model"); }
    void translated() override {
        if (!command_.json)
            printed = print_diagnostics(workspace_.diagnostics, workspace_.text.sources(), 0, command_.quiet);
    }
    void begins(double start, double stop) override {
        bar_.emplace(start, stop, !command_.quiet);
        catch_interrupt();
        set_stage("the run", true);
    }
    void progress(double time) override { bar_->show(time); }
    void ended() override {
        release_interrupt();
        bar_.reset();
    }

    std::size_t printed = 0;  // of what was reported

  private:
    const SimulateCommand& command_;
    const Workspace& workspace_;
    std::optional<ProgressBar> bar_;
};

using Clock = std::chrono::steady_clock;

std::vector<ProfileLine> profile(const SimulationResult& r, const SimulateCommand& command,
                                 const Workspace& workspace, Clock::time_point began) {
    const std::chrono::duration<double> total = Clock::now() - began;
    ProfileTimes times;
    times.translation = workspace.times;
    times.machine_code = r.engine_seconds + (r.engine ? r.engine->waited_by_all() : 0);
    times.beside = seconds_beside(r.engine.get(), command.engine);
    times.runs.add(r.summary);
    times.total = total.count();
    times.processor = r.processor_seconds;
    return profile_lines(times);
}

// What the numbers of columns stand for that are no reals: "boolean", "integer", the names of an enumeration.
Json types_json(const FlatModel& model) {
    Json types = Json::object();
    for (VariableIndex i{0}; i < model.variables.end_index(); ++i.value) {
        const Variable& v = model.variables[i];
        if (v.internal || v.type == ValueType::Real) continue;
        Json& type = types[model.path(i)];
        if (v.type == ValueType::Boolean) type = "boolean";
        if (v.type == ValueType::Integer) type = "integer";
        if (v.type == ValueType::Enumeration) type = model.enumerations[v.enumeration].literals;
    }
    return types;
}

Json as_json(const SimulationResult& r, const SimulateCommand& command, const Workspace& workspace,
             Clock::time_point began) {
    const RunSummary& summary = r.summary;
    Json out = {{"model", r.model().name},
                {"outcome", word(summary.outcome)},
                {"time", summary.time},
                {"rows", summary.rows},
                {"events", summary.events},
                {"steps", summary.integrator.steps},
                {"evaluations", summary.integrator.rhs_evaluations},
                {"statistics", statistics_json(summary)},
                {"profile", profile_json(profile(r, command, workspace, began))},
                {"cache", cache_json(r.translation.provenance, r.units())},
                {"result", r.output}};
    put_diagnostics(out, workspace.diagnostics, workspace.text.sources(), Notes::Added);
    if (Json types = types_json(r.model()); !types.empty()) out["types"] = std::move(types);
    if (r.checkpoint_written) out["checkpoint"] = command.checkpoint;
    if (r.start) out["start"] = start_json(*r.start, workspace.text.sources());
    return out;
}

void print(const SimulationResult& r, const SimulateCommand& command, const Workspace& workspace,
           Clock::time_point began) {
    const std::string& model = r.model().name;
    if (r.start) print_start(*r.start, model, workspace.text.sources());
    if (!r.curves.empty() && r.summary.rows > 1) print_curves(r.kept, r.curves, model);
    if (command.statistics) print_statistics(r.summary);
    if (command.profile) {
        print_profile(profile(r, command, workspace, began));
        print_cache(r.translation.provenance, r.units());
    }
    if (command.quiet) return;
    if (r.summary.rows > 0)
        fmt::print("{}: {} at time {:.6g}, {} rows in {}; solver: {}\n", model, word(r.summary.outcome),
                   r.summary.time, r.summary.rows, printable(r.output), solver_text(r.summary));
    else
        fmt::print("{}: no result\n", model);
}

int simulate(const SimulateCommand& given) {
    const auto began = Clock::now();
    SimulateCommand command = given;
    command.propose_curves = !command.quiet && !command.json;
    command.measure_times = command.profile || command.json;
    command.interrupt = interrupt_flag();
    Workspace workspace;
    Watcher watcher(command, workspace);
    auto result = run_simulation(command, workspace, watcher);
    if (!result) return finish_refused(workspace, command, watcher.printed);
    const std::string limit = limit_exceeded();
    if (!limit.empty()) workspace.diagnostics.report(limit_reached(limit, result->summary));
    if (command.json) {
        print_json(as_json(*result, command, workspace, began));
    } else {
        print_diagnostics(workspace.diagnostics, workspace.text.sources(), watcher.printed, command.quiet);
        print(*result, command, workspace, began);
    }
    const bool stopped = result->summary.outcome == RunOutcome::Interrupted;
    const bool failed = workspace.diagnostics.has_errors() || result->summary.outcome == RunOutcome::Failed;
    leave(stopped && limit.empty() && !result->paused ? 130
          : failed                                    ? 1
                                                      : 0,
          [&] { result->keep(!limit.empty() || stopped); });
}

}  // namespace

void add_simulate(CommandLine& line) {
    auto o = std::make_shared<SimulateCommand>();
    Command& c =
        line.add("simulate", groups::runs, "compute the trajectories; plot them and write a result file",
                 [o] { return simulate(*o); });
    add_model_options(c, *o);
    add_run_options(c, *o);
    c.option("--steps", o->steps,
             "write the steps of the integrator to this .csv, .mat or .npz file: time, size, error in units "
             "of the "
             "tolerance, accepted or not");
    c.option("-o,--output", o->output,
             "result file: .csv, .mat (as Dymola and OpenModelica write it) or .npz (NumPy) (MODEL.csv)");
    add_output_choice(c, o->choice);
    c.option("--checkpoint", o->checkpoint,
             "write where the run stands at its end, also when it was interrupted or failed, to this file");
    c.option(
        "--every", o->every,
        "write the checkpoint also while the run goes on, every so many seconds of the clock on the wall");
    c.option("--pause", o->pause,
             "stand still at the end of the first step that gets to this time; --from goes on to the bit");
    c.option("--from", o->from,
             "go on from this checkpoint, with the settings of that run; --set and --input change them");
    c.flag("--explain-start", o->explain_start,
           "show the initial system block by block: unknowns, where a search began and why there, equations "
           "with their residuals, what was solved and what failed");
    c.option(
        "--guesses", o->guesses,
        "begin the search for the initial values at this point: a file of cutset steady -o point.json, or "
        "of --checkpoint");
    c.list("--plot", o->plot, "curves to show: v1,v2 or \"y(x)\"");
    c.flag("--statistics", o->statistics, "what the integrator did");
    c.flag("--profile", o->profile, "where the time went, from reading the model to the last row");
    c.footer(
        "Examples:\n"
        "  cutset simulate tanks.dym --stop 200 --plot Tank1.h,Tank2.h\n"
        "  cutset simulate motor.dym --set motor.J=0.02 --init motor.omega=10 -o run.mat\n"
        "  cutset simulate filter.dym --input \"u=if time > 1 then 5 else 0\" --plot y\n"
        "  cutset simulate orbit.dym --plot \"y(x)\" --tolerance 1e-9\n"
        "  cutset simulate servo.dym --stop 5 --checkpoint at5.json\n"
        "  cutset simulate servo.dym --from at5.json --set PD.G=6 --stop 10\n"
        "  cutset simulate plant.dym --explain-start             why the start is as it is, or fails\n"
        "A comment in the head of the file may give defaults: { experiment: --stop 200 --plot Tank1.h }\n"
        "What took long to translate is kept in ~/.cache/cutset and serves until a text changes; the "
        "variable "
        "CUTSET_CACHE\n"
        "names another directory, or off.\n"
        "Exit status: 0 done (also when the model ends the run), 1 failed, 2 wrong options, 130 interrupted; "
        "what was\n"
        "computed is kept in the result file in every case.");
}

}  // namespace cutset::cli

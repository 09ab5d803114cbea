// cutset simulate: from a file to curves and a result file.
#include "run/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <memory>
#include <optional>

#include "base/json.h"
#include "base/stopwatch.h"
#include "commands.h"
#include "leave.h"
#include "native/code_store.h"
#include "native/engine.h"
#include "native/messages.h"
#include "output/console.h"
#include "output/curves.h"
#include "output/diagnostics_json.h"
#include "results/writer.h"
#include "run/outcome_words.h"
#include "runs/going_on.h"
#include "runs/profile.h"
#include "runs/run_options.h"
#include "translate/external_system.h"
#include "translate/translator.h"

namespace cutset::cli {

namespace {

struct SimulateCommand : RunOptions {
    std::string steps;       // file for the steps of the integrator
    std::string output;      // empty: MODEL.csv in the present directory
    std::string checkpoint;  // file for where the run stands at its end
    std::string from;        // checkpoint to begin at
    bool statistics = false;
    bool profile = false;
};

// Streams all columns to the file and keeps those to be plotted.
// Processor time of the run itself: from the row of the start to that of the end, without machine code made
// meanwhile; then that of closing the file. Other threads do not count.
class RunClock {
  public:
    explicit RunClock(double stop) : stop_(stop) {}
    void set_engine(const NativeEngine* engine) { engine_ = engine; }

    void saw_row(double time) {
        if (!began_) began_ = now();
        if (time == stop_) ended_ = now();
    }
    void begin_closing() {
        // A run that ended before its time.
        if (began_ && !ended_) ended_ = now();
        closing_began_ = now();
    }
    void end_closing() { closing_ = now() - closing_began_; }
    double seconds() const { return began_ && ended_ ? *ended_ - *began_ + closing_ : 0; }

  private:
    double now() const {
        timespec t{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
        return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec) -
               (engine_ ? engine_->waited_processor() : 0);
    }

    double stop_;
    const NativeEngine* engine_ = nullptr;
    std::optional<double> began_, ended_;
    double closing_began_ = 0, closing_ = 0;
};

class FileSink : public RowSink {
  public:
    FileSink(std::unique_ptr<ResultWriter> writer, std::vector<std::string> wanted, double stop)
        : clock(stop), writer_(std::move(writer)), wanted_(std::move(wanted)) {}

    std::optional<std::string> begin(const Columns& columns) override {
        if (auto problem = writer_->begin(columns)) return problem;
        selection_ = select_columns(columns, wanted_);
        kept = Trajectory(selection_.columns);
        kept_row_.resize(selection_.stored.size());
        return std::nullopt;
    }
    std::optional<std::string> row(std::span<const double> values) override {
        for (std::size_t i = 0; i < kept_row_.size(); ++i) kept_row_[i] = values[selection_.stored[i]];
        kept.append(kept_row_);
        auto problem = writer_->append(values);
        clock.saw_row(values[0]);
        return problem;
    }
    std::optional<std::string> finish() {
        clock.begin_closing();
        auto problem = writer_->finish();
        clock.end_closing();
        return problem;
    }
    const std::vector<std::string>& unknown() const { return selection_.unknown; }

    Trajectory kept;
    RunClock clock;

  private:
    std::unique_ptr<ResultWriter> writer_;
    std::vector<std::string> wanted_;
    ColumnSelection selection_;
    std::vector<double> kept_row_;
};

std::vector<std::string> default_plot(const Partition& partition) {
    std::vector<std::string> names;
    auto add = [&](VariableIndex v) {
        if (names.size() < 4) names.push_back(partition.model.path(v));
    };
    for (VariableIndex v : shown_states(partition)) add(v);
    for (VariableIndex v{0}; names.empty() && v < partition.model.variables.end_index(); ++v.value)
        if (partition.model.variables[v].top_output) add(v);
    for (VariableIndex v{0}; v < partition.model.variables.end_index() && names.empty(); ++v.value)
        if (partition.model.variables[v].variability == Variability::Continuous) add(v);
    const bool only_discrete = names.empty();
    for (VariableIndex v{0}; v < partition.model.variables.end_index() && only_discrete; ++v.value)
        if (const Variable& d = partition.model.variables[v];
            d.variability == Variability::Discrete && !d.internal && !d.free_parameter)
            add(v);
    return names;
}

// "dopri, bdf from t = 0.013 (stiff)".
std::string solver_text(const RunSummary& s) {
    constexpr std::size_t most_shown = 4;
    std::string text = s.first_method;
    for (std::size_t i = 0; i < std::min(s.switches.size(), most_shown); ++i)
        text += fmt::format(", {} from t = {:.4g} ({})", s.switches[i].to, s.switches[i].time,
                            s.switches[i].reason);
    if (s.switches.size() > most_shown)
        text += fmt::format(" and {} more changes", s.switches.size() - most_shown);
    return text;
}

Json statistics_json(const RunSummary& s) {
    Json switches = Json::array();
    for (const SolverSwitch& change : s.switches)
        switches.push_back(
            {{"time", change.time}, {"from", change.from}, {"to", change.to}, {"reason", change.reason}});
    return {{"solver", s.first_method},
            {"switches", std::move(switches)},
            {"steps", s.integrator.steps},
            {"rejected", s.integrator.error_test_failures},
            {"notConverged", s.integrator.convergence_failures},
            {"evaluations", s.integrator.rhs_evaluations},
            {"jacobians", s.integrator.jacobians},
            {"newtonIterations", s.integrator.newton_iterations},
            {"rootEvaluations", s.integrator.root_evaluations},
            {"restarts", s.integrator.restarts}};
}

// The steps that the integrator tried, to a file like a result.
class StepsFile {
  public:
    Problem open(const std::string& path) {
        Problem problem;
        writer_ = make_writer(path, problem);
        if (!writer_) return problem;
        Columns columns;
        columns.push_back(time_column());
        columns.push_back({.name = "step", .unit = "s", .description = "its length"});
        columns.push_back({.name = "error", .description = "in units of the tolerance"});
        columns.push_back({.name = "accepted", .description = "1, or 0 for a step that was tried again"});
        return writer_->begin(columns);
    }
    void write(const TriedStep& s) {
        const double row[] = {s.time, s.size, s.error, s.accepted ? 1.0 : 0.0};
        if (!problem_) problem_ = writer_->append(row);
    }
    Problem finish() {
        Problem last = writer_ ? writer_->finish() : std::nullopt;
        return problem_ ? problem_ : last;
    }

  private:
    std::unique_ptr<ResultWriter> writer_;
    Problem problem_;
};

Diagnostic limit_reached(const std::string& reason, const RunSummary& s) {
    Diagnostic d;
    d.code = "limit";
    d.message = fmt::format("stopped at time {:.6g}: {}", s.time, reason);
    d.help = "what was computed is kept; a higher --limit-memory or --limit-time goes further";
    return d;
}

// Units of machine code (kernels, chunks, functions) that were there already.
struct UnitsFromCache {
    std::size_t compiled = 0, found = 0, bytes = 0;
};

UnitsFromCache units_of(const NativeEngine* engine) {
    if (!engine) return {};
    const NativeStatistics n = engine->statistics();
    return {n.units_compiled, n.units_found, n.found_bytes};
}

Json cache_json(const Provenance& p, const UnitsFromCache& units) {
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

void print_cache(const Provenance& provenance, const UnitsFromCache& units) {
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

// The model, its experiment and how it is to be run. Nothing, with the status, when errors were reported.
struct Question {
    TranslationQuestion translation;
    SimulateOptions run;
};

std::optional<Question> read_question(SimulateCommand& command, Workspace& workspace, Translator& translator,
                                      int& status) {
    const auto failed = [&](int failure) {
        const int finished = finish(workspace, command);
        status = failure ? failure : finished;
        return std::nullopt;
    };
    auto experiment = translator.open(workspace, command, TranslationCache::open());
    set_stage("translating the model");
    if (!experiment) return failed(0);
    std::string problem;
    if (!apply_experiment_line(experiment_line(workspace.text), command, problem)) {
        workspace.diagnostics.report(bad_option("the experiment line of " + command.file + ": " + problem));
        return failed(0);
    }
    if (!command.from.empty() && command.stop && *command.stop <= *command.start) {
        workspace.diagnostics.report(
            bad_option(fmt::format("the checkpoint stands at time {}; the run cannot go on to {}",
                                   *command.start, *command.stop),
                       fmt::format("say how far to go on: --stop {}", *command.start + 10)));
        return failed(2);
    }
    auto run = experiment_options(command, workspace.diagnostics);
    if (!run) return failed(2);
    Question question;
    question.run = std::move(*run);
    question.translation.model = command.model;
    question.translation.experiment = std::move(*experiment);
    question.translation.transform = transform_options(command, workspace.text);
    question.translation.jacobian = jacobian_for(question.run.solver);
    return question;
}

int simulate(const SimulateCommand& given) {
    const auto began = std::chrono::steady_clock::now();
    SimulateCommand command = given;
    Workspace workspace;
    Translator translator(workspace);
    std::optional<Beginning> beginning;
    if (!command.from.empty()) {
        beginning = read_beginning(command.from, command, workspace.diagnostics);
        if (!beginning) return finish(workspace, command);
    }
    if (!command.checkpoint.empty()) {  // now, not after a long run
        OutputFile place;
        if (const Problem problem = place.open(command.checkpoint)) {
            workspace.diagnostics.report(bad_option(*problem));
            return finish(workspace, command);
        }
        place.close(false);
    }
    const SimulateCommand settings = command;
    int status = 0;
    std::optional<Question> question = read_question(command, workspace, translator, status);
    if (!question) return status;
    question->translation.run = &question->run;
    const std::optional<Translation> translation =
        translator.translate(question->translation, workspace.diagnostics);
    if (!translation) return finish(workspace, command);
    const Program* const program = translation->program.get();
    KeepingOnDisk keeping = translator.keep(workspace, *translation);
    const std::size_t printed =
        command.json ? 0
                     : print_diagnostics(workspace.diagnostics, workspace.text.sources(), 0, command.quiet);

    const std::string output =
        command.output.empty() ? program->partition->model.name + ".csv" : command.output;
    Problem writer_problem;
    auto writer = make_writer(output, writer_problem);
    if (!writer) {
        workspace.diagnostics.report(bad_option(*writer_problem));
        return finish(workspace, command, printed);
    }
    std::vector<std::string> wanted = command.plot;
    if (wanted.empty() && !command.quiet && !command.json) wanted = default_plot(*program->partition);
    FileSink sink(std::move(writer), wanted, question->run.stop);

    SimulateOptions run = question->run;
    translation->prepare(run);
    std::optional<RunPoint> from, end;
    if (beginning) {
        from = place_beginning(command.from, *beginning, *program, run, workspace.diagnostics);
        if (!from) return finish(workspace, command, printed);
    }
    run.keep_point = !command.checkpoint.empty();
    std::optional<ProgressBar> bar(std::in_place, run.start, run.stop, !command.quiet);
    run.progress = [&](double t) { bar->show(t); };
    StepsFile steps;
    if (!command.steps.empty()) {
        if (const auto trouble = steps.open(command.steps)) {
            workspace.diagnostics.report(bad_option(*trouble));
            return finish(workspace, command, printed);
        }
        run.tried_step = [&](const TriedStep& s) { steps.write(s); };
    }
    std::string engine_problem;
    double engine_seconds = 0;
    const std::shared_ptr<NativeEngine> engine = [&] {
        const Stopwatch watch(&engine_seconds);
        return NativeEngine::make(*program, command.engine, engine_problem, CodeStore::open());
    }();
    run.machine_code = engine;
    sink.clock.set_engine(engine.get());
    run.measure_times = command.profile || command.json;
    if (!engine_problem.empty())
        workspace.diagnostics.report(native_messages::no_machine_code(engine_problem));
    catch_interrupt();
    set_stage("the run", true);
    const RunSummary summary = from ? simulate_from(*program, run, *from, sink, workspace.diagnostics, end)
                               : run.keep_point
                                   ? cutset::simulate(*program, run, sink, workspace.diagnostics, end)
                                   : cutset::simulate(*program, run, sink, workspace.diagnostics);
    end_external_systems(workspace.text.classes());
    release_interrupt();
    const std::string limit = limit_exceeded();
    if (!limit.empty()) workspace.diagnostics.report(limit_reached(limit, summary));
    const auto& reported = workspace.diagnostics.all();
    const bool known = !reported.empty() && reported.back().code == "result-file";
    if (auto trouble = sink.finish(); trouble && !known) workspace.diagnostics.report(bad_option(*trouble));
    const bool kept_end = run.keep_point && end;
    if (kept_end)
        if (const auto trouble = write_end(command.checkpoint, *end, *program, settings))
            workspace.diagnostics.report(bad_option(*trouble));
    if (const auto trouble = steps.finish()) workspace.diagnostics.report(bad_option(*trouble));
    bar.reset();
    const auto profile = [&] {
        const std::chrono::duration<double> total = std::chrono::steady_clock::now() - began;
        ProfileTimes times;
        times.translation = workspace.times;
        times.machine_code = engine_seconds + (engine ? engine->waited_by_all() : 0);
        times.beside = seconds_beside(engine.get(), command.engine);
        times.runs.add(summary);
        times.total = total.count();
        times.processor = sink.clock.seconds();
        return profile_lines(times);
    };

    const std::vector<std::string> paths = variable_paths(*program->partition);
    for (const std::string& name : sink.unknown()) {
        if (run.states_only && std::find(paths.begin(), paths.end(), name) != paths.end()) {
            // The file may ask for curves that a run of the states alone does not have.
            if (!given.plot.empty())
                workspace.diagnostics.report(
                    bad_option("--plot: " + name + " is no state, and --states keeps nothing else",
                               "leave out --states to have all variables"));
            continue;
        }
        workspace.diagnostics.report(
            bad_option("--plot: the result has no variable " + name, suggestion(name, paths)));
    }
    if (command.json) {
        Json out = {{"model", program->partition->model.name},
                    {"outcome", word(summary.outcome)},
                    {"time", summary.time},
                    {"rows", summary.rows},
                    {"events", summary.events},
                    {"steps", summary.integrator.steps},
                    {"evaluations", summary.integrator.rhs_evaluations},
                    {"statistics", statistics_json(summary)},
                    {"profile", profile_json(profile())},
                    {"cache", cache_json(translation->provenance, units_of(engine.get()))},
                    {"result", output}};
        out["errors"] = diagnostics_json(workspace.diagnostics, workspace.text.sources(), Severity::Error);
        out["warnings"] =
            diagnostics_json(workspace.diagnostics, workspace.text.sources(), Severity::Warning);
        out["notes"] = diagnostics_json(workspace.diagnostics, workspace.text.sources(), Severity::Note);
        if (kept_end) out["checkpoint"] = command.checkpoint;
        fmt::print("{}\n", out.dump(2));
    } else {
        print_diagnostics(workspace.diagnostics, workspace.text.sources(), printed, command.quiet);
        if (!wanted.empty() && summary.rows > 1)
            print_curves(sink.kept, wanted, program->partition->model.name);
        if (command.statistics) print_statistics(summary);
        if (command.profile) {
            print_profile(profile());
            print_cache(translation->provenance, units_of(engine.get()));
        }
        if (!command.quiet) {
            if (summary.rows > 0)
                fmt::print("{}: {} at time {:.6g}, {} rows in {}; solver: {}\n",
                           program->partition->model.name, word(summary.outcome), summary.time, summary.rows,
                           output, solver_text(summary));
            else
                fmt::print("{}: no result\n", program->partition->model.name);
        }
    }
    const bool interrupted = summary.outcome == RunOutcome::Interrupted && limit.empty();
    const bool failed = workspace.diagnostics.has_errors() || summary.outcome == RunOutcome::Failed;
    leave(interrupted ? 130
          : failed    ? 1
                      : 0,
          [&] {
              keeping.finish(!limit.empty() || summary.outcome == RunOutcome::Interrupted);
              if (engine) engine->keep();
          });
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
             "write the steps of the integrator to this .csv or .mat file: time, size, error in units of the "
             "tolerance, accepted or not");
    c.option("-o,--output", o->output, "result file: .csv or .mat (MODEL.csv)");
    c.option("--checkpoint", o->checkpoint,
             "write where the run stands at its end, also when it was interrupted or failed, to this file");
    c.option("--from", o->from,
             "go on from this checkpoint, with the settings of that run; --set and --input change them");
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

// cutset simulate: from a file to curves and a result file.
#include "run/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <future>
#include <memory>
#include <optional>

#include "base/fingerprint.h"
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
#include "translate/translate_mode.h"
#include "translate/translation_cache.h"

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

// What was analysed for this run.
enum class Analysed {
    All,
    Part,        // the blocks of the equations that are others than before the edit
    Nothing,     // the equations are those of the text before the edit
    Translated,  // not even the text: it is the same
};

// What was there already: the translation, units of machine code (kernels, chunks, functions).
struct FromCache {
    Analysed analysed = Analysed::All;
    std::size_t equations_changed = 0;  // of a part
    std::size_t units_compiled = 0, units_found = 0, found_bytes = 0;
};

FromCache with_units(FromCache c, const NativeEngine* engine) {
    if (!engine) return c;
    const NativeStatistics n = engine->statistics();
    c.units_compiled = n.units_compiled;
    c.units_found = n.units_found;
    c.found_bytes = n.found_bytes;
    return c;
}

Json cache_json(const FromCache& c) {
    return {{"translation", c.analysed == Analysed::Translated},
            {"analysis", c.analysed == Analysed::Nothing || c.analysed == Analysed::Translated},
            {"reanalysed", c.equations_changed},
            {"unitsFound", c.units_found},
            {"bytesFound", c.found_bytes},
            {"unitsCompiled", c.units_compiled}};
}

std::string analysed_text(const FromCache& c) {
    switch (c.analysed) {
        case Analysed::All:
            return "";
        case Analysed::Part:
            return fmt::format(
                "the analysis of the text before the edit, but for {}; ",
                c.equations_changed == 1 ? "one equation" : fmt::format("{} equations", c.equations_changed));
        case Analysed::Nothing:
            return "the analysis of the text before the edit; ";
        case Analysed::Translated:
            return "the translation; ";
    }
    return "";
}

void print_cache(const FromCache& c) {
    fmt::print(stderr, "  from the cache: {}{} of {} units of machine code ({} bytes)\n", analysed_text(c),
               c.units_found, c.units_found + c.units_compiled, c.found_bytes);
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

// What the Program depends on beside the texts.
std::string question_of(const SimulateCommand& command) {
    Json q = {command.file,  command.model,   command.set,  command.init,    command.input,
              command.known, command.unknown, command.tear, command.library, command.solver};
    const char* path = std::getenv("CUTSET_PATH");
    q.push_back(path ? path : "");
    q.push_back(command.initial);
    return q.dump();
}

constexpr std::size_t most_kept_beside = 200'000;  // variables: some 30 MB

// From the text, or from an earlier translation.
struct Translated {
    std::optional<TranslationCache::Translation> translation;
    std::optional<SimulateOptions> options;
    FromCache found;
    bool lasting = false;  // it may be kept: nothing in it comes from a run or from files other than sources
    std::optional<FlatIdentity> made_of;  // for later texts
    int status = 0;                       // when there is no program
};

// The equations are collected; sorted only where no earlier text had the same.
std::optional<TranslationCache::Translation> translate_lasting(
    const SimulateCommand& command, const Experiment& experiment, TransformOptions transform,
    const TranslationCache& cache, const std::string& question, Workspace& workspace, Translated& result) {
    std::optional<FlatModel> flat = workspace.flatten(command.model, experiment);
    if (!flat) return std::nullopt;
    // Other starts and other knowns are found by values that no decision tells of.
    const bool by_decisions =
        transform.initial == InitialMode::Given && experiment.knowns.empty() && experiment.unknowns.empty();
    std::optional<Partition> part;
    if (by_decisions && flat->variables.size() <= most_kept_beside) {
        const Stopwatch watch(&workspace.times.sort);
        result.made_of = identity_of(*flat);
        // The text may say how it is sorted, too.
        result.made_of->frame = fingerprint(result.made_of->frame.text() + question_of(command));
        transform.remember_decisions = true;
        auto alike = cache.find_alike(question, *flat, *result.made_of, transform);
        if (alike.translation) {
            result.found.analysed = Analysed::Nothing;
            return std::move(alike.translation);
        }
        if (alike.partition) {
            result.found.analysed = Analysed::Part;
            result.found.equations_changed = alike.reanalysed;
            part = std::move(alike.partition);
        }
    }
    const JacobianKind jacobian = jacobian_for(result.options->solver);
    if (part) return TranslationCache::Translation{workspace.program(std::move(*part), jacobian), {}, {}, {}};
    const std::size_t messages = workspace.diagnostics.all().size();
    auto program = workspace.program(std::move(*flat), transform, jacobian);
    if (!program) return std::nullopt;
    if (workspace.diagnostics.all().size() > messages) result.made_of.reset();  // they may speak of values
    return TranslationCache::Translation{std::move(*program), {}, {}, {}};
}

Translated translate(SimulateCommand& command, Workspace& workspace,
                     const std::optional<TranslationCache>& cache, const std::string& question) {
    Translated result;
    if (cache) result.translation = cache->find(question, workspace);
    if (result.translation) result.found.analysed = Analysed::Translated;
    auto experiment =
        result.translation ? std::optional<Experiment>(Experiment{}) : open_model(command, workspace);
    const auto failed = [&](int status) {
        const int finished = finish(workspace, command);
        result.status = status ? status : finished;
        result.translation.reset();
        return std::move(result);
    };
    if (!experiment) return failed(0);
    std::string problem;
    if (!apply_experiment_line(workspace.experiment_line(), command, problem)) {
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
    result.options = experiment_options(command, workspace.diagnostics);
    if (!result.options) return failed(2);
    if (result.translation) return result;
    const TransformOptions transform = transform_options(command, workspace);
    result.lasting = transform.initial != InitialMode::Steady && experiment->input_files.empty() &&
                     std::none_of(experiment->knowns.begin(), experiment->knowns.end(),
                                  [](const Experiment::Known& known) { return known.table.has_value(); });
    if (cache && result.lasting) {
        result.translation =
            translate_lasting(command, *experiment, transform, *cache, question, workspace, result);
    } else if (auto program =
                   workspace.program_to_run(command.model, *experiment, transform, *result.options)) {
        result.translation.emplace(TranslationCache::Translation{std::move(*program), {}, {}, {}});
    }
    return result.translation ? std::move(result) : failed(0);
}

int simulate(const SimulateCommand& given) {
    const auto began = std::chrono::steady_clock::now();
    SimulateCommand command = given;
    Workspace workspace;
    const std::optional<TranslationCache> cache = TranslationCache::open();
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
    const std::string question = question_of(command);
    const Translated translated = translate(command, workspace, cache, question);
    if (!translated.translation) return translated.status;
    const Program* const program = &translated.translation->program;
    const std::optional<SimulateOptions>& options = translated.options;
    const Diagnostics of_translation = workspace.diagnostics;
    const std::size_t printed =
        command.json ? 0 : print_diagnostics(workspace.diagnostics, workspace.sources, 0, command.quiet);
    // Beside the run, unless that would take much of the memory that the run may need.
    const bool to_keep = cache && translated.lasting && cache->takes(workspace, *program);
    const auto keep = [&] {
        cache->store(question, workspace, of_translation, *translated.translation,
                     translated.made_of ? &*translated.made_of : nullptr);
    };
    std::future<void> keeping;
    if (to_keep && program->partition->model.variables.size() <= most_kept_beside)
        keeping = std::async(keep);  // without a thread, at the end

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
    FileSink sink(std::move(writer), wanted, options->stop);

    SimulateOptions run = *options;
    run.translate_mode = translate_mode;
    run.given = translated.translation->given;
    run.given_starts = translated.translation->given_starts;
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
    end_external_systems(workspace.classes);
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
                    {"cache", cache_json(with_units(translated.found, engine.get()))},
                    {"result", output}};
        out["errors"] = diagnostics_json(workspace.diagnostics, workspace.sources, Severity::Error);
        out["warnings"] = diagnostics_json(workspace.diagnostics, workspace.sources, Severity::Warning);
        out["notes"] = diagnostics_json(workspace.diagnostics, workspace.sources, Severity::Note);
        if (kept_end) out["checkpoint"] = command.checkpoint;
        fmt::print("{}\n", out.dump(2));
    } else {
        print_diagnostics(workspace.diagnostics, workspace.sources, printed, command.quiet);
        if (!wanted.empty() && summary.rows > 1)
            print_curves(sink.kept, wanted, program->partition->model.name);
        if (command.statistics) print_statistics(summary);
        if (command.profile) {
            print_profile(profile());
            print_cache(with_units(translated.found, engine.get()));
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
              if (keeping.valid())
                  keeping.wait();
              else if (to_keep && limit.empty() && summary.outcome != RunOutcome::Interrupted)
                  keep();
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

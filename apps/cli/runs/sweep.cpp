// cutset sweep: one model, many sets of parameters, on all cores.
#include "operations/ensembles/sweep.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iterator>
#include <thread>

#include "base/internal_error.h"
#include "base/json.h"
#include "base/version.h"
#include "commands.h"
#include "operations/ensembles/content_hash.h"
#include "output/console.h"
#include "output/curves.h"
#include "output/json_output.h"
#include "run/result_choice.h"
#include "runs/output_choice.h"
#include "runs/profile.h"
#include "runs/run_options.h"
#include "translate/places_json.h"

namespace cutset::cli {

namespace {

struct SweepCommand : RunOptions {
    std::vector<std::string> vary;
    std::string cases;
    std::string output;                                     // directory
    std::optional<double> jobs;                             // threads; else one per core
    std::vector<std::string> final_values, minima, maxima;  // columns of the table
    std::string format;                                     // csv, mat or npz; empty: csv
    ResultChoice choice;                                    // of the columns written
    bool no_results = false;                                // the table only
    bool overwrite = false;
    bool profile = false;
};

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point began) {
    return std::chrono::duration<double>(Clock::now() - began).count();
}

// Files that the model names: data of tables, and libraries of external functions.
void add_files(ContentHash& h, const FlatModel& model) {
    for (const Callee& callee : model.callees) {
        if (const auto* table = std::get_if<TableData>(&callee)) {
            h.add(table->x);
            h.add(table->y);
            h.add(table->values);
        } else if (const auto& external = std::get<FunctionData>(callee).external) {
            std::ifstream file(external->library, std::ios::binary);
            h.add(std::string(std::istreambuf_iterator<char>(file), {}));
        }
    }
    if (!model.reads_files) return;
    for (const Variable& v : model.variables)  // numbers read by functions
        if (v.binding && v.binding->is_number()) h.add(v.binding->number);
}

// What the results depend on, values aside.
std::string content_hash(const SweepCommand& o, const Workspace& workspace, const FlatModel& model,
                         const Experiment& experiment, const CaseList& list,
                         const std::vector<SweepColumn>& columns) {
    std::vector<std::string> titles;
    for (const SweepColumn& c : columns) titles.push_back(c.title());
    ContentHash h;
    h.add(std::string_view("cutset sweep 1"));
    h.add(std::string_view(version()));
    for (const SourceId file : workspace.text.looked().files) h.add(workspace.text.sources().text(file));
    add_files(h, model);
    h.add(o.model);
    for (const auto* texts : {&o.set, &o.init, &o.input, &o.known, &o.unknown, &o.tear, &o.realization})
        h.add(*texts);
    for (const Experiment::InputFile& f : experiment.input_files) {
        h.add(f.path);
        h.add(f.table.x);
        h.add(f.table.values);
    }
    for (const Experiment::Known& k : experiment.knowns) {
        h.add(k.path);
        if (k.table) {
            h.add(k.table->x);
            h.add(k.table->values);
        }
    }
    h.add(o.choice.variables);
    h.add(o.choice.constants_in_rows ? 1.0 : 0.0);
    h.add(word_of(o.initial));
    for (const auto& value : {o.start, o.stop, o.step, o.tolerance, o.absolute, o.points, o.step_size,
                              o.max_step, o.local_tolerance})
        h.add(value);
    const std::string step_control = !o.step_control                            ? ""
                                     : *o.step_control == StepControl::Standard ? "standard"
                                                                                : "pi";
    for (const std::string& text : {o.solver, step_control, o.format}) h.add(text);
    for (bool flag : {o.every_step, o.states, o.strict, o.allow_external, o.no_results}) h.number(flag);
    h.add(list.names);
    h.add(titles);
    return h.text();
}

// The columns of the table; names that the model does not have are reported.
std::vector<SweepColumn> sweep_columns(const SweepCommand& command, const Partition& partition,
                                       Diagnostics& diagnostics) {
    const std::vector<std::string> paths = variable_paths(partition);
    std::vector<SweepColumn> columns;
    const auto add = [&](const std::vector<std::string>& names, SweepColumn::Kind kind, const char* option) {
        for (const std::string& name : names) {
            if (name != "time" && std::find(paths.begin(), paths.end(), name) == paths.end())
                diagnostics.report(bad_option(fmt::format("{}: the model has no variable {}", option, name),
                                              suggestion(name, paths)));
            columns.push_back({kind, name});
        }
    };
    if (command.final_values.empty()) columns = default_sweep_columns(partition);
    add(command.final_values, SweepColumn::Kind::Final, "--final");
    add(command.minima, SweepColumn::Kind::Minimum, "--min");
    add(command.maxima, SweepColumn::Kind::Maximum, "--max");
    return columns;
}

// A bar on standard error, from half a second on.
class SweepBar {
  public:
    ~SweepBar() {
        if (!shown_) return;
        fmt::print(stderr, "\r\033[K");
        std::fflush(stderr);
    }
    void show(std::size_t n, std::size_t all) {
        const double seconds = seconds_since(started_);
        if (seconds < 0.5) return;
        shown_ = true;
        const double rate = double(n) / seconds;
        const int width = 30, filled = all ? static_cast<int>(double(n) / double(all) * width) : width;
        std::string bar;
        for (int i = 0; i < width; ++i) bar += i < filled ? "█" : "░";
        fmt::print(stderr, "\r{} {} of {}  {:.3g}/s  about {:.0f} s left \033[K", bar, n, all, rate,
                   rate > 0 ? double(all - n) / rate : 0);
        std::fflush(stderr);
    }

  private:
    Clock::time_point started_ = Clock::now();
    bool shown_ = false;
};

void print_messages(const SweepResult& result, const Sources& sources, bool quiet) {
    constexpr std::size_t most_shown = 5;
    std::vector<const SweepMessage*> told;
    for (const SweepMessage& m : result.messages)
        if (!quiet || m.diagnostic.severity == Severity::Error) told.push_back(&m);
    for (std::size_t i = 0; i < told.size(); ++i) {
        if (i == most_shown) {
            fmt::print(stderr, "and {} more kinds of messages; {} has the message of each case that failed\n",
                       told.size() - most_shown, result.table);
            break;
        }
        std::string text = render(told[i]->diagnostic, sources, colour_on(stderr));
        while (!text.empty() && text.back() == '\n') text.pop_back();
        fmt::print(stderr, "{}\n  in {} of {} cases, the first is case {}\n", text, told[i]->cases,
                   result.cases.size(), told[i]->first + 1);
    }
}

// What a sweep was made of, for its table of times.
struct SweepTimes {
    std::vector<ProfileLine> profile;
    double elapsed = 0;
    std::size_t jobs = 0, translations = 0;
};

// The sums over all cases and threads: the total is the time of the threads, and of what stands before and
// after them.
SweepTimes times_of(const SweepResult& result, const Ensemble& ensemble, const Workspace& workspace,
                    std::size_t jobs, double elapsed) {
    const Ensemble::Times translating = ensemble.times();
    ProfileTimes times;
    times.runs = result.totals;
    times.translation = translating.stages;
    times.translation.parse = workspace.times.parse;
    times.machine_code = translating.machine_code;
    times.beside = translating.beside;
    times.total = result.thread_seconds + elapsed - result.seconds;
    return {profile_lines(times), elapsed, jobs, ensemble.translations()};
}

Json sweep_json(const SweepResult& result, const CaseList& list, const std::string& model,
                const SweepTimes& times) {
    Json failures = Json::array();
    for (std::size_t i = 0; i < result.cases.size(); ++i)
        if (const auto& c = result.cases[i]; c && c->outcome == RunOutcome::Failed)
            failures.push_back({{"case", i + 1}, {"values", list.cases[i]}, {"message", c->message}});
    Json sums = profile_json(times.profile);
    sums["elapsed"] = times.elapsed;
    return {{"model", model},
            {"cases", list.cases.size()},
            {"complete", result.complete()},
            {"run", result.run},
            {"skipped", result.skipped},
            {"failed", result.failed()},
            {"failures", std::move(failures)},
            {"interrupted", was_interrupted()},
            {"jobs", times.jobs},
            {"seconds", result.seconds},
            {"translations", times.translations},
            {"profile", std::move(sums)},
            {"table", result.table}};
}

void print_times(const SweepResult& result, const SweepTimes& times) {
    print_profile(times.profile, std::max<std::size_t>(result.run, 1));
    fmt::print(stderr, "  sums of {} case{}, {} translation{}, {} at the same time; {:.3f} ms elapsed\n",
               result.run, result.run == 1 ? "" : "s", times.translations, times.translations == 1 ? "" : "s",
               times.jobs, 1e3 * times.elapsed);
}

void print_summary(const SweepResult& result, const std::string& model) {
    const std::size_t all = result.cases.size(), failed = result.failed();
    fmt::print("{}: {} of {} cases complete in {}", model, result.complete(), all, result.table);
    if (result.skipped) fmt::print(", {} of them from before", result.skipped);
    if (failed) fmt::print("; {} failed", failed);
    if (result.complete() < all) fmt::print("; the same command again goes on from here");
    fmt::print("\n");
}

std::string without_spaces(const std::string& text) {
    std::string result;
    for (char c : text)
        if (c != ' ') result += c;
    return result;
}

// The command with what it varies and where its cases are translated; each step reports its mistakes.
class SweepRun {
  public:
    explicit SweepRun(const SweepCommand& given) : command_(given), diagnostics_(workspace_.diagnostics) {}

    int run() {
        if (!check_options()) return wrong_usage();
        auto experiment = open_model(command_, workspace_);
        if (!experiment || !apply_experiment_line(workspace_.text, command_, diagnostics_))
            return finish(workspace_, command_);
        if (!overrule(*experiment)) return wrong_usage();
        const auto options = experiment_options(command_, diagnostics_);
        if (!options) return wrong_usage();
        SimulateOptions run = *options;
        run.measure_times = command_.profile || command_.json;
        Ensemble ensemble(workspace_, command_.model, *experiment,
                          transform_options(command_, workspace_.text), run, command_.engine,
                          list_.quantities);
        const auto partition = first_partition(ensemble);
        if (!partition) return finish(workspace_, command_);
        const std::vector<SweepColumn> columns = sweep_columns(command_, *partition, diagnostics_);
        known_choice(command_.choice, *partition, diagnostics_);
        if (diagnostics_.has_errors()) return wrong_usage();
        printed_ =
            command_.json ? 0 : print_diagnostics(diagnostics_, workspace_.text.sources(), 0, command_.quiet);
        SweepSettings settings = settings_of(partition->model, *experiment, columns);
        settings.interrupt = run.interrupt;
        const auto result = run_cases(ensemble, settings);
        if (!result) return wrong_usage();
        if (const std::string limit = limit_exceeded(); !limit.empty())
            diagnostics_.report(
                bad_option(limit, "what is complete is kept; the same command again goes on from there"));
        print(*result, partition->model.name,
              times_of(*result, ensemble, workspace_, settings.jobs, seconds_since(began_)));
        if (was_interrupted() && limit_exceeded().empty() && result->complete() < list_.cases.size())
            return 130;
        return diagnostics_.has_errors() || result->failed() ? 1 : 0;
    }

  private:
    int wrong_usage() {
        finish(workspace_, command_, printed_);
        return 2;
    }
    bool fail(Diagnostic d) {
        diagnostics_.report(std::move(d));
        return false;
    }

    bool check_options() {
        if (command_.vary.empty() == command_.cases.empty())
            return fail(bad_option("say what to vary: either --vary NAME=FROM:TO:COUNT or --cases FILE.csv",
                                   "for example cutset sweep motor.dym --vary J=0.01:0.1:10 -o out"));
        if (command_.output.empty()) return fail(bad_option("say where the results go: -o DIRECTORY"));
        const auto& jobs = command_.jobs;
        if (jobs && !(*jobs >= 1 && *jobs <= 4096 && *jobs == std::floor(*jobs)))
            return fail(bad_option("--jobs must be a whole number from 1 to 4096"));
        return command_.cases.empty() ? add_variations(command_.vary, list_, diagnostics_)
                                      : read_cases(command_.cases, list_, diagnostics_);
    }

    // What is varied overrules the file's experiment line; on the command line it may stand once only.
    bool overrule(Experiment& experiment) {
        for (std::size_t i = 0; i < list_.quantities.size(); ++i) {
            const VariedQuantity& q = list_.quantities[i];
            for (const std::string& text : q.initial ? command_.init : command_.set)
                if (without_spaces(text.substr(0, text.find('='))) == q.path)
                    return fail(bad_option(fmt::format("{} is varied, and {} gives it a value too",
                                                       list_.names[i], q.initial ? "--init" : "--set")));
            std::erase_if(q.initial ? experiment.initials : experiment.parameters,
                          [&](const Experiment::Setting& s) { return without_spaces(s.path) == q.path; });
        }
        experiment.set_option = experiment.init_option = command_.cases.empty() ? "--vary" : "--cases:";
        return true;
    }

    // A case that can be translated says which variables there are; a wrong name fails in all cases.
    std::shared_ptr<const Partition> first_partition(Ensemble& ensemble) {
        Diagnostics first;
        for (std::size_t i : {std::size_t(0), list_.cases.size() - 1, list_.cases.size() / 2}) {
            std::shared_ptr<const Partition> partition;
            Diagnostics tried;
            try {
                partition = ensemble.partition(list_.cases[i], tried);
            } catch (...) {  // one case may be a bug of ours
                tried.report(failure_diagnostic(current_failure()));
            }
            if (partition) return partition;
            if (i == 0) first = tried;
        }
        for (const Diagnostic& d : first.all()) diagnostics_.report(d);
        return nullptr;
    }

    SweepSettings settings_of(const FlatModel& model, const Experiment& experiment,
                              const std::vector<SweepColumn>& columns) {
        SweepSettings settings;
        settings.directory = command_.output;
        settings.columns = columns;
        if (!command_.format.empty()) settings.format = command_.format;
        settings.choice = command_.choice;
        settings.keep_results = !command_.no_results;
        settings.overwrite = command_.overwrite;
        settings.jobs = command_.jobs ? static_cast<std::size_t>(*command_.jobs)
                                      : std::max(1u, std::thread::hardware_concurrency());
        settings.content = content_hash(command_, workspace_, model, experiment, list_, columns);
        return settings;
    }

    // With a bar of progress on a terminal, until Ctrl-C.
    std::optional<SweepResult> run_cases(Ensemble& ensemble, SweepSettings& settings) {
        std::optional<SweepBar> bar;
        if (!command_.quiet && !command_.json && isatty(STDERR_FILENO)) {
            bar.emplace();
            settings.progress = [&](std::size_t n, std::size_t all) { bar->show(n, all); };
        }
        catch_interrupt();
        set_stage("the sweep", true);
        auto result = cutset::sweep(ensemble, list_, settings, diagnostics_);
        release_interrupt();
        return result;
    }

    void print(const SweepResult& result, const std::string& model, const SweepTimes& times) {
        if (command_.json) {
            Json out = sweep_json(result, list_, model, times);
            out["errors"] = diagnostics_json(diagnostics_, {workspace_.text.sources()}, Severity::Error);
            print_json(out);
            return;
        }
        print_diagnostics(diagnostics_, workspace_.text.sources(), printed_, command_.quiet);
        print_messages(result, workspace_.text.sources(), command_.quiet);
        if (command_.profile) print_times(result, times);
        if (!command_.quiet) print_summary(result, model);
    }

    const Clock::time_point began_ = Clock::now();
    SweepCommand command_;
    Workspace workspace_;
    Diagnostics& diagnostics_;
    CaseList list_;
    std::size_t printed_ = 0;  // messages
};

int sweep(const SweepCommand& given) {
    return SweepRun(given).run();
}

}  // namespace

void add_sweep(CommandLine& line) {
    auto o = std::make_shared<SweepCommand>();
    Command& c = line.add("sweep", groups::runs, "run a model for many values of parameters, on all cores",
                          [o] { return sweep(*o); });
    add_model_options(c, *o);
    c.option("--vary", o->vary,
             "values of a parameter, or of an initial value x(0): NAME=FROM:TO:COUNT evenly spaced, "
             "NAME=log:FROM:TO:COUNT evenly spaced on a logarithmic scale, or NAME=V1,V2,V3; several "
             "--vary make all combinations");
    c.option("--cases", o->cases,
             "a .csv file: its first line names parameters and initial values x(0), each further line is a "
             "case");
    c.option("-o,--output", o->output,
             "directory for the results: cases.csv has one row per case, case_0001.csv … the curves");
    c.option("--jobs", o->jobs, "cases at the same time (one per core)");
    c.list("--final", o->final_values,
           "variables whose values at the end stand in cases.csv: v1,v2 (states and outputs)");
    c.list("--min", o->minima, "variables whose smallest value stands in cases.csv: v1,v2");
    c.list("--max", o->maxima, "variables whose largest value stands in cases.csv: v1,v2");
    c.choice("--format", o->format, {"csv", "mat", "npz"},
             "of the result of each case: csv, mat or npz (csv)");
    add_output_choice(c, o->choice);
    c.flag("--no-results", o->no_results, "write cases.csv only");
    c.flag("--overwrite", o->overwrite, "replace another sweep in the same directory");
    c.flag("--profile", o->profile, "where the time went: sums over the cases, and the mean of a case");
    add_run_options(c, *o);
    c.footer(
        "Examples:\n"
        "  cutset sweep motor.dym --vary motor.J=0.01:0.1:100 -o out\n"
        "  cutset sweep motor.dym --vary motor.J=log:1e-3:1:7 --vary \"motor.omega(0)=0,10\" --max motor.I "
        "-o out\n"
        "  cutset sweep motor.dym --cases cases.csv --no-results --final motor.omega -o out\n"
        "A case is what `cutset simulate --set NAME=VALUE` computes, to the last digit. Ctrl-C stops; the "
        "same "
        "command\n"
        "again runs the cases that are left. A case that fails is noted in cases.csv with its message.\n"
        "Exit status: 0 all cases done, 1 some failed, 2 wrong options, 130 interrupted.");
}

}  // namespace cutset::cli

#include "operations/simulation/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/bad_option.h"
#include "base/message_parts.h"
#include "base/stopwatch.h"
#include "ir/find_variables.h"
#include "native/code_store.h"
#include "native/messages.h"
#include "operations/simulation/going_on.h"
#include "operations/simulation/result_sink.h"
#include "operations/simulation/start_guesses.h"
#include "results/output_file.h"
#include "run/result_choice.h"
#include "run/result_columns.h"
#include "translate/external_system.h"
#include "translate/translator.h"

namespace cutset {

namespace {

Diagnostic cannot_write(std::string problem) {
    return with_concern(bad_option(std::move(problem)), Concern::ResultFile);
}

// The first states, or the outputs, or what else moves.
std::vector<std::string> proposed_curves(const Partition& partition) {
    std::vector<std::string> names;
    const std::vector<bool> without = without_values(partition);
    auto add = [&](VariableIndex v) {
        if (names.size() < 4 && !without[v.value]) names.push_back(partition.model.path(v));
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

// One simulation on its way; `run` is the whole of it.
class Simulation {
  public:
    Simulation(SimulationRequest request, Workspace& workspace, SimulationListener& listener)
        : request_(std::move(request)),
          workspace_(workspace),
          diagnostics_(workspace.diagnostics),
          listener_(listener),
          translator_(workspace) {}

    std::optional<SimulationResult> run() {
        if (!read_checkpoint() || !check_checkpoints() || !translate()) return std::nullopt;
        listener_.translated();
        if (!open_files() || !find_beginning()) return std::nullopt;
        start_engine();
        listener_.begins(options_.start, options_.stop);
        simulate();
        end_external_systems(workspace_.text.classes());
        listener_.ended();
        close_files();
        report_unknown_curves();
        return std::move(result_);
    }

  private:
    bool fail(Diagnostic d) {
        diagnostics_.report(std::move(d));
        return false;
    }
    const Program& program() const { return *result_.translation.program; }

    bool read_checkpoint() {
        asked_curves_ = !request_.plot.empty();
        if (request_.from.empty()) return true;
        beginning_ = read_beginning(request_.from, request_, diagnostics_);
        return beginning_.has_value();
    }

    bool check_checkpoints() {
        if (request_.every && !(*request_.every >= 0))
            return fail(bad_option("--every must be a number of seconds", "for example --every 60"));
        if ((request_.every || request_.pause) && request_.checkpoint.empty())
            return fail(bad_option(std::string(request_.every ? "--every" : "--pause") +
                                       " does not say where the run is to be kept",
                                   "add --checkpoint FILE"));
        if (request_.checkpoint.empty()) return true;
        OutputFile place;  // now, not after a long run
        if (const Problem problem = place.open(request_.checkpoint)) return fail(cannot_write(*problem));
        place.close(false);
        return true;
    }

    bool translate() {
        settings_ = request_;
        auto experiment = translator_.open(workspace_, request_, TranslationCache::open());
        listener_.opened();
        if (!experiment || !read_options()) return false;
        TranslationQuestion question;
        question.model = request_.model;
        question.experiment = std::move(*experiment);
        question.transform = transform_options(request_, workspace_.text);
        question.jacobian = jacobian_for(options_.solver);
        question.run = &options_;
        auto translation = translator_.translate(question, diagnostics_);
        if (!translation) return false;
        result_.translation = std::move(*translation);
        result_.translation_store = translator_.keep(workspace_, result_.translation);
        return true;
    }

    bool read_options() {
        if (!apply_experiment_line(workspace_.text, request_, diagnostics_)) return false;
        if (beginning_ && request_.stop && *request_.stop <= beginning_->file.point.time)
            return fail(
                bad_option(fmt::format("the checkpoint stands at time {}; the run cannot go on to {}",
                                       beginning_->file.point.time, *request_.stop),
                           fmt::format("say how far to go on: --stop {}", beginning_->file.point.time + 10)));
        auto options = simulate_options(request_, diagnostics_);
        if (!options) return false;
        options_ = std::move(*options);
        options_.interrupt = request_.interrupt;
        return true;
    }

    bool open_files() {
        result_.output = request_.output.empty() ? result_.model().name + ".csv" : request_.output;
        if (!known_choice(request_.choice, *program().partition, diagnostics_)) return false;
        Problem problem;
        auto writer = make_writer(result_.output, request_.choice, problem);
        if (!writer) return fail(cannot_write(*problem));
        result_.curves = request_.plot;
        if (!asked_curves_ && !request_.propose_curves) result_.curves.clear();
        if (result_.curves.empty() && request_.propose_curves)
            result_.curves = proposed_curves(*program().partition);
        sink_.emplace(std::move(writer), result_.curves, options_.stop);
        if (request_.steps.empty()) return true;
        if (const auto trouble = steps_.open(request_.steps)) return fail(cannot_write(*trouble));
        options_.tried_step = [this](const TriedStep& s) { steps_.write(s); };
        return true;
    }

    bool find_beginning() {
        result_.translation.prepare(options_);
        if (!request_.guesses.empty()) {
            options_.guesses = read_guesses(request_.guesses, result_.model(), diagnostics_);
            if (options_.guesses.empty()) return false;
        }
        if (request_.explain_start && !beginning_) options_.start_report = &result_.start.emplace();
        if (!beginning_) return true;
        from_ = place_beginning(request_.from, *beginning_, program(), options_, diagnostics_);
        return from_.has_value();
    }

    void start_engine() {
        std::string problem;
        {
            const Stopwatch watch(&result_.engine_seconds);
            result_.engine = NativeEngine::make(program(), request_.engine, problem, CodeStore::open());
        }
        if (!problem.empty()) diagnostics_.report(native_messages::no_machine_code(problem));
        options_.machine_code = result_.engine;
        sink_->clock.set_engine(result_.engine.get());
    }

    void simulate() {
        options_.measure_times = request_.measure_times;
        options_.keep_point = !request_.checkpoint.empty();
        options_.pause = request_.pause;
        options_.progress = [this](double t) { listener_.progress(t); };
        if (request_.every) {
            checkpoints_ = CheckpointClock(*request_.every);
            options_.checkpoint_due = [this] { return checkpoints_.due(); };
            options_.checkpoint = [this](const RunPoint& point) {
                checkpoints_.wrote(write_end(request_.checkpoint, point, program(), settings_));
            };
        }
        result_.summary = from_ ? simulate_from(program(), options_, *from_, *sink_, diagnostics_, end_)
                          : options_.keep_point
                              ? cutset::simulate(program(), options_, *sink_, diagnostics_, end_)
                              : cutset::simulate(program(), options_, *sink_, diagnostics_);
        result_.paused = request_.pause && result_.summary.outcome == RunOutcome::Interrupted &&
                         !(request_.interrupt && *request_.interrupt);
    }

    void close_files() {
        const auto& reported = diagnostics_.all();
        const bool known = !reported.empty() && reported.back().concern == Concern::ResultFile;
        if (const auto trouble = sink_->finish(); trouble && !known)
            diagnostics_.report(cannot_write(*trouble));
        result_.processor_seconds = sink_->clock.seconds();
        result_.kept = std::move(sink_->kept);
        if (checkpoints_.problem()) diagnostics_.report(cannot_write(*checkpoints_.problem()));
        result_.checkpoint_written = options_.keep_point && end_;
        if (result_.checkpoint_written)
            if (const auto trouble = write_end(request_.checkpoint, *end_, program(), settings_))
                diagnostics_.report(cannot_write(*trouble));
        if (const auto trouble = steps_.finish()) diagnostics_.report(cannot_write(*trouble));
    }

    void report_unknown_curves() {
        if (sink_->unknown().empty()) return;
        const std::vector<std::string> paths = variable_paths(result_.model());
        for (const std::string& name : sink_->unknown()) {
            if (options_.states_only && std::find(paths.begin(), paths.end(), name) != paths.end()) {
                // The file may ask for curves that a run of the states alone does not have.
                if (asked_curves_)
                    diagnostics_.report(
                        bad_option("--plot: " + name + " is no state, and --states keeps nothing else",
                                   "leave out --states to have all variables"));
                continue;
            }
            const bool without = std::find(paths.begin(), paths.end(), name) != paths.end();
            diagnostics_.report(
                without ? bad_option("--plot: " + name + " occurs in no equation: it has no values")
                        : bad_option("--plot: the result has no variable " + name,
                                     did_you_mean(nearest_name(name, paths))));
        }
    }

    SimulationRequest request_, settings_;  // with what the file and the checkpoint propose; without the file
    Workspace& workspace_;
    Diagnostics& diagnostics_;
    SimulationListener& listener_;
    Translator translator_;
    bool asked_curves_ = false;
    std::optional<Beginning> beginning_;
    SimulateOptions options_;
    SimulationResult result_;
    std::optional<ResultSink> sink_;
    StepsFile steps_;
    CheckpointClock checkpoints_{0};
    std::optional<RunPoint> from_, end_;
};

}  // namespace

CompiledUnits SimulationResult::units() const {
    if (!engine) return {};
    const NativeStatistics n = engine->statistics();
    return {n.units_compiled, n.units_found, n.found_bytes};
}

void SimulationResult::keep(bool stopped) {
    translation_store.finish(stopped);
    if (engine) engine->keep();
}

std::optional<SimulationResult> run_simulation(SimulationRequest request, Workspace& workspace,
                                               SimulationListener& listener) {
    return Simulation(std::move(request), workspace, listener).run();
}

}  // namespace cutset

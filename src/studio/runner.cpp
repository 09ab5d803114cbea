#include "studio/runner.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/internal_error.h"
#include "live/live_checkpoint.h"
#include "live/live_translation.h"
#include "studio/analysis.h"
#include "studio/messages.h"
#include "translate/open_inputs.h"

namespace cutset::studio {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto between_states = std::chrono::milliseconds(100);
constexpr auto between_checkpoints = std::chrono::seconds(2);
constexpr std::size_t most_result_bytes = std::size_t(2) << 30;  // in memory, of all runs of a model

}  // namespace

// Rows between two interruptions.
class Runner::Segment : public RowSink {
  public:
    Segment(Runner& runner, StudioRun& run, bool continues)
        : runner_(runner), run_(run), skip_first_(continues && !runner.touched_), continues_(continues) {}

    std::optional<std::string> begin(const Columns& columns) override {
        const std::lock_guard lock(run_.lock);
        if (!continues_ || !run_.rows) {
            run_.rows = std::make_shared<ResultStore>(columns, runner_.folder_);
            skip_first_ = false;
        } else if (!run_.rows->go_on(columns)) {
            return "the columns of the model are others now: branch at a checkpoint";
        }
        rows = run_.rows;
        if (skip_first_)  // where it stood is no output point
            for (; runner_.extra_rows_ > 0; --runner_.extra_rows_) rows->drop_last();
        runner_.extra_rows_ = 0;
        return std::nullopt;
    }

    std::optional<std::string> row(std::span<const double> values) override {
        if (std::exchange(skip_first_, false)) return std::nullopt;
        rows->append(values);
        ++since_step;
        keep_pace(values[0]);
        return std::nullopt;
    }

    // A step is done, its rows are written.
    void stepped(double time) {
        since_step = 0;
        ended_step = true;
        keep_pace(time);
        const Clock::time_point now = Clock::now();
        if (now - told_ < between_states) return;
        told_ = now;
        {
            const std::lock_guard lock(run_.lock);
            run_.time = time;
        }
        if (runner_.runs_.bytes_in_memory() > most_result_bytes) runner_.interrupt_ = true;
        runner_.tell();
    }

    std::shared_ptr<ResultStore> rows;
    std::size_t since_step = 0;  // rows after the last step that was done
    bool ended_step = false;

  private:
    // Waits until it is time, unless something else is to be done.
    void keep_pace(double time) {
        std::unique_lock lock(runner_.mutex_);
        if (!runner_.pace_) {
            paced_ = 0;
            return;
        }
        if (paced_ != *runner_.pace_) {
            paced_ = *runner_.pace_;
            began_ = Clock::now();
            from_ = time;
        }
        const auto due = began_ + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>((time - from_) / paced_));
        runner_.wake_.wait_until(
            lock, due, [&] { return runner_.interrupt_.load() || runner_.pace_ != std::optional(paced_); });
    }

    Runner& runner_;
    StudioRun& run_;
    bool skip_first_, continues_;
    Clock::time_point told_ = Clock::now();
    double paced_ = 0, from_ = 0;
    Clock::time_point began_;
};

Runner::Runner(const ModelTexts& texts, RunnerListener& listener, std::string folder)
    : texts_(texts),
      listener_(listener),
      folder_(std::move(folder)),
      console_(std::make_unique<Console>(
          texts, [this](Json event) { listener_.event(std::move(event)); }, folder_)),
      thread_([this] { work(); }) {}

Runner::~Runner() {
    {
        const std::lock_guard lock(mutex_);
        ends_ = true;
        interrupt_ = true;
    }
    wake_.notify_all();
    thread_.join();
}

void Runner::post(std::function<void()> job) {
    {
        const std::lock_guard lock(mutex_);
        jobs_.push_back(std::move(job));
        interrupt_ = true;
    }
    wake_.notify_all();
}

void Runner::work() {
    while (true) {
        std::function<void()> job;
        {
            std::unique_lock lock(mutex_);
            wake_.wait(lock, [&] { return ends_ || going_ || !jobs_.empty(); });
            if (ends_) return;
            if (!jobs_.empty()) {
                job = std::move(jobs_.front());
                jobs_.pop_front();
            }
            if (jobs_.empty()) interrupt_ = false;
        }
        if (job)
            job();
        else
            integrate();
    }
}

// ---- the model

RunRequest Runner::effective_settings(Diagnostics& diagnostics) {
    RunRequest request = wishes_;
    if (workspace_) apply_experiment_line(workspace_->text, request, diagnostics);
    return request;
}

bool Runner::apply_changes(Diagnostics& diagnostics) {
    for (const char* const kind : {"parameters", "initials"}) {
        const bool parameters = std::string_view(kind) == "parameters";
        Json good = Json::object();
        for (const auto& [path, value] : changes_[kind].items()) {
            const double number = value.get<double>();
            if (parameters ? live_->set_parameter(path, number, diagnostics)
                           : live_->set_initial(path, number, diagnostics))
                good[path] = value;
        }
        changes_[kind] = std::move(good);
    }
    return !diagnostics.has_errors();
}

// The model of the texts as they are, or were when the run that stands was made.
bool Runner::make_model(Diagnostics& diagnostics, bool renew) {
    const std::uint64_t now = texts_.generation();
    if (live_ && !(renew && (generation_ != now || stale_))) return true;
    live_ = nullptr;
    workspace_ = std::make_shared<Workspace>();
    generation_ = now;
    stale_ = false;
    begun_ = going_ = false;
    ModelRequest request = texts_.request();
    for (const auto& [path, text] : changes_["inputs"].items())
        request.input.push_back(path + "=" + text.get<std::string>());
    if (auto experiment = open_model(request, *workspace_)) {
        Diagnostics own;
        const RunRequest run = effective_settings(own);
        if (const auto options = simulate_options(run, own)) {
            LiveModel::Settings settings;
            settings.model = request.model;
            settings.experiment = std::move(*experiment);
            settings.transform = transform_options(request, workspace_->text);
            settings.run = *options;
            live_ = LiveModel::make(*workspace_, std::move(settings));
        }
        for (const Diagnostic& d : own.all()) workspace_->diagnostics.report(d);
    }
    diagnostics.add(workspace_->diagnostics);
    if (!live_) return false;
    Diagnostics lost;  // values of names that are no more
    apply_changes(lost);
    return true;
}

LiveModel* Runner::model(Diagnostics& diagnostics) {
    return make_model(diagnostics, !going_ && !stands()) ? live_.get() : nullptr;
}

bool Runner::stands() const {
    const auto active = runs_.run(std::nullopt);
    if (!active) return false;
    const std::lock_guard lock(active->lock);
    return active->state == RunState::Paused;
}

Answer Runner::failure(const char* what, const Diagnostics& diagnostics) {
    std::string message = what;
    for (const Diagnostic& d : diagnostics.all())
        if (d.severity == Severity::Error) {
            message = d.message;
            break;
        }
    return messages::failed(message, all_diagnostics(diagnostics, texts_.places(workspace_->text.sources())));
}

// ---- runs

std::shared_ptr<StudioRun> Runner::add_run(std::string label) {
    auto run = std::make_shared<StudioRun>();
    run->label = std::move(label);
    run->start = run->time = options_.start;
    run->stop = options_.stop;
    run->changes = changes_;
    runs_.add(run);
    return run;
}

void Runner::tell() {
    const std::shared_ptr<StudioRun> run = runs_.run(std::nullopt);
    if (!run) return;
    std::optional<double> pace;
    {
        const std::lock_guard lock(mutex_);
        pace = pace_;
    }
    Json event = run_json(*run);
    event["event"] = "run.state";
    event["pace"] = pace ? Json(*pace) : Json();
    listener_.event(std::move(event));
}

void Runner::enter(RunState state) {
    const std::shared_ptr<StudioRun> active = runs_.run(std::nullopt);
    if (!active) return;
    {
        const std::lock_guard lock(active->lock);
        active->state = state;
        if (live_ && begun_) active->time = live_->time();
    }
    going_ = state == RunState::Running;
    tell();
    if (!going_) keep_state();
}

void Runner::integrate() {
    const std::shared_ptr<StudioRun> run = runs_.run(std::nullopt);
    const bool continues = begun_;
    Segment segment(*this, *run, continues);
    SimulateOptions options = options_;
    options.interrupt = &interrupt_;
    options.pause = until_;
    options.progress = [&](double time) { segment.stepped(time); };
    event_came_ = false;
    EventWatch watch(run->events, texts_.places(workspace_->text.sources()), [this] {
        if (!after_event_) return;
        event_came_ = true;
        interrupt_ = true;
    });
    options.observer = &watch;
    Clock::time_point kept = Clock::now();
    options.checkpoint_due = [&] { return Clock::now() - kept >= between_checkpoints; };
    options.checkpoint = [&](const RunPoint& point) {
        write_checkpoint(*live_->checkpoint(point));
        kept = Clock::now();
    };
    Diagnostics reported;
    RunSummary summary;
    try {
        summary =
            continues ? live_->go_on(options, segment, reported) : live_->run(options, segment, reported);
    } catch (...) {
        reported.report(failure_diagnostic(current_failure()));
    }
    const bool retry = !live_->started() && interrupt_ && !segment.rows;
    begun_ = live_->started();
    touched_ = false;
    extra_rows_ = segment.ended_step || continues ? segment.since_step : 0;
    if (!retry) {
        const Json told = all_diagnostics(reported, texts_.places(workspace_->text.sources()));
        const std::lock_guard lock(run->lock);
        for (const Json& one : told) run->diagnostics.push_back(one);
        run->time = summary.time;
    }
    judge(summary, retry);
}

void Runner::judge(const RunSummary& summary, bool retry) {
    const bool full = runs_.bytes_in_memory() > most_result_bytes;
    if (retry) return;  // it was interrupted before it began
    switch (summary.outcome) {
        case RunOutcome::Finished:
            return enter(RunState::Finished);
        case RunOutcome::Terminated:
            return enter(RunState::Terminated);
        case RunOutcome::Failed:
            return enter(RunState::Failed);
        case RunOutcome::Interrupted:
            break;
    }
    if ((until_ && live_->time() >= *until_) || (after_event_ && event_came_) || full) {
        until_.reset();
        after_event_ = false;
        if (full) {
            const std::shared_ptr<StudioRun> run = runs_.run(std::nullopt);
            const std::lock_guard lock(run->lock);
            run->diagnostics.push_back(
                {{"severity", "warning"},
                 {"code", "results-large"},
                 {"message",
                  "the run stands still: the rows of all runs take more than 2 GB of memory, and the "
                  "disk has no room for more"},
                 {"help", "drop other runs, or choose fewer output points"}});
        }
        enter(RunState::Paused);
    }
}

// ---- what survives a death of this process

void Runner::write_checkpoint(const Checkpoint& point) {
    has_file_ = !live_->save(point, folder_ + "/run.json");
    keep_state();
}

void Runner::keep_state() {
    {
        const std::lock_guard lock(mutex_);
        shown_changes_ = changes_;
    }
    Json state = {{"changes", changes_}, {"settings", settings_json()}};
    if (const auto run = runs_.run(std::nullopt); run && has_file_) {
        const std::lock_guard lock(run->lock);
        if (run->state == RunState::Running || run->state == RunState::Paused)
            state["run"] = {{"label", run->label}, {"stop", run->stop}};
    }
    listener_.keep(std::move(state));
}

void Runner::restore(const Json& state) {
    if (const auto changes = state.find("changes"); changes != state.end()) changes_ = *changes;
    if (const auto settings = state.find("settings"); settings != state.end()) {
        Json given = *settings;
        for (const char* const derived : {"solvers"}) given.erase(derived);
        Arguments arguments(given);
        set_settings(arguments);
    }
    Diagnostics diagnostics;
    if (const auto kept = state.find("run"); kept != state.end() && make_model(diagnostics, true)) {
        if (const auto point = live_->load(folder_ + "/run.json", diagnostics);
            point && live_->restore(point, diagnostics)) {
            const auto options = simulate_options(effective_settings(diagnostics), diagnostics);
            if (options) options_ = *options;
            options_.stop = (*kept)["stop"].get<double>();
            const auto run = add_run((*kept)["label"].get<std::string>());
            run->from = point->time();
            run->stop = options_.stop;
            begun_ = true;
            has_file_ = true;
            enter(RunState::Paused);
        }
    }
    keep_state();
}

}  // namespace cutset::studio

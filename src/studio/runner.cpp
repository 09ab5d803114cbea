#include "studio/runner.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/internal_error.h"
#include "ir/find_variables.h"
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
constexpr std::size_t most_runs = 200, most_checkpoints = 200, most_values = 5000;
constexpr std::size_t most_result_bytes = std::size_t(2) << 30;  // of all runs of a model

const char* word(LiveModel::Kind kind) {
    switch (kind) {
        case LiveModel::Kind::Parameter:
            return "parameter";
        case LiveModel::Kind::StructureParameter:
            return "structure-parameter";
        case LiveModel::Kind::Input:
            return "input";
        case LiveModel::Kind::State:
            return "state";
        case LiveModel::Kind::Discrete:
            return "discrete";
        case LiveModel::Kind::Other:
            break;
    }
    return "other";
}

const char* word(ValueType type) {
    switch (type) {
        case ValueType::Boolean:
            return "boolean";
        case ValueType::Integer:
            return "integer";
        case ValueType::Enumeration:
            return "enumeration";
        default:
            return "real";
    }
}

Json finite(double value) {
    return std::isfinite(value) ? Json(value) : Json();
}

// `*` is anything.
bool matches(std::string_view pattern, std::string_view text) {
    std::size_t p = 0, t = 0, star = std::string_view::npos, resumed = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resumed = t;
        } else if (p < pattern.size() && pattern[p] == text[t]) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++resumed;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

bool is_below_path(const std::string& path, const std::string& top) {
    return top.empty() || path == top || path.starts_with(top + ".");
}

}  // namespace

const char* word(RunState state) {
    switch (state) {
        case RunState::Translating:
            return "translating";
        case RunState::Running:
            return "running";
        case RunState::Paused:
            return "paused";
        case RunState::Finished:
            return "finished";
        case RunState::Terminated:
            return "terminated";
        case RunState::Stopped:
            return "stopped";
        case RunState::Failed:
            break;
    }
    return "failed";
}

// Rows between two interruptions.
class Runner::Segment : public RowSink {
  public:
    Segment(Runner& runner, StudioRun& run, bool continues)
        : runner_(runner), run_(run), skip_first_(continues && !runner.touched_), continues_(continues) {}

    std::optional<std::string> begin(const Columns& columns) override {
        const std::lock_guard lock(run_.lock);
        if (!continues_ || !run_.rows) {
            run_.rows = std::make_shared<ResultStore>(columns);
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
    const std::lock_guard lock(mutex_);
    if (!active_) return false;
    const std::lock_guard run(active_->lock);
    return active_->state == RunState::Paused;
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

std::shared_ptr<StudioRun> Runner::run(std::optional<std::size_t> number) const {
    const std::lock_guard lock(mutex_);
    if (!number) return active_;
    const auto at = runs_.find(*number);
    return at == runs_.end() ? nullptr : at->second;
}

std::shared_ptr<StudioRun> Runner::add_run(std::string label) {
    auto run = std::make_shared<StudioRun>();
    run->label = std::move(label);
    run->start = run->time = options_.start;
    run->stop = options_.stop;
    run->changes = changes_;
    const std::lock_guard lock(mutex_);
    run->number = next_run_++;
    runs_[run->number] = run;
    active_ = run;
    return run;
}

Json Runner::run_json(const StudioRun& run) const {
    const std::lock_guard lock(run.lock);
    Json out = {{"run", run.number},
                {"label", run.label},
                {"state", word(run.state)},
                {"time", run.time},
                {"start", run.start},
                {"stop", run.stop},
                {"rows", run.rows ? run.rows->rows() : 0},
                {"events", run.events.count()},
                {"parent", run.parent ? Json(*run.parent) : Json()},
                {"from", run.from ? Json(*run.from) : Json()},
                {"diagnostics", run.diagnostics}};
    return out;
}

void Runner::tell() {
    std::shared_ptr<StudioRun> run;
    std::optional<double> pace;
    {
        const std::lock_guard lock(mutex_);
        run = active_;
        pace = pace_;
    }
    if (!run) return;
    Json event = run_json(*run);
    event["event"] = "run.state";
    event["pace"] = pace ? Json(*pace) : Json();
    listener_.event(std::move(event));
}

void Runner::enter(RunState state) {
    {
        const std::lock_guard lock(mutex_);
        if (!active_) return;
        const std::lock_guard run(active_->lock);
        active_->state = state;
        if (live_ && begun_) active_->time = live_->time();
    }
    going_ = state == RunState::Running;
    tell();
    if (!going_) keep_state();
}

void Runner::integrate() {
    const std::shared_ptr<StudioRun> run = this->run(std::nullopt);
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
    std::size_t bytes = 0;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [number, run] : runs_) {
            const std::lock_guard own(run->lock);
            if (run->rows) bytes += run->rows->bytes();
        }
    }
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
    if ((until_ && live_->time() >= *until_) || (after_event_ && event_came_) || bytes > most_result_bytes) {
        until_.reset();
        after_event_ = false;
        if (bytes > most_result_bytes) {
            const std::shared_ptr<StudioRun> run = this->run(std::nullopt);
            const std::lock_guard lock(run->lock);
            run->diagnostics.push_back(
                {{"severity", "warning"},
                 {"code", "results-large"},
                 {"message", "the run stands still: the rows of all runs take more than 2 GB of memory"},
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
    if (const auto run = this->run(std::nullopt); run && has_file_) {
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

// ---- calls

Answer Runner::start(Arguments& arguments) {
    const std::string label = arguments.text_if("label").value_or("");
    if (const auto problem = arguments.problem()) return *problem;
    {
        const std::lock_guard lock(mutex_);
        if (runs_.size() >= most_runs)
            return messages::too_much("200 runs are kept; drop some of them before another one is started");
    }
    if (going_ || stands()) enter(RunState::Stopped);
    Diagnostics diagnostics;
    if (!make_model(diagnostics, true)) return failure("the model cannot be run", diagnostics);
    const auto options = simulate_options(effective_settings(diagnostics), diagnostics);
    if (!options) return failure("the settings cannot be used", diagnostics);
    options_ = *options;
    options_.allow_external = texts_.place().allow_external;
    begun_ = touched_ = after_event_ = has_file_ = false;
    extra_rows_ = 0;
    until_.reset();
    const auto run = add_run(label);
    keep_state();
    enter(RunState::Running);
    return Json{{"run", run->number}};
}

Answer Runner::pause(Arguments& arguments) {
    if (const auto problem = arguments.problem()) return *problem;
    if (!going_ && !stands()) return messages::no_active_run("pause");
    if (going_) enter(RunState::Paused);
    return Json{{"time", live_->time()}};
}

Answer Runner::go_on(Arguments& arguments) {
    const auto until = arguments.number_if("until");
    const bool event = arguments.flag_if("event");
    if (const auto problem = arguments.problem()) return *problem;
    if (!going_ && !stands())
        return this->run(std::nullopt) ? messages::not_standing() : messages::no_active_run("go on");
    until_ = until;
    after_event_ = event;
    if (!going_) enter(RunState::Running);
    return Json::object();
}

Answer Runner::stop(Arguments& arguments) {
    if (const auto problem = arguments.problem()) return *problem;
    if (!going_ && !stands()) return messages::no_active_run("stop");
    enter(RunState::Stopped);
    return Json{{"time", live_->time()}};
}

Answer Runner::checkpoint(Arguments& arguments) {
    const std::string label = arguments.text_if("label").value_or("");
    if (const auto problem = arguments.problem()) return *problem;
    const auto run = this->run(std::nullopt);
    const auto point = live_ && begun_ ? live_->checkpoint() : nullptr;
    if (!run || !point) return messages::no_active_run("keep a point of");
    if (checkpoints_.size() >= most_checkpoints) checkpoints_.erase(checkpoints_.begin());
    checkpoints_.push_back({next_checkpoint_++, run->number, label, point, point->time(), changes_});
    return Json{{"checkpoint", checkpoints_.back().number}, {"time", point->time()}, {"run", run->number}};
}

Answer Runner::checkpoints(Arguments& arguments) {
    if (const auto problem = arguments.problem()) return *problem;
    Json out = Json::array();
    for (const Kept& k : checkpoints_)
        out.push_back({{"checkpoint", k.number}, {"label", k.label}, {"time", k.time}, {"run", k.run}});
    return Json{{"checkpoints", std::move(out)}};
}

Answer Runner::branch(Arguments& arguments) {
    const std::size_t number = arguments.count("checkpoint", 1000000);
    const std::string label = arguments.text_if("label").value_or("");
    const bool go = arguments.flag_if("go");
    if (const auto problem = arguments.problem()) return *problem;
    const auto kept = std::find_if(checkpoints_.begin(), checkpoints_.end(),
                                   [&](const Kept& k) { return k.number == number; });
    if (kept == checkpoints_.end()) return messages::no_such_checkpoint(number);
    if (going_ || stands()) enter(RunState::Stopped);
    Diagnostics diagnostics;
    if (!make_model(diagnostics, true)) return failure("the model cannot be run", diagnostics);
    if (!live_->restore(kept->point, diagnostics)) return failure("it cannot go on from there", diagnostics);
    changes_ = kept->changes;
    const auto options = simulate_options(effective_settings(diagnostics), diagnostics);
    if (!options) return failure("the settings cannot be used", diagnostics);
    options_ = *options;
    options_.allow_external = texts_.place().allow_external;
    begun_ = true;
    touched_ = after_event_ = has_file_ = false;
    extra_rows_ = 0;
    until_.reset();
    const auto run = add_run(label);
    {
        const std::lock_guard lock(run->lock);
        run->parent = kept->run;
        run->from = kept->time;
        run->time = kept->time;
    }
    keep_state();
    enter(go ? RunState::Running : RunState::Paused);
    return Json{{"run", run->number}};
}

Answer Runner::drop(Arguments& arguments) {
    const std::size_t number = arguments.count("run", 1000000);
    if (const auto problem = arguments.problem()) return *problem;
    const std::lock_guard lock(mutex_);
    if (!runs_.contains(number)) return messages::no_such_run(number);
    if (active_ && active_->number == number) {
        if (going_) return messages::not_allowed("the run goes on", "stop it before");
        active_ = nullptr;
    }
    runs_.erase(number);
    return Json::object();
}

Answer Runner::set(Arguments& arguments, std::uint32_t by) {
    const auto parameters = arguments.numbers_if("parameters");
    const auto initials = arguments.numbers_if("initials");
    const auto inputs = arguments.values_if("inputs");
    const auto states = arguments.numbers_if("states");
    if (const auto problem = arguments.problem()) return *problem;
    Diagnostics diagnostics;
    if (!model(diagnostics) && !(inputs.size() > 0 && lacks_inputs(diagnostics)))
        return failure("the model cannot be run", diagnostics);
    Json next = changes_;
    for (const auto& [path, value] : parameters) next["parameters"][path] = value;
    for (const auto& [path, value] : initials) next["initials"][path] = value;
    for (const auto& [path, text] : inputs) next["inputs"][path] = text;
    if (!live_) {  // it has no model without these inputs
        std::swap(changes_, next);
        Diagnostics again;
        if (!make_model(again, true)) {
            std::swap(changes_, next);
            return failure("the inputs cannot be used", again);
        }
    } else {
        Diagnostics own;
        const auto before = begun_ ? live_->checkpoint() : nullptr;
        bool good = true;
        for (const auto& [path, value] : parameters) good = good && live_->set_parameter(path, value, own);
        for (const auto& [path, value] : initials) good = good && live_->set_initial(path, value, own);
        for (const auto& [path, text] : inputs) good = good && live_->set_input(path, text, own);
        for (const auto& [path, value] : states) good = good && live_->set_state(path, value, own);
        if (!good) {  // all or nothing
            Diagnostics quiet;
            if (before) {
                live_->restore(before, quiet);
            } else {
                live_ = nullptr;
                make_model(quiet, true);
            }
            return failure("that cannot be set", own);
        }
        changes_ = std::move(next);
        touched_ = true;
    }
    keep_state();
    if (const auto run = this->run(std::nullopt)) {
        const std::lock_guard lock(run->lock);
        if (going_ || run->state == RunState::Paused) run->changes = changes_;
    }
    Json event = changes_;
    event["event"] = "values.set";
    event["by"] = by;
    event["states"] = Json::object();
    for (const auto& [path, value] : states) event["states"][path] = value;
    listener_.event(std::move(event));
    return Json{{"time", live_->time()}, {"running", going_}};
}

// ---- the console: commands of the shell on the model that the page has

bool Runner::console_model(Diagnostics& diagnostics) {
    if (!model(diagnostics)) return false;
    if (adopted_ == live_) return true;
    adopted_ = live_;
    console_->session().adopt(workspace_, live_, {texts_.place().file}, texts_.place().model);
    return true;
}

Answer Runner::console(Arguments& arguments) {
    const std::string line = arguments.text("line");
    if (line.size() > 10000) arguments.fail("line is longer than 10000 bytes");
    if (line.find('\n') != std::string::npos) arguments.fail("line is more than one line");
    if (const auto problem = arguments.problem()) return *problem;
    Diagnostics diagnostics;
    if (!console_model(diagnostics)) return failure("the model cannot be run", diagnostics);
    const auto before = begun_ ? live_->checkpoint() : nullptr;
    const auto runs = console_->session().facts().runs;
    const std::string outcome = console_->execute(line);
    const LiveChanges after = live_->changes();
    // A run of the console is its own: that of the page stands where it stood, with what was set.
    if (before && (console_->session().facts().runs != runs || live_->time() != before->time())) {
        Diagnostics quiet;
        live_->restore(before, quiet);
        for (const auto& [path, value] : after.parameters) live_->set_parameter(path, value, quiet);
        for (const auto& [path, value] : after.initials) live_->set_initial(path, value, quiet);
        for (const auto& [path, input] : after.inputs) live_->set_input(path, input.text, quiet);
    }
    Json next = changes_;
    for (const auto& [path, value] : after.parameters) next["parameters"][path] = value;
    for (const auto& [path, value] : after.initials) next["initials"][path] = value;
    for (const auto& [path, input] : after.inputs) next["inputs"][path] = input.text;
    const std::string command = console_->session().command_of(line);
    if (next != changes_ || command == "STATE") {
        changes_ = std::move(next);
        touched_ = true;
        keep_state();
        Json event = changes_;
        event["event"] = "values.set";
        listener_.event(std::move(event));
    }
    return Json{{"outcome", outcome}, {"prompt", console_->session().prompt()}};
}

Answer Runner::complete(Arguments& arguments) {
    const std::string line = arguments.text("line");
    const std::size_t cursor = arguments.count("cursor", 10000);
    if (cursor > line.size()) arguments.fail("cursor is behind the line");
    if (const auto problem = arguments.problem()) return *problem;
    Diagnostics quiet;
    console_model(quiet);
    const Session::Completion found = console_->session().complete(line, cursor);
    return Json{{"begin", found.begin}, {"candidates", found.candidates}};
}

Answer Runner::stop_console(Arguments& arguments) {
    if (const auto problem = arguments.problem()) return *problem;
    console_->stop();
    return Json::object();
}

Answer Runner::unset(Arguments& arguments) {
    std::map<std::string, std::vector<std::string>> gone;
    for (const char* const kind : {"parameters", "initials", "inputs"})
        gone[kind] = arguments.texts_if(kind, 10000);
    if (const auto problem = arguments.problem()) return *problem;
    for (const auto& [kind, paths] : gone)
        for (const std::string& path : paths) changes_[kind].erase(path);
    stale_ = true;
    keep_state();
    Json event = changes_;
    event["event"] = "values.set";
    listener_.event(std::move(event));
    return changes_;
}

Json Runner::settings_json() {
    Diagnostics quiet;
    const RunRequest r = effective_settings(quiet);
    const SimulateOptions defaults;
    const auto number = [](const std::optional<double>& v) { return v ? Json(*v) : Json(); };
    const double start = r.start.value_or(0);
    return {{"start", start},
            {"stop", r.stop.value_or(start + 10)},
            {"points", r.step ? Json() : Json(r.points.value_or(double(defaults.points)))},
            {"step", number(r.step)},
            {"tolerance", r.tolerance.value_or(defaults.tolerance)},
            {"absolute", number(r.absolute)},
            {"solver", r.solver.empty() ? "auto" : r.solver},
            {"every_step", r.every_step},
            {"max_step", number(r.max_step)},
            {"step_size", number(r.step_size)},
            {"solvers", solver_names()}};
}

Answer Runner::settings(Arguments& arguments) {
    if (const auto problem = arguments.problem()) return *problem;
    Diagnostics quiet;
    model(quiet);  // whose text has the experiment line
    return settings_json();
}

void Runner::tell_settings() {
    Json event = settings_json();
    event["event"] = "settings";
    listener_.event(std::move(event));
}

Answer Runner::set_settings(Arguments& arguments) {
    RunRequest next = wishes_;
    const auto number = [&](const char* name, std::optional<double>& to) {
        if (arguments.has(name)) to = arguments.number_if(name);
    };
    number("start", next.start);
    number("stop", next.stop);
    number("step", next.step);
    number("points", next.points);
    number("tolerance", next.tolerance);
    number("absolute", next.absolute);
    number("max_step", next.max_step);
    number("step_size", next.step_size);
    if (next.step && arguments.has("step")) next.points.reset();
    if (next.points && arguments.has("points") && !arguments.is_null("points")) next.step.reset();
    if (const auto solver = arguments.text_if("solver")) next.solver = *solver;
    if (arguments.has("every_step")) next.every_step = arguments.flag_if("every_step");
    if (const auto problem = arguments.problem()) return *problem;
    Diagnostics diagnostics;
    model(diagnostics);
    std::swap(wishes_, next);
    Diagnostics own;
    const auto options = simulate_options(effective_settings(own), own);
    if (!options) {
        std::swap(wishes_, next);
        return failure("the settings cannot be used", own);
    }
    if (going_ || stands()) {
        options_.stop = options->stop;
        const auto run = this->run(std::nullopt);
        const std::lock_guard lock(run->lock);
        run->stop = options->stop;
    }
    keep_state();
    tell_settings();
    return settings_json();
}

Answer Runner::quantities(Arguments& arguments) {
    const std::string below = arguments.text_if("below").value_or("");
    const std::string match = arguments.text_if("match").value_or("*");
    const std::vector<std::string> kinds = arguments.texts_if("kinds", 6);
    const std::size_t offset = arguments.count_if("offset", 100000000).value_or(0);
    const std::size_t limit = arguments.count_if("limit", 5000).value_or(200);
    if (const auto problem = arguments.problem()) return *problem;
    Diagnostics diagnostics;
    if (!model(diagnostics)) return failure("the model cannot be run", diagnostics);
    const FlatModel& flat = live_->partition().model;
    const Places places = texts_.places(workspace_->text.sources());
    std::size_t total = 0;
    Json list = Json::array();
    for (const LiveModel::Quantity& q : live_->quantities()) {
        if (!is_below_path(q.path, below) || !matches(match, q.path)) continue;
        if (!kinds.empty() && std::find(kinds.begin(), kinds.end(), word(q.kind)) == kinds.end()) continue;
        if (total++ < offset || list.size() >= limit) continue;
        Json one = {{"path", q.path}, {"kind", word(q.kind)}};
        if (!q.unit.empty()) one["unit"] = q.unit;
        Diagnostics quiet;
        const auto value = live_->value(q.path, quiet);
        one["value"] = value ? finite(*value) : Json();
        if (const auto initial = live_->initial(q.path)) one["initial"] = finite(*initial);
        if (const auto input = changes_["inputs"].find(q.path); input != changes_["inputs"].end())
            one["expression"] = *input;
        if (const auto found = find_variables(flat, q.path); found.size() == 1) {
            const Variable& v = flat.variables[found[0]];
            one["type"] = word(v.type);
            if (v.type == ValueType::Enumeration) one["literals"] = flat.enumerations[v.enumeration].literals;
            if (!v.description.empty()) one["description"] = v.description;
            if (v.minimum) one["minimum"] = finite(*v.minimum);
            if (v.maximum) one["maximum"] = finite(*v.maximum);
            if (v.nominal) one["nominal"] = finite(*v.nominal);
            put_place(one, v.origin.where, places);
        }
        list.push_back(std::move(one));
    }
    return Json{{"total", total}, {"quantities", std::move(list)}};
}

// ---- any thread

Answer Runner::pace(Arguments& arguments) {
    const auto pace = arguments.number_if("pace");
    if (pace && !(*pace > 0)) arguments.fail("pace is not above 0");
    if (const auto problem = arguments.problem()) return *problem;
    {
        const std::lock_guard lock(mutex_);
        pace_ = pace;
    }
    wake_.notify_all();
    tell();
    return Json::object();
}

Answer Runner::changes(Arguments& arguments) {
    const auto number = arguments.count_if("run", 1000000);
    if (const auto problem = arguments.problem()) return *problem;
    if (number) {
        const auto found = run(number);
        if (!found) return messages::no_such_run(*number);
        const std::lock_guard lock(found->lock);
        return found->changes;
    }
    const std::lock_guard lock(mutex_);
    return shown_changes_;
}

Answer Runner::list(Arguments& arguments) {
    if (const auto problem = arguments.problem()) return *problem;
    std::vector<std::shared_ptr<StudioRun>> runs;
    Json active;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [number, run] : runs_) runs.push_back(run);
        if (active_) active = active_->number;
    }
    Json out = Json::array();
    for (const auto& run : runs) out.push_back(run_json(*run));
    return Json{{"runs", std::move(out)}, {"active", active}};
}

Answer Runner::label(Arguments& arguments) {
    const std::size_t number = arguments.count("run", 1000000);
    const std::string label = arguments.text("label");
    if (const auto problem = arguments.problem()) return *problem;
    const auto found = run(number);
    if (!found) return messages::no_such_run(number);
    const std::lock_guard lock(found->lock);
    found->label = label;
    return Json::object();
}

namespace {

std::shared_ptr<ResultStore> rows_of(const StudioRun& run) {
    const std::lock_guard lock(run.lock);
    return run.rows;
}

}  // namespace

Answer Runner::values(Arguments& arguments) {
    const auto number = arguments.count_if("run", 1000000);
    const auto time = arguments.number_if("time");
    const std::string side = arguments.text_if("side").value_or("after");
    const std::vector<std::string> paths = arguments.texts("paths", most_values);
    if (side != "after" && side != "before") arguments.fail("side is neither before nor after");
    if (const auto problem = arguments.problem()) return *problem;
    const auto found = run(number);
    if (!found) return number ? messages::no_such_run(*number) : messages::no_active_run("look at");
    const auto rows = rows_of(*found);
    if (!rows || rows->rows() == 0) return messages::no_active_run("look at: it has not begun");
    std::vector<ColumnIndex> columns;
    Json unknown = Json::array();
    std::vector<bool> known;
    for (const std::string& path : paths) {
        const auto column = rows->find(path);
        known.push_back(column.has_value());
        if (column)
            columns.push_back(*column);
        else
            unknown.push_back(path);
    }
    const double at = std::clamp(time.value_or(*rows->last_time()), *rows->first_time(), *rows->last_time());
    const std::vector<double> numbers = rows->at(columns, at, side == "after" ? Side::After : Side::Before);
    Json values = Json::array();
    std::size_t next = 0;
    for (const bool k : known) values.push_back(k ? finite(numbers[next++]) : Json());
    return Json{{"time", at}, {"values", std::move(values)}, {"unknown", std::move(unknown)}};
}

Answer Runner::events(Arguments& arguments) {
    const auto number = arguments.count_if("run", 1000000);
    const double t0 = arguments.number_if("t0").value_or(-INFINITY);
    const double t1 = arguments.number_if("t1").value_or(INFINITY);
    const std::size_t limit = arguments.count_if("limit", 10000).value_or(1000);
    if (const auto problem = arguments.problem()) return *problem;
    const auto found = run(number);
    if (!found) return number ? messages::no_such_run(*number) : messages::no_active_run("look at");
    return found->events.list(t0, t1, limit);
}

Answer Runner::compare(Arguments& arguments) {
    const std::size_t a = arguments.count("a", 1000000), b = arguments.count("b", 1000000);
    const double t0 = arguments.number_if("t0").value_or(-INFINITY);
    const double t1 = arguments.number_if("t1").value_or(INFINITY);
    const std::size_t most = arguments.count_if("most", 1000).value_or(20);
    if (const auto problem = arguments.problem()) return *problem;
    const auto first = run(a), second = run(b);
    if (!first || !second) return messages::no_such_run(first ? b : a);
    const auto rows_a = rows_of(*first), rows_b = rows_of(*second);
    if (!rows_a || !rows_b) return messages::no_active_run("compare: one of them has not begun");
    const RunComparison found = compare_runs(rows_a->copy(), rows_b->copy(), t0, t1, most);
    Json list = Json::array();
    for (const RunDifference& d : found.differences)
        list.push_back({{"path", d.path},
                        {"unit", d.unit},
                        {"difference", finite(d.difference)},
                        {"relative", finite(d.relative)},
                        {"at", d.at},
                        {"a", finite(d.a)},
                        {"b", finite(d.b)}});
    return Json{{"differences", std::move(list)}, {"equal", found.equal}, {"t0", found.t0}, {"t1", found.t1}};
}

}  // namespace cutset::studio

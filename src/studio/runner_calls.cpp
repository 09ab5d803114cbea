// What the calls of the protocol do with a run: start and stop it, change values, keep points. The thread
// that runs is in runner.cpp.
#include <algorithm>
#include <utility>

#include "live/live_checkpoint.h"
#include "live/live_translation.h"
#include "studio/analysis.h"
#include "studio/messages.h"
#include "studio/quantities.h"
#include "studio/runner.h"
#include "translate/open_inputs.h"

namespace cutset::studio {

namespace {

constexpr std::size_t most_checkpoints = 200;

}  // namespace

Answer Runner::start(Arguments& arguments) {
    const std::string label = arguments.text_if("label").value_or("");
    if (const auto problem = arguments.problem()) return *problem;
    if (runs_.full())
        return messages::too_much("200 runs are kept; drop some of them before another one is started");
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
        return runs_.run(std::nullopt) ? messages::not_standing() : messages::no_active_run("go on");
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
    const auto run = runs_.run(std::nullopt);
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
    const auto active = runs_.run(std::nullopt);
    if (going_ && active && active->number == number)
        return messages::not_allowed("the run goes on", "stop it before");
    return runs_.remove(number) ? Answer(Json::object()) : Answer(messages::no_such_run(number));
}

Answer Runner::set(Arguments& arguments, std::uint32_t by) {
    const auto parameters = arguments.numbers_if("parameters");
    const auto initials = arguments.numbers_if("initials");
    const auto inputs = arguments.values_if("inputs");
    const auto states = arguments.numbers_if("states");
    if (const auto problem = arguments.problem()) return *problem;
    Diagnostics diagnostics;
    if (!model(diagnostics) && !(!inputs.empty() && lacks_inputs(diagnostics)))
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
    if (const auto run = runs_.run(std::nullopt)) {
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
        const auto run = runs_.run(std::nullopt);
        const std::lock_guard lock(run->lock);
        run->stop = options->stop;
    }
    keep_state();
    tell_settings();
    return settings_json();
}

Answer Runner::quantities(Arguments& arguments) {
    const QuantityWish wish = read_quantity_wish(arguments);
    if (const auto problem = arguments.problem()) return *problem;
    Diagnostics diagnostics;
    if (!model(diagnostics)) return failure("the model cannot be run", diagnostics);
    return quantities_json(*live_, changes_["inputs"], texts_.places(workspace_->text.sources()), wish);
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
        const auto found = runs_.run(number);
        if (!found) return messages::no_such_run(*number);
        const std::lock_guard lock(found->lock);
        return found->changes;
    }
    const std::lock_guard lock(mutex_);
    return shown_changes_;
}

}  // namespace cutset::studio

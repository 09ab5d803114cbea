#include "studio/run_list.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "studio/messages.h"

namespace cutset::studio {

namespace {

Json finite(double value) {
    return std::isfinite(value) ? Json(value) : Json();
}

constexpr std::size_t most_runs = 200, most_values = 5000;

std::shared_ptr<ResultStore> rows_of(const StudioRun& run) {
    const std::lock_guard lock(run.lock);
    return run.rows;
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

Json run_json(const StudioRun& run) {
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

std::shared_ptr<StudioRun> RunList::run(std::optional<std::size_t> number) const {
    const std::lock_guard lock(mutex_);
    if (!number) return active_;
    const auto at = runs_.find(*number);
    return at == runs_.end() ? nullptr : at->second;
}

void RunList::add(std::shared_ptr<StudioRun> run) {
    const std::lock_guard lock(mutex_);
    run->number = next_++;
    runs_[run->number] = run;
    active_ = std::move(run);
}

bool RunList::full() const {
    const std::lock_guard lock(mutex_);
    return runs_.size() >= most_runs;
}

bool RunList::remove(std::size_t number) {
    const std::lock_guard lock(mutex_);
    if (active_ && active_->number == number) active_ = nullptr;
    return runs_.erase(number) > 0;
}

std::size_t RunList::bytes_in_memory() const {
    const std::lock_guard lock(mutex_);
    std::size_t bytes = 0;
    for (const auto& [number, run] : runs_)
        if (const auto rows = rows_of(*run)) bytes += rows->bytes_in_memory();
    return bytes;
}

Answer RunList::list(Arguments& arguments) const {
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

Answer RunList::label(Arguments& arguments) const {
    const std::size_t number = arguments.count("run", 1000000);
    const std::string label = arguments.text("label");
    if (const auto problem = arguments.problem()) return *problem;
    const auto found = run(number);
    if (!found) return messages::no_such_run(number);
    const std::lock_guard lock(found->lock);
    found->label = label;
    return Json::object();
}

Answer RunList::values(Arguments& arguments) const {
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

Answer RunList::events(Arguments& arguments) const {
    const auto number = arguments.count_if("run", 1000000);
    const double t0 = arguments.number_if("t0").value_or(-INFINITY);
    const double t1 = arguments.number_if("t1").value_or(INFINITY);
    const std::size_t limit = arguments.count_if("limit", 10000).value_or(1000);
    if (const auto problem = arguments.problem()) return *problem;
    const auto found = run(number);
    if (!found) return number ? messages::no_such_run(*number) : messages::no_active_run("look at");
    return found->events.list(t0, t1, limit);
}

Answer RunList::compare(Arguments& arguments) const {
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

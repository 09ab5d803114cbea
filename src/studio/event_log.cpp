#include "studio/event_log.h"

#include <algorithm>
#include <utility>

namespace cutset::studio {

Json EventLog::list(double t0, double t1, std::size_t limit) const {
    const std::lock_guard lock(mutex_);
    Json out = Json::array();
    std::size_t total = 0;
    for (auto at = std::lower_bound(times_.begin(), times_.end(), t0); at != times_.end() && *at <= t1;
         ++at) {
        if (++total > limit) continue;
        Json event = events_[std::size_t(at - times_.begin())];
        event["time"] = *at;
        out.push_back(std::move(event));
    }
    return {{"events", std::move(out)}, {"total", total}, {"complete", count_ == events_.size()}};
}

std::size_t EventLog::count() const {
    const std::lock_guard lock(mutex_);
    return count_;
}

void EventLog::add(double time, Json event) {
    const std::lock_guard lock(mutex_);
    ++count_;
    if (events_.size() == most_kept) return;
    times_.push_back(time);
    events_.push_back(std::move(event));
}

void EventWatch::event_comes(const Interpreter& values) {
    partition_ = values.program().partition.get();
    time_ = values[values.program().layout.time];
    causes_ = Json::array();
    actions_ = Json::array();
}

void EventWatch::event_begins(const EventCause& cause) {
    const FlatModel& model = partition_->model;
    const Printer printer = model.printer();
    const auto add = [&](const char* kind, Expr what, const Origin& origin) {
        Json one = {
            {"kind", kind}, {"text", to_text(what, printer)}, {"submodel", model.path(origin.instance)}};
        put_place(one, origin.where, places_);
        causes_.push_back(std::move(one));
    };
    const auto add_switch = [&](const char* kind, std::size_t number) {
        const Switch& s = partition_->switches[number];
        if (!s.kink) add(kind, s.node, s.origin);
    };
    if (cause.crossing) add_switch("crossing", *cause.crossing);
    for (const std::size_t i : cause.instants) add_switch("instant", i);
    for (const auto& [clock, tick] : cause.clocks) add("clock", partition_->clocks[clock].node, {});
}

void EventWatch::whens(const Interpreter&, std::span<const std::size_t> active, std::span<const Assignment>,
                       std::span<const Assignment>, bool) {
    if (!partition_) return;  // the event at the initialization
    const FlatModel& model = partition_->model;
    const Printer printer = model.printer();
    for (const std::size_t w : active)
        for (const WhenAction& action : model.whens[w].actions) {
            const auto text = [&]() -> std::string {
                if (const auto* assign = std::get_if<WhenAssign>(&action))
                    return assign->implicit
                               ? "0 = " + to_text(assign->value, printer)
                               : model.path(assign->target) + " = " + to_text(assign->value, printer);
                if (const auto* restart = std::get_if<WhenReinit>(&action))
                    return "reinit(" + model.path(restart->target) + ", " + to_text(restart->value, printer) +
                           ")";
                return "terminate: " + std::get<WhenTerminate>(action).message;
            };
            const Origin origin = std::visit([](const auto& a) { return a.origin; }, action);
            Json one = {{"text", text()}, {"submodel", model.path(origin.instance)}};
            put_place(one, origin.where, places_);
            actions_.push_back(std::move(one));
        }
}

void EventWatch::event_ends(const Interpreter&, bool) {
    if (!std::exchange(partition_, nullptr) || (causes_.empty() && actions_.empty())) return;
    log_.add(time_, {{"causes", std::move(causes_)}, {"actions", std::move(actions_)}});
    happened_();
}

}  // namespace cutset::studio

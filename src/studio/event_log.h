// The events of a run as they happen: when, why, and what they did.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "run/run_observer.h"
#include "studio/message.h"
#include "translate/places_json.h"

namespace cutset::studio {

class EventLog {
  public:
    // Any thread. Events between the times, the first `limit`.
    Json list(double t0, double t1, std::size_t limit) const;
    std::size_t count() const;
    void add(double time, Json event);

  private:
    static constexpr std::size_t most_kept = 100000;
    mutable std::mutex mutex_;
    std::vector<double> times_;
    std::vector<Json> events_;  // without their time
    std::size_t count_ = 0;
};

// Follows a run into a log. Kinks (of abs, min …) that no when clause answers to are no events here.
class EventWatch : public RunObserver {
  public:
    EventWatch(EventLog& log, Places places, std::function<void()> happened)
        : log_(log), places_(std::move(places)), happened_(std::move(happened)) {}

    void start(const Interpreter&) override {}
    void continues(const Interpreter&) override {}
    void step(Integrator&, double, double) override {}
    void event_comes(const Interpreter& values) override;
    void event_begins(const EventCause& cause) override;
    void whens(const Interpreter& values, std::span<const std::size_t> active, std::span<const Assignment>,
               std::span<const Assignment>, bool) override;
    void event_ends(const Interpreter& values, bool terminated) override;
    void cannot_follow(const std::string&) override {}

  private:
    EventLog& log_;
    Places places_;
    std::function<void()> happened_;
    const Partition* partition_ = nullptr;  // of the event at hand
    double time_ = 0;
    Json causes_ = Json::array(), actions_ = Json::array();
};

}  // namespace cutset::studio

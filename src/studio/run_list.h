// The runs of a model and what is kept of each: rows, events, what was set. Asked by any thread, while one of
// them grows.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/json.h"
#include "studio/event_log.h"
#include "studio/message.h"
#include "studio/result_store.h"

namespace cutset::studio {

enum class RunState { Translating, Running, Paused, Finished, Terminated, Stopped, Failed };
const char* word(RunState state);

// One run and what is kept of it. The members after `lock` are guarded by it.
struct StudioRun {
    std::size_t number = 0;
    std::optional<std::size_t> parent;  // the run that it branched from
    std::optional<double> from;         // where it began, if not at its initialization
    EventLog events;

    mutable std::mutex lock;
    std::string label;
    RunState state = RunState::Translating;
    double time = 0, start = 0, stop = 0;
    std::shared_ptr<ResultStore> rows;  // null until it has begun
    Json diagnostics = Json::array();
    Json changes = Json::object();
};

class RunList {
  public:
    // The run of that number, the active one for none; null when there is none.
    std::shared_ptr<StudioRun> run(std::optional<std::size_t> number) const;
    // Numbers it and makes it the active one. It refuses to hold more than 200.
    void add(std::shared_ptr<StudioRun> run);
    bool full() const;
    bool remove(std::size_t number);
    std::size_t bytes_in_memory() const;  // of all rows

    Answer list(Arguments& arguments) const;
    Answer label(Arguments& arguments) const;
    Answer values(Arguments& arguments) const;
    Answer events(Arguments& arguments) const;
    Answer compare(Arguments& arguments) const;

  private:
    mutable std::mutex mutex_;
    std::map<std::size_t, std::shared_ptr<StudioRun>> runs_;
    std::shared_ptr<StudioRun> active_;
    std::size_t next_ = 1;
};

Json run_json(const StudioRun& run);

}  // namespace cutset::studio

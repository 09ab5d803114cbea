// Runs of one model: one thread owns the LiveModel and integrates; it takes up jobs where the run stands
// between two steps. While no job waits it runs without interruption, and since an interrupted run goes on to
// the bit (run/simulate.h), looking at it changes nothing.
//
//     repeat: jobs that wait; if a run goes on: integrate until a job comes, a time to pause, or the end
//
// Rows, events and the list of runs are read by other threads meanwhile.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "live/live_model.h"
#include "studio/console.h"
#include "studio/message.h"
#include "studio/model_texts.h"
#include "studio/run_list.h"
#include "translate/run_request.h"

namespace cutset::studio {

class RunnerListener {
  public:
    virtual ~RunnerListener() = default;
    virtual void event(Json event) = 0;
    // What it is to be started with again if it dies.
    virtual void keep(Json state) = 0;
};

class Runner {
  public:
    // `folder`: for its checkpoints.
    Runner(const ModelTexts& texts, RunnerListener& listener, std::string folder);
    ~Runner();

    // Any thread: the job is done by the runner's thread, where the run stands.
    void post(std::function<void()> job);

    // ---- calls, in a job
    Answer quantities(Arguments& arguments);
    Answer set(Arguments& arguments, std::uint32_t by);
    Answer unset(Arguments& arguments);
    Answer settings(Arguments& arguments);
    Answer set_settings(Arguments& arguments);
    Answer start(Arguments& arguments);
    Answer pause(Arguments& arguments);
    Answer go_on(Arguments& arguments);
    Answer stop(Arguments& arguments);
    Answer checkpoint(Arguments& arguments);
    Answer checkpoints(Arguments& arguments);
    Answer branch(Arguments& arguments);
    Answer drop(Arguments& arguments);
    Answer console(Arguments& arguments);
    Answer complete(Arguments& arguments);
    // After a death: values, settings, and the run at its last checkpoint.
    void restore(const Json& state);

    // ---- calls on any thread
    Answer pace(Arguments& arguments);
    Answer changes(Arguments& arguments);
    Answer stop_console(Arguments& arguments);
    const RunList& runs() const { return runs_; }

  private:
    class Segment;
    struct Kept {
        std::size_t number, run;
        std::string label;
        std::shared_ptr<const Checkpoint> point;
        double time;
        Json changes;
    };

    // The model that the page has, or null with the reasons reported.
    LiveModel* model(Diagnostics& diagnostics);
    bool console_model(Diagnostics& diagnostics);
    void work();
    void integrate();
    void judge(const RunSummary& summary, bool retry);
    bool make_model(Diagnostics& diagnostics, bool renew);
    bool apply_changes(Diagnostics& diagnostics);
    RunRequest effective_settings(Diagnostics& diagnostics);
    Json settings_json();
    std::shared_ptr<StudioRun> add_run(std::string label);
    void enter(RunState state);
    void tell();  // run.state of the active run
    void tell_settings();
    void keep_state();
    void write_checkpoint(const Checkpoint& point);
    Answer failure(const char* what, const Diagnostics& diagnostics);
    bool stands() const;

    const ModelTexts& texts_;
    RunnerListener& listener_;
    std::string folder_;

    // ---- the runner's thread
    std::uint64_t generation_ = 0;  // of the texts that the model is made of
    bool stale_ = false;            // the model has changes that were taken back
    std::shared_ptr<Workspace> workspace_;
    std::shared_ptr<LiveModel> live_;
    std::unique_ptr<Console> console_;
    std::shared_ptr<LiveModel> adopted_;  // by the console
    RunRequest wishes_;                   // settings that were set; the others are those of the file
    Json changes_ = {
        {"parameters", Json::object()}, {"initials", Json::object()}, {"inputs", Json::object()}};
    SimulateOptions options_;  // of the active run
    bool going_ = false, begun_ = false, touched_ = false, after_event_ = false, event_came_ = false;
    std::optional<double> until_;
    std::size_t extra_rows_ = 0;  // after the last output point, where the run stands
    std::vector<Kept> checkpoints_;
    std::size_t next_checkpoint_ = 1;
    bool has_file_ = false;  // a checkpoint of the active run is in the folder

    // ---- shared
    mutable std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<std::function<void()>> jobs_;
    bool ends_ = false;
    RunList runs_;
    Json shown_changes_ = changes_;  // a copy for other threads
    std::optional<double> pace_;
    std::atomic<bool> interrupt_{false};

    std::thread thread_;
};

}  // namespace cutset::studio

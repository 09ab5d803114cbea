#include "export/translation_trial.h"

#include "run/run.h"

namespace cutset {

namespace {

constexpr long most_steps = 2000;

// Ends the run after some steps, or where a condition is held.
class FirstSteps : public RunObserver {
  public:
    const std::atomic<bool>* ends() const { return &ends_; }
    void watch(const RunParts& parts) { parts_ = &parts; }
    const std::optional<Obstacle>& obstacle() const { return obstacle_; }

    void start(const Interpreter&) override {}
    void continues(const Interpreter&) override {}
    void step(Integrator&, double, double) override { count(); }
    void event_comes(const Interpreter&) override {}
    void event_begins(const EventCause&) override { count(); }
    void whens(const Interpreter&, std::span<const std::size_t>, std::span<const Assignment>,
               std::span<const Assignment>, bool) override {}
    void event_ends(const Interpreter&, bool) override {
        if (obstacle_ || parts_->sliding.empty()) return;
        obstacle_ = {parts_->now.time(), parts_->sliding.list()[0]};
        ends_ = true;
    }
    void cannot_follow(const std::string&) override {}

  private:
    void count() {
        if (++steps_ > most_steps) ends_ = true;
    }
    const RunParts* parts_ = nullptr;
    std::optional<Obstacle> obstacle_;
    std::atomic<bool> ends_ = false;
    long steps_ = 0;
};

}  // namespace

std::optional<Obstacle> try_run(const Program& program, const SimulateOptions& given) {
    NoRows rows;
    Diagnostics quiet;
    FirstSteps first;
    SimulateOptions options = given;
    options.interrupt = first.ends();
    options.observer = &first;
    Run run(program, options, rows, quiet);
    first.watch(run.parts());
    run.parts().now.other_modes = program.partition->source && program.partition->delays.empty();
    if (run.begin()) run.integrate();
    if (!first.obstacle() && run.trial().wants_mode()) return Obstacle{run.parts().now.time(), std::nullopt};
    return first.obstacle();
}

}  // namespace cutset

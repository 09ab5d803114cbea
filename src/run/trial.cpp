#include "run/trial.h"

namespace cutset {

namespace {

// Messages go to `held` meanwhile.
class HeldMessages {
  public:
    HeldMessages(Instant& now, Diagnostics& held) : now_(now), real_(now.diagnostics) {
        held = {};
        now.diagnostics = &held;
    }
    ~HeldMessages() { now_.diagnostics = real_; }
    HeldMessages(const HeldMessages&) = delete;
    HeldMessages& operator=(const HeldMessages&) = delete;

  private:
    Instant& now_;
    Diagnostics* real_;
};

}  // namespace

bool Trial::initialize() {
    Instant& now = parts_.now;
    if (!now.other_modes) return parts_.initialization.run();
    before_ = now.state;
    bool good = false;
    {
        const HeldMessages hold(now, held_);
        good = parts_.initialization.run();
    }
    wants_mode_ =
        !good && !now.values.error() && !now.stop && now.partition.source->initial_equations.empty();
    if (wants_mode_) return false;
    before_.reset();
    for (const Diagnostic& d : held_.all()) now.report(d);
    return good;
}

bool Trial::event() {
    return run_event(false);
}

bool Trial::event_on_entry() {
    const bool good = run_event(true);
    wants_mode_ = false;
    return good;
}

bool Trial::run_event(bool on_entry) {
    Instant& now = parts_.now;
    const auto run = [&] {
        if (!(on_entry ? parts_.events.run_on_entry() : parts_.events.run())) return false;
        if (!parts_.whens.leaving()) parts_.outputs.follow();
        return true;
    };
    // A mode may have no equations beyond its end.
    if (!now.other_modes && !parts_.whens.has_exits()) {
        if (!run()) return false;
        wants_mode_ = parts_.whens.leaving();
        return !wants_mode_;
    }
    before_ = now.state;
    bool good = false;
    {
        const HeldMessages hold(now, held_);
        good = run() && (parts_.whens.leaving() || parts_.equations.finite(now.values));
    }
    if (!good && !now.values.error() && !now.stop) {
        wants_mode_ = true;
        parts_.whens.set_leaving(false);
        return false;
    }
    for (const Diagnostic& d : held_.all()) now.report(d);
    wants_mode_ = parts_.whens.leaving();
    return good && !wants_mode_;
}

bool Trial::retry_event() {
    Instant& now = parts_.now;
    now.state = *before_;
    wants_mode_ = false;
    parts_.whens.set_leaving(false);
    now.other_modes = false;
    const bool good = parts_.events.run();
    if (good && !parts_.whens.leaving()) parts_.outputs.follow();
    now.other_modes = true;
    return good;
}

void Trial::report_held_warnings() {
    for (const Diagnostic& d : held_.all())
        if (d.severity != Severity::Error) parts_.now.report(d);
}

}  // namespace cutset

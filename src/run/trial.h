// An event, or the initialization, that is tried: where it fails and another mode of the model may help, the
// state before it is kept and its messages are held back.
#pragma once

#include <optional>

#include "run/run_parts.h"

namespace cutset {

class Trial {
  public:
    explicit Trial(RunParts& parts) : parts_(parts) {}

    // True: the run goes on in this mode.
    bool initialize();
    bool event();
    bool event_on_entry();
    // No other mode was found: the event once more from the state before it, with its messages.
    bool retry_event();

    // Another mode is asked for.
    bool wants_mode() const { return wants_mode_; }
    void mode_found() { wants_mode_ = false; }
    // The state before; none where no mode can be asked for.
    const std::optional<RunState>& before() const { return before_; }
    void forget() { before_.reset(); }
    // What it had to say.
    const Diagnostics& held() const { return held_; }
    void report_held_warnings();

  private:
    bool run_event(bool on_entry);

    RunParts& parts_;
    std::optional<RunState> before_;
    Diagnostics held_;
    bool wants_mode_ = false;
};

}  // namespace cutset

// Limits of memory and time for the whole program: --limit-memory, --limit-time.
//
// A thread looks at both every few milliseconds. A run that is under way is asked to stop, keeps its results
// and says why; anything else, or a run that does not stop, ends the program with a message and status 1.
// Without --limit-memory the limit is a part of the memory that the machine has left, so that the program
// ends by itself before the system has to end it.
//
// The thread also ends a run that does not listen to Ctrl-C (in a function that loops, say), and says what is
// being done when it takes long.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace cutset::cli {

struct Limits {
    std::string memory;  // "2G", "500M"; empty: the default
    std::string time;    // seconds; empty: none
};

// Bytes of "2G"; nothing when it cannot be read.
std::optional<double> memory_of(const std::string& text);

class LimitWatch {
  public:
    // Nothing with a reason when the limits cannot be read. `json`: messages as one object on standard
    // output; `quiet`: nothing is said about what takes long.
    static std::unique_ptr<LimitWatch> start(const Limits& limits, bool json, bool quiet,
                                             std::string& problem);
    virtual ~LimitWatch() = default;
};

// What is being done, for messages: "translating the model". A run that looks at was_interrupted() is
// `stoppable`.
void set_stage(const char* stage, bool stoppable = false);
// From now on Ctrl-C ends the program with a message that says what was being done.
void end_on_interrupt();
// Why the run was asked to stop; empty when no limit was exceeded.
std::string limit_exceeded();

}  // namespace cutset::cli

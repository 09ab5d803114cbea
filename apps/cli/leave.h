// The end of a command: what was printed must have arrived.
#pragma once

#include <functional>

namespace cutset::cli {

// Flushes what was printed. The status, or that of an error, with a message, when it could not be written (a
// full disk); a reader that has seen enough (a closed pipe) is no error.
int written_status(int status);

// Ends the program with this status, the output written, without destructors: the system takes back the
// memory of a large model at once. `last` is done when the output has been written: what is kept for the next
// command.
[[noreturn]] void leave(int status, const std::function<void()>& last = {});

}  // namespace cutset::cli

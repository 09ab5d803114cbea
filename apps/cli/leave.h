// The end of a command that has a large model in memory.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace cutset::cli {

// Ends the program with this status, the output written, and gives nothing back piece by piece: the system
// takes the memory at once.
[[noreturn]] inline void leave(int status) {
    std::fflush(nullptr);
    std::_Exit(status);
}

}  // namespace cutset::cli

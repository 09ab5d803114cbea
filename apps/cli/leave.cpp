#include "leave.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace cutset::cli {

int written_status(int status) {
    const bool failed_before = std::ferror(stdout) != 0;
    errno = 0;
    const bool failed_now = std::fflush(stdout) != 0;
    const int reason = failed_now ? errno : 0;  // that of an earlier failure is gone
    if (!failed_before && !failed_now) return status;
    pollfd out = {STDOUT_FILENO, POLLOUT, 0};
    if (reason == EPIPE || (::poll(&out, 1, 0) > 0 && (out.revents & POLLERR))) return status;
    std::fprintf(stderr, "cutset: the output could not be written%s%s\n", reason != 0 ? ": " : "",
                 reason != 0 ? std::strerror(reason) : "; is the disk full?");
    return status != 0 ? status : 1;
}

void leave(int status, const std::function<void()>& last) {
    status = written_status(status);
    try {
        if (last) last();
    } catch (...) {  // the next command does it
    }
    std::fflush(nullptr);
    std::_Exit(status);
}

}  // namespace cutset::cli

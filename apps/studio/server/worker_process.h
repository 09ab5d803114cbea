// A process of the program that works for one model (src/studio/worker.h): started, spoken to, and heard of
// when it ends.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "studio/frames.h"
#include "studio/job_thread.h"

namespace cutset::studio {

class WorkerProcess {
  public:
    struct Heard {
        std::function<void(Frame)> frame;
        // Why it ended, and the last that it wrote. Comes once, not while the process is being destroyed.
        std::function<void(const std::string& reason, const std::string& words)> ended;
    };
    // Null with the reason when it cannot be started. `start` is its first frame.
    static std::unique_ptr<WorkerProcess> start(std::string start, Heard heard, std::string& problem);
    // Ends it.
    ~WorkerProcess();

    // Without waiting; in this order.
    void send(FrameKind kind, std::uint32_t connection, std::uint64_t id, std::string bytes);

  private:
    WorkerProcess(pid_t process, int socket, int words, Heard heard);
    void listen();

    pid_t process_;
    FrameSocket socket_;
    int words_;  // its standard error
    Heard heard_;
    std::atomic<bool> leaving_{false};
    std::thread listener_;
    JobThread sender_;
};

}  // namespace cutset::studio

// One piece of work at a time on another thread, which begins with the first and ends with this object. Where
// the system has no thread or no second processor for it, the work is done by the caller.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace cutset {

class WorkBeside {
  public:
    WorkBeside() = default;
    WorkBeside(const WorkBeside&) = delete;
    WorkBeside& operator=(const WorkBeside&) = delete;
    ~WorkBeside();

    // When what was begun before is done.
    void begin(std::function<void()> work);
    bool busy();
    // Until all is done; what it threw goes on here.
    void wait();
    // Processor time of the other thread. While no work is on its way.
    double processor_seconds() const { return processor_seconds_; }

  private:
    bool has_thread();
    void run();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::function<void()> work_;  // on its way; none: idle
    std::exception_ptr thrown_;
    double processor_seconds_ = 0;
    bool asked_ = false, ends_ = false;
    std::thread thread_;
};

}  // namespace cutset

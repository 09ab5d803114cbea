#include "results/work_beside.h"

#include <ctime>
#include <system_error>
#include <utility>

namespace cutset {

namespace {

double processor_time() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

}  // namespace

WorkBeside::~WorkBeside() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        ends_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

bool WorkBeside::has_thread() {
    if (!asked_ && std::thread::hardware_concurrency() > 1) {
        try {
            thread_ = std::thread([this] { run(); });
        } catch (const std::system_error&) {  // the caller does it
        }
    }
    asked_ = true;
    return thread_.joinable();
}

void WorkBeside::begin(std::function<void()> work) {
    wait();
    if (!has_thread()) return work();
    {
        const std::lock_guard lock(mutex_);
        work_ = std::move(work);
    }
    changed_.notify_all();
}

bool WorkBeside::busy() {
    const std::lock_guard lock(mutex_);
    return bool(work_);
}

void WorkBeside::wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !work_; });
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

void WorkBeside::run() {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [this] { return work_ || ends_; });
        if (!work_) return;
        lock.unlock();
        std::exception_ptr thrown;
        try {
            work_();
        } catch (...) {
            thrown = std::current_exception();
        }
        const double seconds = processor_time();
        lock.lock();
        work_ = nullptr;
        thrown_ = thrown;
        processor_seconds_ = seconds;
        changed_.notify_all();
    }
}

}  // namespace cutset

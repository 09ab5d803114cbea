// The same work on several threads.
#pragma once

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace cutset {

// Calls `work` on this thread and on up to `count` - 1 others, fewer where the system has no more; `work`
// finds by itself what is left to do. When all have ended, the first exception of one of them goes on here.
template <class Work>
void on_threads(unsigned count, const Work& work) {
    std::mutex mutex;
    std::exception_ptr thrown;
    const auto guarded = [&] {
        try {
            work();
        } catch (...) {
            const std::lock_guard lock(mutex);
            if (!thrown) thrown = std::current_exception();
        }
    };
    std::vector<std::thread> threads;
    threads.reserve(std::max(count, 1u));
    try {
        while (threads.size() + 1 < count) threads.emplace_back(guarded);
    } catch (const std::exception&) {  // as many as there are
    }
    guarded();
    for (std::thread& thread : threads) thread.join();
    if (thrown) std::rethrow_exception(thrown);
}

}  // namespace cutset

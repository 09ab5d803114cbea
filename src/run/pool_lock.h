// The Pool of a model is shared by the threads that run it: code that makes expressions during a run holds
// this lock. (Those that are there never change, and are read without.)
#pragma once

#include <mutex>

namespace cutset {

inline std::mutex& pool_lock() {
    static std::mutex lock;
    return lock;
}

}  // namespace cutset

#include "limits.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "base/json.h"
#include "run_options.h"

namespace cutset::cli {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double part_of_memory = 0.8;  // of what is left, when no limit is given
constexpr double most_excess = 1.1;     // of memory, while a run is stopping
constexpr double longest_stop = 10;     // seconds that a run may take to stop
constexpr auto interval = std::chrono::milliseconds(20);

// Known to the thread that watches and to that which works.
std::atomic<const char*> stage{"reading the model"};
std::atomic<bool> stage_stoppable{false};
std::mutex reason_mutex;
std::string reason;  // guarded by it

std::string memory_text(double bytes) {
    if (bytes >= 1e9) return fmt::format("{:.3g} GB", bytes / 1e9);
    return fmt::format("{:.3g} MB", bytes / 1e6);
}

double number_after(const char* path, const char* key) {
    std::FILE* file = std::fopen(path, "r");
    if (!file) return 0;
    char line[256];
    double found = 0;
    const std::size_t length = std::char_traits<char>::length(key);
    while (std::fgets(line, sizeof line, file))
        if (std::char_traits<char>::compare(line, key, length) == 0) {
            found = std::strtod(line + length, nullptr);
            break;
        }
    std::fclose(file);
    return found;
}

// 0 when it cannot be told.
double memory_left() {
    double left = number_after("/proc/meminfo", "MemAvailable:") * 1024;
    const double most = number_after("/sys/fs/cgroup/memory.max", "");  // "max" reads as 0
    if (most > 0) {
        const double used = number_after("/sys/fs/cgroup/memory.current", "");
        left = std::min(left, std::max(most - used, 0.1 * most));
    }
    return left;
}

double memory_used() {
    std::FILE* file = std::fopen("/proc/self/statm", "r");
    if (!file) return 0;
    long total = 0, resident = 0;
    const int read = std::fscanf(file, "%ld %ld", &total, &resident);
    std::fclose(file);
    return read == 2 ? double(resident) * double(sysconf(_SC_PAGESIZE)) : 0;
}

class Watch : public LimitWatch {
  public:
    Watch(double memory, bool memory_given, double seconds, bool json)
        : memory_(memory), memory_given_(memory_given), seconds_(seconds), json_(json), thread_([this] {
              run();
          }) {}
    ~Watch() override {
        {
            const std::lock_guard lock(mutex_);
            stop_ = true;
        }
        wake_.notify_all();
        thread_.join();
    }

  private:
    void run() {
        std::unique_lock lock(mutex_);
        std::optional<Clock::time_point> asked;
        while (!wake_.wait_for(lock, interval, [this] { return stop_; })) {
            const double used = memory_ > 0 ? memory_used() : 0;
            const bool memory = memory_ > 0 && used > memory_;
            const double passed = std::chrono::duration<double>(Clock::now() - started_).count();
            const bool time = seconds_ > 0 && passed > seconds_;
            if (!memory && !time) continue;
            const std::string what =
                memory ? fmt::format("more than {} of memory ({}): {} are in use", memory_text(memory_),
                                     memory_given_ ? "--limit-memory" : "80 % of what this machine had left",
                                     memory_text(used))
                       : fmt::format("more than {:g} s (--limit-time)", seconds_);
            if (asked) {
                const double waited = std::chrono::duration<double>(Clock::now() - *asked).count();
                if (waited < longest_stop && used < most_excess * memory_) continue;
                if (waited < longest_stop && memory_ <= 0) continue;
                end(what);
            }
            if (!stage_stoppable) end(what);
            asked = Clock::now();
            {
                const std::lock_guard lock_reason(reason_mutex);
                reason = fmt::format("{} takes {}", stage.load(), what);
            }
            ask_to_stop();
        }
    }

    [[noreturn]] void end(const std::string& what) {
        const std::string message = fmt::format("{} takes {}", stage.load(), what);
        const std::string help = "a smaller model, or a higher --limit-memory or --limit-time";
        if (json_) {
            Json out;
            out["errors"] = Json::array();
            out["errors"].push_back({{"code", "limit"}, {"message", message}, {"help", help}});
            out["warnings"] = Json::array();
            fmt::print("{}\n", out.dump(2));
        } else
            fmt::print(stderr, "error: {}\n  help: {}\n", message, help);
        std::fflush(nullptr);
        _exit(1);
    }

    double memory_;
    bool memory_given_;
    double seconds_;
    bool json_;
    Clock::time_point started_ = Clock::now();
    std::mutex mutex_;
    std::condition_variable wake_;
    bool stop_ = false;
    std::thread thread_;
};

}  // namespace

std::optional<double> memory_of(const std::string& text) {
    char* end = nullptr;
    double value = std::strtod(text.c_str(), &end);
    if (end == text.c_str() || !(value > 0) || !std::isfinite(value)) return std::nullopt;
    std::string unit(end);
    std::erase(unit, ' ');
    if (!unit.empty() && (unit.back() == 'B' || unit.back() == 'b')) unit.pop_back();
    double factor = 1000;
    if (!unit.empty() && unit.back() == 'i') {
        factor = 1024;
        unit.pop_back();
    }
    const std::string units = "KMGT";
    if (unit.empty()) return value;
    if (unit.size() > 1) return std::nullopt;
    const std::size_t at = units.find(static_cast<char>(std::toupper(static_cast<unsigned char>(unit[0]))));
    if (at == std::string::npos) return std::nullopt;
    return value * std::pow(factor, double(at + 1));
}

std::unique_ptr<LimitWatch> LimitWatch::start(const Limits& limits, bool json, std::string& problem) {
    double seconds = 0;
    if (!limits.time.empty()) {
        char* end = nullptr;
        seconds = std::strtod(limits.time.c_str(), &end);
        if (end == limits.time.c_str() || *end || !(seconds > 0) || !std::isfinite(seconds)) {
            problem =
                "--limit-time " + limits.time + ": expected a number of seconds above 0, for example 60";
            return nullptr;
        }
    }
    double memory = part_of_memory * memory_left();
    if (!limits.memory.empty()) {
        const auto given = memory_of(limits.memory);
        if (!given) {
            problem = "--limit-memory " + limits.memory + ": expected an amount, for example 500M or 2G";
            return nullptr;
        }
        memory = *given;
    }
    return std::make_unique<Watch>(memory, !limits.memory.empty(), seconds, json);
}

void set_stage(const char* now, bool stoppable) {
    stage = now;
    stage_stoppable = stoppable;
}

std::string limit_exceeded() {
    const std::lock_guard lock(reason_mutex);
    return reason;
}

}  // namespace cutset::cli

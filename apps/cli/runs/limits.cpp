#include "runs/limits.h"

#include <fcntl.h>
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
#include <system_error>
#include <thread>

#include "base/json.h"
#include "output/json_output.h"
#include "runs/run_options.h"

namespace cutset::cli {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double part_of_memory = 0.8;   // of what is left, when no limit is given
constexpr double most_excess = 1.1;      // of memory, while a run is stopping
constexpr double longest_stop = 10;      // seconds that a run may take to stop
constexpr double longest_listening = 3;  // seconds that a run may take to hear of Ctrl-C
// Seconds after which it is said what takes so long, on a terminal and to a file; then after twice
// as many.
constexpr double patience_of_user = 10, patience_of_file = 120;
constexpr auto interval = std::chrono::milliseconds(20);

// Known to the thread that watches and to that which works.
std::atomic<const char*> stage{"reading the model"};
std::atomic<bool> stage_stoppable{false};
std::atomic<bool> ends_on_interrupt{false};
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
    // Without streams, which would allocate memory on the thread that watches.
    const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    char text[128];
    const ssize_t length = ::read(file, text, sizeof text - 1);
    ::close(file);
    if (length <= 0) return 0;
    text[length] = 0;
    long total = 0, resident = 0;
    const int read = std::sscanf(text, "%ld %ld", &total, &resident);
    return read == 2 ? double(resident) * double(sysconf(_SC_PAGESIZE)) : 0;
}

class Watch : public LimitWatch {
  public:
    Watch(double memory, bool memory_given, double seconds, bool json, bool quiet)
        : memory_(memory),
          memory_given_(memory_given),
          seconds_(seconds),
          json_(json),
          thread_([this, quiet] {
              if (!quiet && !json_)
                  next_word_ = ::isatty(STDERR_FILENO) ? patience_of_user : patience_of_file;
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
        std::optional<Clock::time_point> asked, interrupted;
        while (!wake_.wait_for(lock, interval, [this] { return stop_; })) {
            // Not before the first look: most commands are over by then.
            if (memory_ < 0) {
                const double left = memory_left();
                memory_ = left > 0 ? part_of_memory * (left + memory_used()) : 0;
            }
            const double used = memory_ > 0 ? memory_used() : 0;
            const bool memory = memory_ > 0 && used > memory_;
            const double passed = std::chrono::duration<double>(Clock::now() - started_).count();
            listen(interrupted);
            speak(passed, used);
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

    // Ends a run that goes on long after Ctrl-C.
    void listen(std::optional<Clock::time_point>& interrupted) {
        if (!interrupt_is_due())
            interrupted.reset();
        else if (!interrupted)
            interrupted = Clock::now();
        else if (ends_on_interrupt)
            end_with("interrupted", fmt::format("interrupted during: {}", stage.load()), "", 130);
        else if (std::chrono::duration<double>(Clock::now() - *interrupted).count() > longest_listening)
            end_with("interrupted",
                     fmt::format("interrupted: {} was ended, because it did not stop", stage.load()),
                     "what it had written may be found beside the result file, in one named `partial`", 130);
    }

    // Says what takes long. Runs have their own progress.
    void speak(double passed, double used) {
        if (next_word_ <= 0 || passed < next_word_) return;
        next_word_ = 2 * passed;
        if (stage_stoppable) return;
        fmt::print(stderr, "{}: {:.0f} s so far, {} of memory; Ctrl-C or --limit-time ends it\n",
                   stage.load(), passed, memory_text(used));
        std::fflush(stderr);
    }

    [[noreturn]] void end(const std::string& what) {
        end_with("limit", fmt::format("{} takes {}", stage.load(), what),
                 "a smaller model, or a higher --limit-memory or --limit-time", 1);
    }

    [[noreturn]] void end_with(const char* code, const std::string& message, const std::string& help,
                               int status) {
        if (json_) {
            Json out;
            out["errors"] = Json::array();
            out["errors"].push_back({{"code", code}, {"message", message}, {"help", help}});
            out["warnings"] = Json::array();
            print_json(out);
        } else
            fmt::print(stderr, "error: {}\n{}", message, help.empty() ? "" : "  help: " + help + "\n");
        std::fflush(nullptr);
        _exit(status);
    }

    double memory_;  // below 0: not known yet; 0: cannot be told
    bool memory_given_;
    double seconds_;
    bool json_;
    double next_word_ = 0;  // 0: never
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

std::unique_ptr<LimitWatch> LimitWatch::start(const Limits& limits, bool json, bool quiet,
                                              std::string& problem) {
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
    double memory = -1;
    if (!limits.memory.empty()) {
        const auto given = memory_of(limits.memory);
        if (!given) {
            problem = "--limit-memory " + limits.memory + ": expected an amount, for example 500M or 2G";
            return nullptr;
        }
        memory = *given;
    }
    try {
        return std::make_unique<Watch>(memory, !limits.memory.empty(), seconds, json, quiet);
    } catch (const std::system_error& e) {
        if (limits.memory.empty() && limits.time.empty()) return std::make_unique<LimitWatch>();
        problem = fmt::format("--limit-memory and --limit-time need a thread, which the system refuses: {}",
                              e.code().message());
        return nullptr;
    }
}

void set_stage(const char* now, bool stoppable) {
    stage = now;
    stage_stoppable = stoppable;
}

void end_on_interrupt() {
    catch_interrupt();
    ends_on_interrupt = true;
}

std::string limit_exceeded() {
    const std::lock_guard lock(reason_mutex);
    return reason;
}

}  // namespace cutset::cli

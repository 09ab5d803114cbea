// Random models as text, the same for the same seed, and how many of them a test tries: a few by default,
// CUTSET_RANDOM_MODELS of them in the long tests.
#pragma once

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <random>
#include <string>

namespace cutset::test {

inline std::size_t models_to_try(std::size_t by_default) {
    const char* given = std::getenv("CUTSET_RANDOM_MODELS");
    return given ? std::size_t(std::strtoull(given, nullptr, 10)) : by_default;
}

// Tells which model is at hand when the program aborts.
class ModelAtHand {
  public:
    ModelAtHand() {
        std::signal(SIGABRT, tell);
        std::signal(SIGSEGV, tell);
    }
    ~ModelAtHand() {
        std::signal(SIGABRT, SIG_DFL);
        std::signal(SIGSEGV, SIG_DFL);
    }
    void operator=(const std::string& text) { text_ = text; }

  private:
    static void tell(int number) {
        std::signal(number, SIG_DFL);
        if (write(2, text_.data(), text_.size()) >= 0) std::raise(number);
    }
    static inline std::string text_;
};

class Dice {
  public:
    explicit Dice(std::uint64_t seed) : engine_(seed) {}
    int between(int low, int high) { return low + int(engine_() % std::uint64_t(high - low + 1)); }
    bool one_in(int n) { return between(1, n) == 1; }

  private:
    std::mt19937_64 engine_;  // the same everywhere; the standard's distributions are not
};

}  // namespace cutset::test

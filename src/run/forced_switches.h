// Switches whose crossings were located at the instant at hand: the value that each has there, and its
// crossing function as it was, as long as that does not move.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/memory.h"

namespace cutset {

class ForcedSwitches {
  public:
    struct Forced {
        double value = 0, crossing = 0;
    };

    void resize(std::size_t switches) {
        clear();
        forced_.assign(switches, false);
        values_.resize(switches);
    }
    bool contains(std::size_t i) const { return forced_[i] != 0; }
    const Forced& operator[](std::size_t i) const { return values_[i]; }
    void set(std::size_t i, Forced forced) {
        if (!contains(i)) list_.push_back(i);
        forced_[i] = true;
        values_[i] = forced;
    }
    void erase(std::size_t i) {
        if (!contains(i)) return;
        forced_[i] = false;
        std::erase(list_, i);
    }
    void clear() {
        for (std::size_t i : list_) forced_[i] = false;
        list_.clear();
    }
    std::span<const std::size_t> list() const { return list_; }

    void remember(MemoryStream& memory) {
        memory("forced", forced_);
        for (Forced& f : values_) {
            memory("forced value", f.value);
            memory("forced at", f.crossing);
        }
        memory.list("forced list", list_);
        for (std::size_t i : list_)
            if (i >= forced_.size()) memory.fail();
    }

  private:
    std::vector<char> forced_;  // by switch
    std::vector<Forced> values_;
    std::vector<std::size_t> list_;
};

}  // namespace cutset

// Values by whole numbers. Numbers that follow each other stand together, so that who goes through a large
// model in order stays in a small part of the table. The values stand in one list, in the order in which they
// were added; nothing is taken out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace cutset {

template <class T>
class IntegerMap {
  public:
    const T* find(std::uint64_t key) const {
        if (values_.empty()) return nullptr;
        const Slot& slot = slots_[place(key)];
        return slot.after ? &values_[slot.after - 1] : nullptr;
    }
    bool contains(std::uint64_t key) const { return find(key) != nullptr; }
    // The value of a key, made if there is none yet. Valid until the next key is added.
    T& operator[](std::uint64_t key) {
        if (2 * (values_.size() + 1) > slots_.size()) grow();
        Slot& slot = slots_[place(key)];
        if (!slot.after) {
            values_.emplace_back();
            slot = {key, static_cast<std::uint32_t>(values_.size())};
        }
        return values_[slot.after - 1];
    }
    std::size_t size() const { return values_.size(); }

  private:
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t after = 0;  // position in `values_` + 1; 0: none
    };

    // Where the key is, or the empty slot where it belongs.
    std::size_t place(std::uint64_t key) const {
        constexpr std::uint64_t together = 8;
        const std::uint64_t group = key / together * 0x9E3779B97F4A7C15ull >> 32;
        for (std::size_t i = (group * together + key % together) & (slots_.size() - 1);;
             i = (i + 1) & (slots_.size() - 1))
            if (!slots_[i].after || slots_[i].key == key) return i;
    }
    void grow() {
        std::vector<Slot> before(std::max<std::size_t>(16, 2 * slots_.size()));
        before.swap(slots_);
        for (const Slot& slot : before)
            if (slot.after) slots_[place(slot.key)] = slot;
    }

    std::vector<T> values_;
    std::vector<Slot> slots_;  // a power of two, at least twice as many as values
};

}  // namespace cutset

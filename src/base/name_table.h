// Values by name, for the names of one scope, of which there may be a million. The beginning of a name stands
// beside its value, so that looking up most names reads two places in memory: with that many names each place
// is a miss of the cache. Names are not copied: their text outlives the table.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace cutset {

template <class T>
class NameTable {
  public:
    const T* find(std::string_view name) const {
        if (named_.empty()) return nullptr;
        const Key key(name);
        const Slot& slot = slots_[place(key)];
        return slot.after ? &named_[slot.after - 1].value : nullptr;
    }
    // The value of a name, made if there is none yet. Valid until the next name is added.
    T& operator[](std::string_view name) {
        if (2 * (named_.size() + 1) > slots_.size()) grow();
        const Key key(name);
        Slot& slot = slots_[place(key)];
        if (!slot.after) {
            named_.push_back({key, T{}});
            slot = {key.hash, static_cast<std::uint32_t>(named_.size())};
        }
        return named_[slot.after - 1].value;
    }

  private:
    struct Key {
        std::array<std::uint64_t, 2> head{};  // its first 16 characters
        const char* text;
        std::uint32_t size, hash;

        explicit Key(std::string_view name)
            : text(name.data()), size(static_cast<std::uint32_t>(name.size())) {
            if (!name.empty()) std::memcpy(head.data(), text, std::min(sizeof head, name.size()));
            // Names that differ in the last character only, R10 … R19, stand together: who goes through a
            // text meets one after the other.
            const std::string_view group = name.substr(0, name.size() - !name.empty());
            std::uint64_t h = name.size();
            for (std::size_t i = 0; i < group.size(); i += 8) {
                std::uint64_t word = 0;
                std::memcpy(&word, text + i, std::min<std::size_t>(8, group.size() - i));
                h = (h ^ word) * 0x9E3779B97F4A7C15ull;
                h ^= h >> 29;
            }
            constexpr std::uint32_t together = 16;
            const std::uint32_t last = name.empty() ? 0 : static_cast<unsigned char>(name.back());
            hash = static_cast<std::uint32_t>(h ^ h >> 32) / together * together + last % together;
        }
        bool operator==(const Key& other) const {
            return size == other.size && head == other.head &&
                   (size <= 16 || std::memcmp(text + 16, other.text + 16, size - 16) == 0);
        }
    };
    struct Named {
        Key key;
        T value;
    };
    struct Slot {
        std::uint32_t hash = 0;
        std::uint32_t after = 0;  // position in `named_` + 1; 0: none
    };

    // Where the name is, or the empty slot where it belongs.
    std::size_t place(const Key& key) const {
        for (std::size_t i = key.hash & (slots_.size() - 1);; i = (i + 1) & (slots_.size() - 1)) {
            const Slot& slot = slots_[i];
            if (!slot.after || (slot.hash == key.hash && named_[slot.after - 1].key == key)) return i;
        }
    }
    void grow() {
        slots_.assign(std::max<std::size_t>(16, slots_.size() * 2), {});
        for (std::size_t n = 0; n < named_.size(); ++n) {
            std::size_t i = named_[n].key.hash & (slots_.size() - 1);
            while (slots_[i].after) i = (i + 1) & (slots_.size() - 1);
            slots_[i] = {named_[n].key.hash, static_cast<std::uint32_t>(n + 1)};
        }
    }

    std::vector<Named> named_;
    std::vector<Slot> slots_;  // a power of two, at least twice as many as names
};

}  // namespace cutset

#include "base/fingerprint.h"

#include <fmt/format.h>

#include <cstring>

namespace cutset {

namespace {

std::uint64_t mixed(std::uint64_t h) {
    h ^= h >> 33;
    h *= 0xff51afd7ed558ccdull;
    h ^= h >> 33;
    h *= 0xc4ceb9fe1a85ec53ull;
    return h ^ (h >> 33);
}

}  // namespace

Fingerprint fingerprint(std::string_view bytes) {
    // Four at a time, each for itself: none waits for the other's multiplications.
    constexpr std::size_t lanes = 4;
    Fingerprint sums[lanes];
    for (std::size_t k = 0; k < lanes; ++k)
        sums[k] = {0x9E3779B97F4A7C15ull ^ (bytes.size() + k), 0xC2B2AE3D27D4EB4Full + bytes.size() + k};
    const auto add = [](Fingerprint& sum, std::uint64_t word) {
        sum.high = mixed(sum.high ^ word) * 5 + 0x52dce729;
        sum.low = (sum.low ^ mixed(word + 0x165667B19E3779F9ull)) * 0x9E3779B185EBCA87ull;
        sum.low ^= sum.low >> 29;
    };
    std::size_t i = 0;
    const auto word_at = [&](std::size_t n) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + i, n);
        i += n;
        return word;
    };
    while (i + 8 * lanes <= bytes.size())
        for (Fingerprint& sum : sums) add(sum, word_at(8));
    Fingerprint& whole = sums[0];
    for (std::size_t k = 1; k < lanes; ++k) {
        add(whole, sums[k].high);
        add(whole, sums[k].low);
    }
    while (i + 8 <= bytes.size()) add(whole, word_at(8));
    const std::uint64_t last = word_at(bytes.size() - i);
    return {mixed(whole.high ^ last), mixed(whole.low + mixed(last ^ whole.high))};
}

std::string Fingerprint::text() const {
    return fmt::format("{:016x}{:016x}", high, low);
}

}  // namespace cutset

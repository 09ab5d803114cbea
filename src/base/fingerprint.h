// 128 bits of a text, for keys and checks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cutset {

struct Fingerprint {
    std::uint64_t high = 0, low = 0;
    bool operator==(const Fingerprint&) const = default;
    std::string text() const;  // 32 hexadecimal digits
};
Fingerprint fingerprint(std::string_view bytes);

}  // namespace cutset

// Names in pictures of structure. Private to src/operations.
#pragma once

#include <string>

#include "results/canvas.h"

namespace cutset {

inline constexpr Colour ink{34, 34, 34};
inline constexpr double picture_margin = 18;

// The letters of pixel pictures are somewhat wider.
inline double text_room(const std::string& text, double size) {
    return 1.12 * helvetica_width(text, size);
}

inline std::string shortened(const std::string& name, std::size_t longest) {
    const std::u32string text = decode_utf8(name);
    if (text.size() <= longest) return name;
    std::string result;
    for (std::size_t i = 0; i < longest - 1; ++i) result += encode_utf8(text[i]);
    return result + "…";
}

}  // namespace cutset

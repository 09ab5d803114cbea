// Characters of UTF-8 texts that may be anything, also rubbish.
#pragma once

#include <string>
#include <string_view>

namespace cutset {

// Bytes of the character at the beginning of a text that is not empty; 0 when there is none.
inline std::size_t character_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xC0) != 0x80) return 0;
    // Longer than necessary, half of a pair, or beyond the last one.
    if ((first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) > 0x9F) ||
        (first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) > 0x8F))
        return 0;
    return length;
}

// For a terminal: a blank for each control character but the end of a line, `?` for each byte that is no
// character.
inline std::string printable(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = character_length(text);
        const auto first = static_cast<unsigned char>(text.front());
        if (length == 0)
            out += '?';
        else if ((first < 0x20 && first != '\n') || first == 0x7F ||
                 (first == 0xC2 && static_cast<unsigned char>(text[1]) < 0xA0))
            out += ' ';
        else
            out += text.substr(0, length);
        text.remove_prefix(length ? length : 1);
    }
    return out;
}

}  // namespace cutset

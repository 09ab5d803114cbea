// Numbers as text: the shortest decimal that reads back as the same number, as std::to_chars writes it and in
// half the time, since this is a good part of a short run.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>

#include "results/writer.h"

namespace cutset {

namespace {

static_assert(std::endian::native == std::endian::little);

// The eight digits of a number below 10^8, the first in the lowest byte: four, two and one at a time, all
// side by side in one word.
std::uint64_t eight_digits(std::uint32_t number) {
    std::uint64_t x = number / 10000 | std::uint64_t(number % 10000) << 32;
    std::uint64_t tens = (x * 10486 >> 20) & 0x0000007f0000007f;  // of hundreds
    x = tens | (x - 100 * tens) << 16;
    tens = (x * 103 >> 10) & 0x000f000f000f000f;
    return tens | (x - 10 * tens) << 8;
}

constexpr std::size_t room_for_digits = 24;

// The digits of a whole number above 0, to the left of `end`, before which there is room; where they begin.
char* write_digits(char* end, std::uint64_t digits) {
    constexpr std::uint64_t zeros = 0x3030303030303030;
    for (; digits >= 100'000'000; digits /= 100'000'000) {
        const std::uint64_t text = zeros | eight_digits(static_cast<std::uint32_t>(digits % 100'000'000));
        end -= 8;
        std::memcpy(end, &text, 8);
    }
    const std::uint64_t first = eight_digits(static_cast<std::uint32_t>(digits)), text = zeros | first;
    std::memcpy(end - 8, &text, 8);
    return end - 8 + std::countr_zero(first) / 8;
}

char* write_by_library(char* to, double value) {
    return std::to_chars(to, to + longest_number, value).ptr;
}

}  // namespace

char* write_number(char* to, double value) {
    if (std::isnan(value)) return std::copy_n("nan", 3, to);  // never "-nan"
    if (value == 0) {
        if (std::signbit(value)) *to++ = '-';
        *to++ = '0';
        return to;
    }
#if FMT_VERSION >= 90000 && FMT_VERSION < 120000
    const double size = std::abs(value);
    // Beyond it whole numbers have more digits than are needed to tell them apart.
    if (!(size >= 1e-300 && size < 1e15)) return write_by_library(to, value);
    if (value < 0) *to++ = '-';
    // Copies are of the longest text, whatever its length: that is faster than to look.
    char text[2 * room_for_digits];
    char* const end = text + room_for_digits;
    if (const auto whole = static_cast<std::uint32_t>(std::min(size, 1e6));
        size == whole && whole < 100'000) {
        const char* const begin = write_digits(end, whole);
        std::memcpy(to, begin, 8);
        return to + (end - begin);
    }

    auto [digits, power] = fmt::detail::dragonbox::to_decimal(size);  // size = digits*10^power
    const char* const begin = write_digits(end, digits);
    const char* last = end;
    for (; last > begin + 1 && last[-1] == '0'; --last) ++power;
    const int n = static_cast<int>(last - begin);
    const int point = n + power;  // digits before the point
    const int exponent = point - 1;
    const int fixed = power >= 0 ? point : point > 0 ? n + 1 : n + 2 - point;
    const int scientific = n + (n > 1) + 4 + (std::abs(exponent) >= 100);

    if (fixed <= scientific) {
        if (point <= 0) {
            *to++ = '0';
            *to++ = '.';
            to = std::fill_n(to, -point, '0');
            std::memcpy(to, begin, room_for_digits);
            return to + n;
        }
        if (power >= 0) {
            to = std::copy(begin, last, to);
            return std::fill_n(to, power, '0');
        }
        std::memcpy(to, begin, room_for_digits);
        std::memcpy(to + point + 1, begin + point, room_for_digits);
        to[point] = '.';
        return to + n + 1;
    }
    *to++ = *begin;
    if (n > 1) {
        *to++ = '.';
        std::memcpy(to, begin + 1, room_for_digits);
        to += n - 1;
    }
    *to++ = 'e';
    *to++ = exponent < 0 ? '-' : '+';
    const int e = std::abs(exponent);
    if (e >= 100) *to++ = static_cast<char>('0' + e / 100);
    *to++ = static_cast<char>('0' + e / 10 % 10);
    *to++ = static_cast<char>('0' + e % 10);
    return to;
#else
    return write_by_library(to, value);
#endif
}

void append_number(std::string& out, double value) {
    char text[longest_number];
    out.append(text, write_number(text, value));
}

}  // namespace cutset

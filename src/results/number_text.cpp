// Numbers as text: the shortest decimal that reads back as the same number, as std::to_chars writes it and in
// half the time, since this is a good part of a short run.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "results/writer.h"

namespace cutset {

namespace {

void append_by_library(std::string& out, double value) {
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    out.append(text, end);
}

}  // namespace

void append_number(std::string& out, double value) {
    if (std::isnan(value)) {
        out += "nan";  // never "-nan"
        return;
    }
#if FMT_VERSION >= 90000 && FMT_VERSION < 120000
    const double size = std::abs(value);
    // Beyond it whole numbers have more digits than are needed to tell them apart.
    if (!(size >= 1e-300 && size < 1e15)) return append_by_library(out, value);

    auto [digits, power] = fmt::detail::dragonbox::to_decimal(size);  // size = digits*10^power
    char text[20];
    char* const end = text + sizeof text;
    char* begin = end;
    for (; digits >= 10; digits /= 10) *--begin = static_cast<char>('0' + digits % 10);
    *--begin = static_cast<char>('0' + digits);
    const char* last = end;
    for (; last > begin + 1 && last[-1] == '0'; --last) ++power;
    const int n = static_cast<int>(last - begin);
    const int point = n + power;  // digits before the point
    const int exponent = point - 1;
    const int fixed = power >= 0 ? point : point > 0 ? n + 1 : n + 2 - point;
    const int scientific = n + (n > 1) + 4 + (std::abs(exponent) >= 100);

    char written[48];
    char* to = written;
    if (value < 0) *to++ = '-';
    if (fixed <= scientific) {
        if (point <= 0) {
            *to++ = '0';
            *to++ = '.';
            to = std::fill_n(to, -point, '0');
            to = std::copy(static_cast<const char*>(begin), last, to);
        } else if (power >= 0) {
            to = std::copy(static_cast<const char*>(begin), last, to);
            to = std::fill_n(to, power, '0');
        } else {
            to = std::copy(begin, begin + point, to);
            *to++ = '.';
            to = std::copy(static_cast<const char*>(begin) + point, last, to);
        }
    } else {
        *to++ = *begin;
        if (n > 1) {
            *to++ = '.';
            to = std::copy(static_cast<const char*>(begin) + 1, last, to);
        }
        *to++ = 'e';
        *to++ = exponent < 0 ? '-' : '+';
        const int e = std::abs(exponent);
        if (e >= 100) *to++ = static_cast<char>('0' + e / 100);
        *to++ = static_cast<char>('0' + e / 10 % 10);
        *to++ = static_cast<char>('0' + e % 10);
    }
    out.append(written, to);
#else
    append_by_library(out, value);
#endif
}

}  // namespace cutset

// Numbers as text: the shortest decimal that reads back as the same number, of those the nearest, as
// std::to_chars writes it and in a fraction of the time, since this is most of writing a CSV file.
//
// The digits by Schubfach (R. Giulietti, "The Schubfach way to render doubles", 2020): with k chosen such
// that exactly one or two multiples of 10^k, and at most one of 10^(k+1), round to the number, these are
// found from the number and the ends of its rounding interval, all times 10^-k in 128 bits and rounded to
// odd.
#include <algorithm>
#include <array>
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

using Wide = unsigned __int128;

struct Power {
    std::uint64_t high = 0, low = 0;
};
constexpr int least_power = -292, greatest_power = 324;

// 10^k for each k, scaled by a power of two into [2^127, 2^128) and rounded up.
constexpr std::array<Power, greatest_power - least_power + 1> make_powers() {
    constexpr std::size_t words = 20;  // a whole number, the lowest first
    std::array<Power, greatest_power - least_power + 1> powers{};
    const auto leading = [](const std::array<std::uint64_t, words>& number, bool exact) {
        std::size_t top = words - 1;
        while (number[top] == 0) --top;
        const int shift = std::countl_zero(number[top]);
        const auto word = [&](std::size_t below) { return below <= top ? number[top - below] : 0; };
        const auto shifted = [&](std::size_t below) {
            return shift == 0 ? word(below) : word(below) << shift | word(below + 1) >> (64 - shift);
        };
        Power p{shifted(0), shifted(1)};
        bool rest = !exact || shifted(2) != 0;
        for (std::size_t k = 3; k <= top + 1 && !rest; ++k) rest = word(k) != 0;
        if (rest && ++p.low == 0) ++p.high;
        return p;
    };
    std::array<std::uint64_t, words> number{1};
    for (int k = 0; k <= greatest_power; ++k) {
        powers[static_cast<std::size_t>(k - least_power)] = leading(number, true);
        Wide carry = 0;
        for (std::uint64_t& w : number) {
            carry += Wide(w) * 10;
            w = static_cast<std::uint64_t>(carry);
            carry >>= 64;
        }
    }
    number = {};
    number.back() = std::uint64_t(1) << 63;
    for (int k = -1; k >= least_power; --k) {
        Wide rest = 0;
        for (std::size_t i = words; i-- > 0;) {
            rest = rest << 64 | number[i];
            number[i] = static_cast<std::uint64_t>(rest / 10);
            rest %= 10;
        }
        powers[static_cast<std::size_t>(k - least_power)] = leading(number, false);
    }
    return powers;
}
constexpr auto powers_of_ten = make_powers();

// A product of 192 bits, of which the lowest 64 do not matter but for their carry.
struct Product {
    Wide high = 0;
    std::uint64_t low = 0;
    // Of 2^-128: rounded down, with its last bit set where something was lost.
    std::uint64_t rounded_to_odd() const {
        return static_cast<std::uint64_t>(high >> 64) | (static_cast<std::uint64_t>(high) > 1);
    }
};
inline Product times(const Power& g, std::uint64_t factor) {
    const Wide low = Wide(g.low) * factor;
    return {Wide(g.high) * factor + static_cast<std::uint64_t>(low >> 64), static_cast<std::uint64_t>(low)};
}
inline Product shifted(const Power& g, int by) {  // 0 < by < 64
    const std::uint64_t top = g.high >> (64 - by), middle = g.high << by | g.low >> (64 - by);
    return {Wide(top) << 64 | middle, g.low << by};
}
inline Product operator+(const Product& a, const Product& b) {
    const std::uint64_t low = a.low + b.low;
    return {a.high + b.high + (low < a.low), low};
}
inline Product operator-(const Product& a, const Product& b) {
    return {a.high - b.high - (a.low < b.low), a.low - b.low};
}

struct Decimal {
    std::uint64_t digits = 0;  // may end in zeros
    int power = 0;             // the number is digits*10^power
};

// Of a normal number above 0.
inline Decimal shortest_decimal(double number) {
    const auto bits = std::bit_cast<std::uint64_t>(number);
    const std::uint64_t fraction = bits & ((std::uint64_t(1) << 52) - 1);
    const int q = static_cast<int>(bits >> 52) - 1075;
    const std::uint64_t c = fraction | std::uint64_t(1) << 52;  // number = c*2^q
    const bool irregular = fraction == 0;                       // the number below is half as far away
    const int k = (q * 1262611 - (irregular ? 524031 : 0)) >> 22;
    const int h = q + ((-k * 1741647) >> 19) + 1;
    const Power g = powers_of_ten[static_cast<std::size_t>(-k - least_power)];

    // 4*number, and 4 times half the distance to its neighbours.
    const Product middle = times(g, c << (h + 2));
    const Product above = shifted(g, h + 1), below = irregular ? shifted(g, h) : above;
    const std::uint64_t v = middle.rounded_to_odd();
    const std::uint64_t open = c & 1;  // whether the ends round to even neighbours
    const std::uint64_t lower = (middle - below).rounded_to_odd() + open;
    const std::uint64_t upper = (middle + above).rounded_to_odd() - open;

    const std::uint64_t s = v / 4, tens = s / 10;
    const bool tens_in = lower <= 40 * tens, next_ten_in = 40 * tens + 40 <= upper;
    if (tens_in != next_ten_in) return {tens + next_ten_in, k + 1};
    const bool in = lower <= 4 * s, next_in = 4 * s + 4 <= upper;
    if (in != next_in) return {s + next_in, k};
    const std::uint64_t half = 4 * s + 2;
    return {s + (v > half || (v == half && (s & 1))), k};
}

// The eight digits of a number below 10^8, the first in the lowest byte: four, two and one at a time, all
// side by side in one word.
inline std::uint64_t eight_digits(std::uint32_t number) {
    std::uint64_t x = number / 10000 | std::uint64_t(number % 10000) << 32;
    std::uint64_t tens = (x * 10486 >> 20) & 0x0000007f0000007f;  // of hundreds
    x = tens | (x - 100 * tens) << 16;
    tens = (x * 103 >> 10) & 0x000f000f000f000f;
    return tens | (x - 10 * tens) << 8;
}
constexpr std::uint64_t zeros = 0x3030303030303030;  // "00000000"

void store(char* to, std::uint64_t eight) {
    std::memcpy(to, &eight, sizeof eight);
}
void store(char* to, Wide sixteen) {
    std::memcpy(to, &sixteen, sizeof sixteen);
}

// Seventeen digits as text, in registers: what has just been stored is slow to read again in other pieces.
struct Digits {
    char first = '0';
    Wide others = 0;  // sixteen, the next one in the lowest byte
    int count = 1;    // without zeros at the end
    int point = 0;    // how many stand before the decimal point
};
inline Digits digits_of(Decimal d) {
    constexpr std::uint64_t least = 10'000'000'000'000'000;
    for (; d.digits < least; d.digits *= 10) --d.power;
    Digits result;
    result.first = static_cast<char>('0' + d.digits / least);
    const std::uint64_t others = d.digits % least;
    const std::uint64_t front = eight_digits(static_cast<std::uint32_t>(others / 100'000'000));
    const std::uint64_t back = eight_digits(static_cast<std::uint32_t>(others % 100'000'000));
    result.others = Wide(back | zeros) << 64 | (front | zeros);
    result.count = back ? 17 - std::countl_zero(back) / 8 : front ? 9 - std::countl_zero(front) / 8 : 1;
    result.point = 17 + d.power;
    return result;
}

// Those before the point, the point, and the others; `to` has room for the longest number.
char* write_fixed(char* to, const Digits& d) {
    if (d.point <= 0) {
        store(to, zeros);
        to[1] = '.';
        to += 2 - d.point;
        *to = d.first;
        store(to + 1, d.others);
        return to + d.count;
    }
    *to = d.first;
    store(to + 1, d.others);
    if (d.count <= d.point) return to + d.point;
    to[d.point] = '.';
    store(to + d.point + 1, d.others >> 8 * (d.point - 1));
    return to + d.count + 1;
}

char* write_scientific(char* to, const Digits& d) {
    const int exponent = d.point - 1, e = std::abs(exponent);
    *to = d.first;
    to[1] = '.';
    store(to + 2, d.others);
    to += d.count > 1 ? d.count + 1 : 1;
    *to++ = 'e';
    *to++ = exponent < 0 ? '-' : '+';
    if (e >= 100) *to++ = static_cast<char>('0' + e / 100);
    *to++ = static_cast<char>('0' + e / 10 % 10);
    *to++ = static_cast<char>('0' + e % 10);
    return to;
}

char* write_small_whole(char* to, std::uint32_t number) {
    const std::uint64_t digits = eight_digits(number);
    const int leading = std::countr_zero(digits) / 8;
    store(to, (digits | zeros) >> 8 * leading);
    return to + 8 - leading;
}

}  // namespace

char* write_number(char* to, double value) {
    if (std::isnan(value)) return std::copy_n("nan", 3, to);  // never "-nan"
    if (std::signbit(value)) *to++ = '-';
    const double size = std::abs(value);
    if (size == 0) {
        *to++ = '0';
        return to;
    }
    // Beyond it whole numbers have more digits than are needed to tell them apart.
    if (!(size >= 1e-300 && size < 1e15)) return std::to_chars(to, to + longest_number, size).ptr;
    if (const auto whole = static_cast<std::uint32_t>(std::min(size, 1e6)); size == whole && whole < 100'000)
        return write_small_whole(to, whole);
    const Digits d = digits_of(shortest_decimal(size));
    const int fixed = d.count <= d.point ? d.point : d.point > 0 ? d.count + 1 : d.count + 2 - d.point;
    const int scientific = d.count + (d.count > 1) + 4 + (std::abs(d.point - 1) >= 100);
    return fixed <= scientific ? write_fixed(to, d) : write_scientific(to, d);
}

void append_number(std::string& out, double value) {
    char text[longest_number];
    out.append(text, write_number(text, value));
}

}  // namespace cutset

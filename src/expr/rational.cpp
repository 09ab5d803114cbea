#include "expr/rational.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/diagnostic.h"

namespace cutset {

// GMP's own conversion cuts off.
double nearest(const Rational& r) {
    const double cut = r.get_d();
    if (!std::isfinite(cut)) return cut;
    const double next = std::nextafter(cut, r < 0 ? -INFINITY : INFINITY);
    if (!std::isfinite(next)) return cut;
    const Rational below = abs(Rational(r - Rational(cut))), above = abs(Rational(r - Rational(next)));
    return below <= above ? cut : next;
}

std::optional<Rational> rational_from_text(std::string_view text) {
    std::string digits;
    long exponent = 0;
    bool point = false, any = false;
    std::size_t i = 0;
    bool negative = false;
    if (i < text.size() && (text[i] == '-' || text[i] == '+')) negative = text[i++] == '-';
    for (; i < text.size(); ++i) {
        if (text[i] == '.' && !point) {
            point = true;
        } else if (text[i] >= '0' && text[i] <= '9') {
            any = true;
            digits += text[i];
            if (point) --exponent;
        } else {
            break;
        }
    }
    if (!any) return std::nullopt;
    if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
        const std::string rest(text.substr(i + 1));
        char* end = nullptr;
        exponent += std::strtol(rest.c_str(), &end, 10);
        if (end == rest.c_str() || *end) return std::nullopt;
    } else if (i != text.size()) {
        return std::nullopt;
    }
    if (std::labs(exponent) > 400 || digits.size() > 400) return std::nullopt;
    Integer scale;
    mpz_ui_pow_ui(scale.get_mpz_t(), 10, static_cast<unsigned long>(std::labs(exponent)));
    Rational value{Integer(digits, 10)};
    if (exponent > 0)
        value *= scale;
    else
        value /= scale;
    value.canonicalize();
    return negative ? Rational(-value) : value;
}

Rational simple_rational(double value) {
    CUTSET_ASSERT(std::isfinite(value));
    if (value == 0) return 0;
    const std::string text = fmt::format("{}", value);
    const Rational decimal = rational_from_text(text).value_or(Rational(value));
    // Few digits: it was meant as written.
    std::size_t digits = 0;
    for (char c : text.substr(0, text.find('e'))) digits += c >= '0' && c <= '9';
    if (digits < 12) return decimal;
    // Continued fraction, until within three units of the last place.
    const double size = std::fabs(value);
    Rational rest{Rational(size)};
    Integer p0 = 0, q0 = 1, p1 = 1, q1 = 0;
    for (int k = 0; k < 30; ++k) {
        const Integer whole = rest.get_num() / rest.get_den();
        const Integer p2 = whole * p1 + p0, q2 = whole * q1 + q0;
        p0 = p1, q0 = q1, p1 = p2, q1 = q2;
        Rational guess(p1, q1);
        guess.canonicalize();
        if (std::fabs(guess.get_d() - size) <= 3 * 2.3e-16 * size) {
            // Only a fraction much shorter than the decimal counts as meant.
            if (p1 < 1000000 && q1 < 1000000) return value < 0 ? Rational(-guess) : guess;
            break;
        }
        rest -= whole;
        if (rest == 0) break;
        rest = 1 / rest;
    }
    return decimal;
}

std::string to_text(const Rational& value) {
    if (value.get_den() == 1) return value.get_num().get_str();
    // Denominator 2^a 5^b: a decimal, when it is short.
    Integer rest = value.get_den();
    unsigned twos = 0, fives = 0;
    while (rest % 2 == 0) rest /= 2, ++twos;
    while (rest % 5 == 0) rest /= 5, ++fives;
    const unsigned places = std::max(twos, fives);
    if (rest == 1 && places <= 17) {
        Integer scale;
        mpz_ui_pow_ui(scale.get_mpz_t(), 10, places);
        const Integer scaled = abs(value.get_num()) * (scale / value.get_den());
        std::string digits = scaled.get_str();
        if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
        digits.insert(digits.size() - places, ".");
        if (digits.size() <= 18) return (value < 0 ? "-" : "") + digits;
        const double d = nearest(value);
        if (places > 6 && Rational(rational_from_text(fmt::format("{}", d)).value_or(0)) == value)
            return fmt::format("{}", d);
    }
    return value.get_str();
}

std::string to_latex(const Rational& value) {
    const std::string text = to_text(value);
    const std::size_t slash = text.find('/');
    if (slash != std::string::npos) {
        const bool negative = text[0] == '-';
        return fmt::format("{}\\frac{{{}}}{{{}}}", negative ? "-" : "",
                           text.substr(negative, slash - negative), text.substr(slash + 1));
    }
    const std::size_t e = text.find('e');
    if (e == std::string::npos) return text;
    return fmt::format("{} \\cdot 10^{{{}}}", text.substr(0, e), std::atoi(text.c_str() + e + 1));
}

}  // namespace cutset

// Exact numbers: fractions of integers, and the way from and to the numbers of programs.
#pragma once

#include <gmpxx.h>

#include <optional>
#include <string>
#include <string_view>

namespace cutset {

using Integer = mpz_class;
using Rational = mpq_class;

// "1.25e-3" → 1/800; nothing for what is no number, or for exponents beyond ±400.
std::optional<Rational> rational_from_text(std::string_view text);
// The fraction that the shortest decimal of `value` is, or a simpler one within rounding of it (0.333…3 →
// 1/3).
Rational simple_rational(double value);
// The nearest number.
double nearest(const Rational& r);
// "3", "-0.25" where that is short, else "1/3".
std::string to_text(const Rational& value);
std::string to_latex(const Rational& value);

}  // namespace cutset

// Exact numbers, and rational functions of symbols over them: the coefficients of exact polynomials. A
// coefficient without symbols is a fraction of integers and costs no more than that; with symbols it is
// numerator / denominator without a common factor, so that equal coefficients look equal and zero is seen to
// be zero.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "expr/rational.h"

namespace cutset {

// Polynomial in several symbols, numbered from 0; names are given when it is printed.
class SymbolPolynomial {
  public:
    using Monomial = std::vector<unsigned>;  // exponents by symbol, without zeros at the end

    SymbolPolynomial() = default;
    explicit SymbolPolynomial(const Rational& number);
    static SymbolPolynomial symbol(unsigned index);

    const std::map<Monomial, Rational>& terms() const { return terms_; }
    bool is_zero() const { return terms_.empty(); }
    bool is_number() const { return terms_.empty() || (terms_.size() == 1 && terms_.begin()->first.empty()); }
    Rational number() const { return terms_.empty() ? Rational(0) : terms_.begin()->second; }
    // The term that stands first in print.
    const Rational& leading() const { return terms_.rbegin()->second; }
    // One more than the highest symbol that occurs.
    unsigned symbol_count() const;
    unsigned degree(unsigned symbol) const;
    // By powers of one symbol, lowest first.
    std::vector<SymbolPolynomial> by_powers(unsigned symbol) const;

    SymbolPolynomial operator+(const SymbolPolynomial& other) const;
    SymbolPolynomial operator-(const SymbolPolynomial& other) const;
    SymbolPolynomial operator*(const SymbolPolynomial& other) const;
    SymbolPolynomial operator*(const Rational& factor) const;
    bool operator==(const SymbolPolynomial& other) const { return terms_ == other.terms_; }
    // The quotient when it leaves no remainder.
    std::optional<SymbolPolynomial> divided_by(const SymbolPolynomial& divisor) const;
    double value(const std::vector<double>& symbols) const;

    void add_term(const Monomial& monomial, const Rational& factor);

  private:
    std::map<Monomial, Rational> terms_;  // no zeros
};

// With integer coefficients that have no common factor, the leading one positive; 1 for two coprime ones.
SymbolPolynomial greatest_common_divisor(const SymbolPolynomial& a, const SymbolPolynomial& b);
// The factor that makes the coefficients integers without a common factor, the leading one positive.
Rational primitive_factor(const SymbolPolynomial& p);

class Coefficient {
  public:
    Coefficient(long number = 0) : number_(number) {}
    Coefficient(const Rational& number) : number_(number) {}
    static Coefficient symbol(unsigned index);
    static Coefficient fraction(const SymbolPolynomial& numerator, const SymbolPolynomial& denominator);

    bool is_number() const { return !parts_; }
    const Rational& number() const { return number_; }  // only when is_number()
    bool is_zero() const { return !parts_ && number_ == 0; }
    bool is_one() const { return !parts_ && number_ == 1; }
    SymbolPolynomial numerator() const;
    SymbolPolynomial denominator() const;

    Coefficient operator+(const Coefficient& other) const;
    Coefficient operator-(const Coefficient& other) const;
    Coefficient operator*(const Coefficient& other) const;
    Coefficient operator/(const Coefficient& other) const;  // by what is not zero
    Coefficient operator-() const;
    Coefficient& operator+=(const Coefficient& other) { return *this = *this + other; }
    Coefficient& operator-=(const Coefficient& other) { return *this = *this - other; }
    Coefficient& operator*=(const Coefficient& other) { return *this = *this * other; }
    bool operator==(const Coefficient& other) const;

    double value(const std::vector<double>& symbols = {}) const;

  private:
    struct Parts {
        SymbolPolynomial numerator, denominator;
    };
    Rational number_;
    std::shared_ptr<const Parts> parts_;
};

using SymbolNames = std::vector<std::string>;
std::string to_text(const SymbolPolynomial& p, const SymbolNames& names);
std::string to_latex(const SymbolPolynomial& p, const SymbolNames& names);
std::string to_text(const Coefficient& c, const SymbolNames& names);
std::string to_latex(const Coefficient& c, const SymbolNames& names);
// "K_p" as it stands, "alpha" as a Greek letter, "tau1" with an index.
std::string symbol_latex(const std::string& name);

}  // namespace cutset

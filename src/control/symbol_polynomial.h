// Polynomials in several symbols with exact coefficients, their greatest common divisors and the factors that
// show without a search for roots.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "expr/rational.h"

namespace cutset {

// Symbols are numbered from 0; names are given when it is printed.
class SymbolPolynomial {
  public:
    using Monomial = std::vector<unsigned>;  // exponents by symbol, without zeros at the end
    using Term = std::pair<Monomial, Rational>;

    SymbolPolynomial() = default;
    explicit SymbolPolynomial(const Rational& number);
    explicit SymbolPolynomial(long number) : SymbolPolynomial(Rational(number)) {}
    static SymbolPolynomial symbol(unsigned index);
    // Σ parts[k] · symbol^k; the parts do not have it.
    static SymbolPolynomial of_powers(const std::vector<SymbolPolynomial>& parts, unsigned symbol);

    // Ascending by the power of symbol 0, then 1, …; no coefficient is 0.
    const std::vector<Term>& terms() const { return terms_; }
    bool is_zero() const { return terms_.empty(); }
    bool is_number() const { return terms_.empty() || (terms_.size() == 1 && terms_[0].first.empty()); }
    Rational number() const { return terms_.empty() ? Rational(0) : terms_[0].second; }
    // The term that stands first in print.
    const Rational& leading() const { return terms_.back().second; }
    // One more than the highest symbol that occurs.
    unsigned symbol_count() const;
    unsigned degree(unsigned symbol) const;
    // By powers of one symbol, lowest first.
    std::vector<SymbolPolynomial> by_powers(unsigned symbol) const;
    SymbolPolynomial derivative(unsigned symbol) const;
    // With a number for a symbol.
    SymbolPolynomial at(unsigned symbol, const Rational& value) const;

    SymbolPolynomial operator+(const SymbolPolynomial& other) const;
    SymbolPolynomial operator-(const SymbolPolynomial& other) const;
    SymbolPolynomial operator*(const SymbolPolynomial& other) const;
    SymbolPolynomial operator*(const Rational& factor) const;
    SymbolPolynomial operator-() const { return *this * Rational(-1); }
    bool operator==(const SymbolPolynomial& other) const { return terms_ == other.terms_; }
    // The quotient when it leaves no remainder.
    std::optional<SymbolPolynomial> divided_by(const SymbolPolynomial& divisor) const;
    double value(const std::vector<double>& symbols) const;
    // With f(c) for each coefficient c.
    template <class Function>
    SymbolPolynomial mapped(const Function& f) const {
        SymbolPolynomial out;
        for (const auto& [m, c] : terms_)
            if (Rational image = f(c); image != 0) out.terms_.emplace_back(m, std::move(image));
        return out;
    }

  private:
    static SymbolPolynomial of_terms(std::vector<Term> terms);  // in any order, also several alike

    std::vector<Term> terms_;
};

// With integer coefficients that have no common factor, the leading one positive; 1 for two coprime ones.
SymbolPolynomial greatest_common_divisor(const SymbolPolynomial& a, const SymbolPolynomial& b);
SymbolPolynomial least_common_multiple(const SymbolPolynomial& a, const SymbolPolynomial& b);
// The common divisor of the coefficients of the powers of one symbol.
SymbolPolynomial content(const SymbolPolynomial& p, unsigned symbol);
// The greatest common divisor as polynomials in one symbol, whose coefficients are functions of the others:
// without a factor that does not have the symbol.
SymbolPolynomial greatest_common_divisor_in(unsigned symbol, const SymbolPolynomial& a,
                                            const SymbolPolynomial& b);
// The factor that makes the coefficients integers without a common factor, the leading one positive.
Rational primitive_factor(const SymbolPolynomial& p);
SymbolPolynomial primitive(const SymbolPolynomial& p);

// Distinct factors, each once: powers of factors, and factors that do not have all symbols, are separated.
// None for a number.
std::vector<SymbolPolynomial> distinct_factors(const SymbolPolynomial& p);
// Coprime polynomials of whose powers all given ones are products.
std::vector<SymbolPolynomial> coprime_base(const std::vector<SymbolPolynomial>& given);

}  // namespace cutset

// Exact numbers, and rational functions of symbols over them: the coefficients of exact polynomials. A
// coefficient without symbols is a fraction of integers and costs no more than that; with symbols it is
// numerator / denominator without a common factor, so that equal coefficients look equal and zero is seen to
// be zero.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "control/symbol_polynomial.h"

namespace cutset {

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
    // Of parts without a common factor.
    static Coefficient lowest_terms(SymbolPolynomial numerator, SymbolPolynomial denominator);
    // a/b · c/d of such ones.
    static Coefficient product_of(SymbolPolynomial a, SymbolPolynomial b, SymbolPolynomial c,
                                  SymbolPolynomial d);

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

// Polynomials in one variable (s or z) with exact coefficients, which may hold symbols.
#pragma once

#include <complex>
#include <string>
#include <utility>
#include <vector>

#include "control/coefficient.h"

namespace cutset {

class ExactPolynomial {
  public:
    ExactPolynomial() = default;
    ExactPolynomial(const Coefficient& constant) : ExactPolynomial(std::vector<Coefficient>{constant}) {}
    ExactPolynomial(long constant) : ExactPolynomial(Coefficient(constant)) {}
    // Lowest power first.
    explicit ExactPolynomial(std::vector<Coefficient> coefficients);
    static ExactPolynomial variable() { return ExactPolynomial({Coefficient(0), Coefficient(1)}); }
    static ExactPolynomial power_of_variable(std::size_t power);

    bool is_zero() const { return coefficients_.empty(); }
    bool is_constant() const { return coefficients_.size() <= 1; }
    bool is_one() const { return coefficients_.size() == 1 && coefficients_[0].is_one(); }
    bool is_numeric() const;
    // -1 for the polynomial 0.
    int degree() const { return static_cast<int>(coefficients_.size()) - 1; }
    Coefficient operator[](int power) const {
        return power >= 0 && power <= degree() ? coefficients_[static_cast<std::size_t>(power)]
                                               : Coefficient();
    }
    const Coefficient& leading() const { return coefficients_.back(); }
    const std::vector<Coefficient>& coefficients() const { return coefficients_; }

    ExactPolynomial operator+(const ExactPolynomial& other) const;
    ExactPolynomial operator-(const ExactPolynomial& other) const;
    ExactPolynomial operator*(const ExactPolynomial& other) const;
    ExactPolynomial operator-() const;
    ExactPolynomial scaled(const Coefficient& factor) const;
    bool operator==(const ExactPolynomial& other) const { return coefficients_ == other.coefficients_; }
    ExactPolynomial derivative() const;
    ExactPolynomial monic() const;  // of what is not zero
    ExactPolynomial to_power(unsigned exponent) const;
    Coefficient at(const Coefficient& point) const;

    // Highest power first, as files have them; symbols by their values.
    std::vector<double> numbers(const std::vector<double>& symbols = {}) const;

  private:
    void trim();
    std::vector<Coefficient> coefficients_;
};

// One more than the highest symbol that occurs.
unsigned symbol_count(const ExactPolynomial& p);
// p = numerator / denominator, polynomials in the symbols and, as symbol `variable`, in s.
struct ClearedPolynomial {
    SymbolPolynomial numerator, denominator;
};
ClearedPolynomial cleared(const ExactPolynomial& p, unsigned variable);
ExactPolynomial polynomial_in(unsigned variable, const SymbolPolynomial& p);

// Quotient and remainder.
std::pair<ExactPolynomial, ExactPolynomial> divide(const ExactPolynomial& a, const ExactPolynomial& b);
// Monic; 0 for two zeros.
ExactPolynomial greatest_common_divisor(const ExactPolynomial& a, const ExactPolynomial& b);
ExactPolynomial least_common_multiple(const ExactPolynomial& a, const ExactPolynomial& b);

// p = leading · Π factor_i ^ multiplicity_i with monic factors that have simple roots only (Yun); the
// multiplicities are exact.
struct PowerFactor {
    ExactPolynomial factor;
    unsigned multiplicity = 1;
};
std::vector<PowerFactor> square_free_factors(const ExactPolynomial& p);
// As above, and rational roots as factors of their own, in the order of their multiplicity, then of their
// roots; with symbols the distinct factors.
std::vector<PowerFactor> simple_factors(const ExactPolynomial& p);

// Roots with multiplicity, right to the last digit: those of each factor with simple roots, refined with many
// digits. Numeric coefficients only.
std::vector<std::complex<double>> roots(const ExactPolynomial& p);

// "s^3 + a*s^2 + (k + 2)*s + k"
std::string to_text(const ExactPolynomial& p, const std::string& variable, const SymbolNames& names);
std::string to_latex(const ExactPolynomial& p, const std::string& variable, const SymbolNames& names);
// "2*(s + 1)^2*(s + 3)"
std::string factored_text(const ExactPolynomial& p, const std::string& variable, const SymbolNames& names);
std::string factored_latex(const ExactPolynomial& p, const std::string& variable, const SymbolNames& names);

// num/den of a transfer function, not cancelled unless asked for.
struct ExactFraction {
    ExactPolynomial numerator, denominator = ExactPolynomial(1);
    bool is_proper() const { return numerator.degree() <= denominator.degree(); }
};
ExactFraction operator+(const ExactFraction& a, const ExactFraction& b);
ExactFraction operator*(const ExactFraction& a, const ExactFraction& b);
// Without common factors, the denominator monic.
ExactFraction reduced(const ExactFraction& f);

}  // namespace cutset

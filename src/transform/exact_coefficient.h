// Coefficients of equations, as formulas with their exact values: what is zero is seen to be zero, and
// nothing that is only the rounding of a sum is taken for a number. A coefficient of numbers is a fraction
// and becomes one number when it is written back; one of parameters keeps its formula beside the fraction
// that it is in this run.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "expr/rational.h"
#include "transform/analysis.h"
#include "transform/modular_gradient.h"

namespace cutset::passes {

struct Coefficient {
    Expr formula = nullptr;
    std::optional<Rational> value;  // nothing: it varies, or has no value
};

class ExactArithmetic {
  public:
    // `remembers`: the values that are asked for are remembered as decisions.
    ExactArithmetic(Analysis& a, bool remembers);

    Coefficient of(Expr e);
    Coefficient number(const Rational& value);
    Coefficient product(const Coefficient& x, const Coefficient& y);
    Coefficient quotient(const Coefficient& x, const Coefficient& y);
    Coefficient sum(const Coefficient& x, const Coefficient& y);
    Coefficient negative(const Coefficient& x);
    // Whether the value comes out of the formula again: numbers in it may be rounded.
    bool is_reproducible(const Coefficient& c);
    // For the parameters of this run, whatever else varies.
    bool is_zero(const Coefficient& c);

    // Partial derivatives modulo a prime.
    ModularGradient& gradient() { return gradient_; }

  private:
    std::optional<Rational> exact(Expr parametric);
    std::optional<Rational> fraction(Expr parametric);
    std::optional<std::uint64_t> residue(Expr e);

    Analysis& a_;
    bool remembers_;
    NodeMap<std::optional<Rational>> values_, fractions_;
    NodeMap<std::optional<std::uint64_t>> residues_;
    ModularGradient gradient_;
};

// A sum by its terms: coefficients by what they stand before, which is a variable where the sum is linear in
// it with a parametric coefficient, 1, or anything else without parametric factors.
using ExactSum = std::map<std::uint32_t, std::pair<Expr, Coefficient>>;  // by the id of the node
ExactSum exact_sum(Analysis& a, ExactArithmetic& exact, Expr e);
// total += factor*terms, without what cancels.
void add_multiple(ExactArithmetic& exact, ExactSum& total, const Coefficient& factor, const ExactSum& terms);
Expr written_out(Analysis& a, const ExactSum& sum);

}  // namespace cutset::passes

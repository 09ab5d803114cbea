// Stability of a polynomial without its roots: the tables of Routh (left half-plane) and Jury (unit circle),
// exactly and with symbols.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "control/exact_polynomial.h"

namespace cutset {

// `polynomial` > 0, or >= for what must hold at the border too.
struct StabilityCondition {
    SymbolPolynomial positive;
};

struct StabilityTable {
    std::vector<std::vector<Coefficient>> table;  // rows of the scheme; the first column decides
    std::vector<std::string> row_names;           // "s^3", …
    int rows_left_out = 0;                        // at the end, because their elements are too long to read
    bool uses_epsilon = false;  // a zero in the first column was replaced by a small number; last symbol
    // The scheme had a row of zeros: this polynomial divides the one given, and its roots lie symmetric about
    // the boundary.
    std::optional<ExactPolynomial> symmetric_factor;

    // With symbols: all hold exactly when all roots are stable. `never`: they cannot.
    std::vector<StabilityCondition> conditions;
    bool never = false;

    // Without symbols: how many roots.
    std::optional<int> unstable, on_boundary;
    // One symbol only: where the conditions hold; open intervals, infinite ends for none.
    struct Interval {
        double low, high;
    };
    std::optional<std::vector<Interval>> intervals;
    unsigned interval_symbol = 0;
};

// Degree >= 1; `variable` names the rows, `symbol_count` is how many symbols there are.
StabilityTable routh(const ExactPolynomial& p, const std::string& variable, unsigned symbol_count);
// The scheme has the polynomial, highest power first, and what is left after each reduction.
StabilityTable jury(const ExactPolynomial& p, const std::string& variable);

// Variance of y = B/A e for white noise e of variance 1 in a stable sampled system (Åström's form of Jury's
// table); nothing when B has a higher degree than A, or a pivot vanishes.
std::optional<Coefficient> sampled_variance(const ExactPolynomial& numerator,
                                            const ExactPolynomial& denominator);
// The same of a continuous system with white noise of spectral density 1: ∫ g(t)² dt. B must be of lower
// degree than A.
std::optional<Coefficient> continuous_variance(const ExactPolynomial& numerator,
                                               const ExactPolynomial& denominator);

}  // namespace cutset

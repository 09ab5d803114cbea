// Matrices of polynomials in several symbols: determinants without fractions, resultants, and the values of
// the symbols for which a result does not hold.
#pragma once

#include <vector>

#include "control/exact_matrix.h"

namespace cutset {

using SymbolMatrix = DenseMatrix<SymbolPolynomial>;

// Elimination without fractions (Bareiss).
SymbolPolynomial determinant(SymbolMatrix m);
// Zero where the leading coefficients vanish together, or both have a root in common.
SymbolPolynomial resultant(const SymbolPolynomial& a, const SymbolPolynomial& b, unsigned symbol);

// Values of the symbols for which a result may be another than the one that holds for almost all: where one
// of these polynomials vanishes.
struct ExceptionalValues {
    std::vector<SymbolPolynomial> zeros;  // the short ones first
    bool complete = true;                 // false: there are more that would be too long to write down

    void add(const SymbolPolynomial& p);
    void add(const ExceptionalValues& others);
    // Where a denominator of a coefficient vanishes.
    void add_denominators(const ExactPolynomial& p);
    void add_denominators(const ExactMatrix& m);
};

}  // namespace cutset

// Smith and Smith-McMillan forms from minors, for matrices with symbols.
//
// The greatest common divisor of all minors of order k, of fractions the one of the numerators over the least
// common multiple of the denominators, is the product of the first k elements of the diagonal. No fractions
// of symbols are made on the way, and no transformations: those are long where there are symbols.
#pragma once

#include <vector>

#include "control/symbol_matrix.h"

namespace cutset {

// Each row as polynomials in the symbols and, as symbol `variable`, in s, over a polynomial in the symbols.
struct ClearedRows {
    SymbolMatrix numerators;
    std::vector<SymbolPolynomial> denominators;  // by row
};
ClearedRows cleared_rows(const PolynomialMatrix& p, unsigned variable);
unsigned symbol_count(const PolynomialMatrix& p);

struct GenericDiagonal {
    std::vector<ExactFraction> elements;  // each in lowest terms, as many as the rank
    ExceptionalValues exceptions;
};
// Of at most 64 rows and columns.
GenericDiagonal diagonal_from_minors(const std::vector<std::vector<ExactFraction>>& g);

// The row Hermite form of a matrix of full column rank, without its zero rows and without the transformation:
// the greatest common right divisor of the rows. The diagonal comes from minors, what stands above it from
// linear equations.
PolynomialMatrix right_divisor(const PolynomialMatrix& p);

// Values for which the minors of the highest order of a matrix have a common root. Nothing when they have one
// for all values.
ExceptionalValues common_roots_of_minors(const PolynomialMatrix& p);

}  // namespace cutset

// Polynomial matrices: Smith, Hermite and reduced forms, exactly (Kailath, Linear Systems, ch. 6).
#pragma once

#include <vector>

#include "control/symbol_matrix.h"
#include "control/transfer_text.h"

namespace cutset {

// form = left * p * right with unimodular left and right; the diagonal is monic and each element divides the
// next.
struct SmithForm {
    PolynomialMatrix form, left, right;
    std::vector<ExactPolynomial> invariants;  // the nonzero diagonal
    ExceptionalValues exceptions;
};
// By row and column operations.
SmithForm smith_form(const PolynomialMatrix& p);
// By minors: with symbols, without left and right.
SmithForm generic_smith_form(const PolynomialMatrix& p);

// left * g * right = diag(numerators_i / denominators_i), each in lowest terms: e_i divides e_(i+1),
// psi_(i+1) divides psi_i.
struct SmithMcMillanForm {
    std::vector<ExactFraction> diagonal;  // of the rank of g
    PolynomialMatrix left, right;
    std::size_t rows = 0, columns = 0;
    ExactPolynomial poles, zeros;  // products of the denominators and of the numerators
    ExceptionalValues exceptions;
    int degree() const { return poles.degree(); }
};
SmithMcMillanForm smith_mcmillan_form(const ExactTransferMatrix& g);
SmithMcMillanForm generic_smith_mcmillan_form(const ExactTransferMatrix& g);

// form = left * p: upper triangular, monic pivots, above each pivot smaller degrees.
struct HermiteForm {
    PolynomialMatrix form, transformation;
};
HermiteForm row_hermite_form(const PolynomialMatrix& p);
// form = p * right: lower triangular, monic pivots, smaller degrees to the left of each pivot.
HermiteForm column_hermite_form(const PolynomialMatrix& p);

ExactPolynomial determinant(const PolynomialMatrix& p);

// -1 for a column of zeros.
std::vector<int> column_degrees(const PolynomialMatrix& p);
// Coefficients of s^degree in each column.
ExactMatrix leading_column_coefficients(const PolynomialMatrix& p, const std::vector<int>& degrees);

}  // namespace cutset

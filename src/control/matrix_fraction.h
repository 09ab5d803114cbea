// Matrix fractions G = N D^-1 (right) and G = D^-1 N (left) of a transfer matrix, coprime and reduced, and
// their realisations (Kailath, Linear Systems, sections 6.2 to 6.4), exactly.
#pragma once

#include <optional>

#include "control/polynomial_matrix.h"

namespace cutset {

// Right: G = N D^-1. The left fraction D^-1 N is the right one of the transposed G, transposed.
struct MatrixFraction {
    PolynomialMatrix N, D;
};

// From the least common denominator of each column (right) or row (left).
MatrixFraction right_fraction(const ExactTransferMatrix& g);
MatrixFraction left_fraction(const ExactTransferMatrix& g);

// The greatest common right (left) divisor taken out, in Hermite form.
struct CoprimeFraction {
    MatrixFraction fraction;
    PolynomialMatrix divisor;  // N = N' R, D = D' R; left: N = L N', D = L D'
};
CoprimeFraction right_coprime(const MatrixFraction& f);
CoprimeFraction left_coprime(const MatrixFraction& f);

// D with independent leading coefficients of its columns (right) or rows (left).
struct ReducedFraction {
    MatrixFraction fraction;
    PolynomialMatrix transformation;  // unimodular: N' = N U, D' = D U; left: U N, U D
};
ReducedFraction column_reduced(const MatrixFraction& f);
ReducedFraction row_reduced(const MatrixFraction& f);

// Controller form of a column-reduced right fraction, observer form of a row-reduced left one. G must be
// proper.
ExactStateSpace controller_form(const MatrixFraction& right);
ExactStateSpace observer_form(const MatrixFraction& left);
// Basis b1, A b1, … found by columns (crate 1: each input's chain to its end) or by rows (crate 2: b1, b2, A
// b1, …) of Kailath's crate. Nothing when the system is not controllable (observable).
enum class Crate { Columns, Rows };
std::optional<ExactStateSpace> controllability_form(const ExactStateSpace& system, Crate crate);
std::optional<ExactStateSpace> observability_form(const ExactStateSpace& system, Crate crate);

// Numerator and denominator as a transfer matrix again; nothing when D is singular.
std::optional<ExactTransferMatrix> transfer_matrix_of(const MatrixFraction& f, bool left);

// C (sI - A)^-1 B + D, each element in lowest terms (Faddeev and Leverrier).
ExactTransferMatrix transfer_matrix_of(const ExactStateSpace& system);
// det(sI - A)
ExactPolynomial characteristic_polynomial(const ExactMatrix& A);

// Smallest realisation of a proper transfer matrix: controller form of its coprime fraction.
ExactStateSpace minimal_realization(const ExactTransferMatrix& g);

}  // namespace cutset

// Polynomials with real coefficients in double precision, highest power first as control engineers write
// them.
#pragma once

#include <complex>
#include <vector>

namespace cutset {

using Complex = std::complex<double>;

// Roots as eigenvalues of the balanced companion matrix, refined by Newton's method where that helps. Zeros
// before the first coefficient do not count; empty for a constant or when a coefficient is not finite.
std::vector<Complex> polynomial_roots(std::vector<double> coefficients);

// Multiple roots come out of rounding as a ring of simple ones. A group of roots whose spread is what
// rounding of the coefficients explains is one root of that multiplicity, placed in the middle of the ring.
struct RootGroup {
    Complex root;
    unsigned multiplicity = 1;
};
std::vector<RootGroup> root_groups(const std::vector<double>& coefficients);
// The same by distance alone: within `tolerance` relative to their size.
std::vector<RootGroup> group_roots(std::vector<Complex> roots, double tolerance);

// Π (s - root), real: complex roots in pairs.
std::vector<double> polynomial_from_roots(const std::vector<Complex>& roots);
std::vector<double> multiply(const std::vector<double>& a, const std::vector<double>& b);
std::vector<double> add(const std::vector<double>& a, const std::vector<double>& b, double factor_of_b = 1);
std::vector<double> derivative(const std::vector<double>& p);
Complex value_at(const std::vector<double>& p, Complex s);
// Without zeros in front; at least one coefficient.
std::vector<double> trimmed(std::vector<double> p);

// By real part, then by size of the imaginary part, conjugates together with the positive imaginary part
// first.
void sort_roots(std::vector<Complex>& roots);
// Roots of a real polynomial that ought to be real or conjugate are made exactly so.
void pair_conjugates(std::vector<Complex>& roots);

}  // namespace cutset

// One transfer function by its zeros, poles and gain:
//
//     G(s) = gain · Π (s - zero) / Π (s - pole) · exp(-delay·s),   sampled: the same in z =
//     exp(s·sample_time)
//
// In this form its phase is known without guessing: each factor has an angle that is continuous along the
// imaginary axis.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "control/polynomial.h"
#include "control/state_space.h"
#include "control/transfer_text.h"

namespace cutset {

struct TransferFunction {
    std::vector<Complex> zeros, poles;
    double gain = 0;
    double delay = 0;  // s
    std::optional<double> sample_time;

    bool is_zero() const { return gain == 0; }
    std::vector<double> numerator() const;    // highest power first
    std::vector<double> denominator() const;  // monic
    // Of the variable, s or z; without the delay.
    Complex at(Complex variable) const;
    // At s, with the delay; sampled: z = exp(s·sample_time).
    Complex at_s(Complex s) const;
};

// In lowest terms. Numeric coefficients only.
TransferFunction transfer_function(const ExactFraction& f, const Rational& delay,
                                   std::optional<double> sample_time);
// From input `input` to output `output`: what is not controllable from the one or not observable at the
// other, within rounding of the balanced matrices, is taken out by orthogonal transformations; zeros by
// deflation of the zeros at infinity (Emami-Naeini and Van Dooren). Nothing when eigenvalues could not be
// computed. `known`: the poles of the whole system, where they are known (`settled_poles`): those of a
// channel that sees them all.
std::optional<TransferFunction> transfer_function(const StateSpace& system, Eigen::Index input,
                                                  Eigen::Index output,
                                                  const std::vector<Complex>* known = nullptr);

// ---- along the imaginary axis (or the unit circle), w in rad/s

struct FrequencyPoint {
    double frequency = 0;      // rad/s
    double log_magnitude = 0;  // ln|G|; ±infinity at zeros and poles on the axis
    double phase = 0;  // rad, continuous in the frequency; a root on the axis counts as if just left of it
};
FrequencyPoint frequency_point(const TransferFunction& g, double frequency);

// Frequencies that show everything: a decade beyond the slowest and fastest root (sampled: to the Nyquist
// frequency), denser near resonances and where the curve bends. `low`, `high` as asked for.
std::vector<double> frequency_grid(const std::vector<TransferFunction>& functions, std::optional<double> low,
                                   std::optional<double> high, std::size_t points = 200);

// Roots on the boundary of stability: frequencies >= 0, each with its multiplicity.
std::vector<std::pair<double, unsigned>> boundary_roots(const std::vector<Complex>& roots,
                                                        std::optional<double> sample_time);

// A root as s: itself, or ln(z)/T.
Complex as_s(Complex root, std::optional<double> sample_time);
bool is_stable(Complex root, std::optional<double> sample_time);

}  // namespace cutset

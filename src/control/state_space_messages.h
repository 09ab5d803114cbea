// What the state-space operations say to the modeller, in names of states, inputs and outputs. `check_`
// functions report and tell whether all is well.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "control/staircase.h"

namespace cutset {

// Reports the modes on or beyond the border of stability; `why` ends with "... exist", to be followed by the
// condition.
bool check_stable(const StateSpace& system, const std::string& why, Diagnostics& diagnostics);
// A state space whose matrices fit together and are finite.
bool check_system(const StateSpace& system, Diagnostics& diagnostics);

// -1.2+3i with a few digits.
std::string shown(std::complex<double> value);
// "-1 (x1, x2)": the eigenvalue and the states that take part.
std::string shown(const FixedMode& mode, const std::vector<std::string>& states);

namespace state_space_messages {

Diagnostic not_stable(const std::string& why, const std::vector<std::string>& modes, bool sampled);
Diagnostic no_convergence(const std::string& what);
Diagnostic sizes_differ(const std::string& details);
Diagnostic not_finite(const std::string& matrix);
Diagnostic not_stabilizable(const std::vector<std::string>& modes, const std::vector<std::string>& inputs);
Diagnostic not_detectable(const std::vector<std::string>& modes, const std::vector<std::string>& outputs);
// A mode on the border of stability that the weights do not see.
Diagnostic border_mode_not_weighted(const std::vector<std::string>& modes, const std::string& weight);
// The same for a noise that does not excite it.
Diagnostic border_mode_not_excited(const std::vector<std::string>& modes);
Diagnostic not_symmetric(const std::string& matrix);
Diagnostic not_definite(const std::string& matrix, bool strictly, double smallest,
                        const std::string& meaning);
Diagnostic wrong_size(const std::string& matrix, Eigen::Index rows, Eigen::Index columns,
                      Eigen::Index expected, const std::string& of);
Diagnostic riccati_failed(const std::string& equation);
Diagnostic riccati_inaccurate(const std::string& equation, double residual);
Diagnostic not_square_poles(std::size_t given, Eigen::Index order);
Diagnostic pole_without_conjugate(std::complex<double> pole);
Diagnostic cannot_place(const std::vector<std::string>& modes, const std::vector<std::string>& inputs);
Diagnostic placed_inaccurately(double error);
Diagnostic pole_not_a_number(std::complex<double> pole);
Diagnostic not_controllable_form(const std::string& form, const std::string& lacking,
                                 const std::vector<std::string>& modes);
Diagnostic ill_conditioned_form(double condition);
Diagnostic inputs_and_outputs_needed(const std::string& what);
Diagnostic one_input_one_output(const std::string& what, const std::vector<std::string>& inputs,
                                const std::vector<std::string>& outputs);
Diagnostic already_sampled(double period);
Diagnostic not_sampled();
Diagnostic delay_too_long(double delay, double period, long most);
Diagnostic bad_period(double period);
Diagnostic pole_at_tustin(double s);
Diagnostic pole_at_minus_one();
Diagnostic no_logarithm(std::complex<double> pole);
Diagnostic aliasing(std::complex<double> pole, double nyquist);
Diagnostic prewarp_range(double frequency, double nyquist);
Diagnostic algebraic_loop(const std::string& where);
Diagnostic different_sampling();
Diagnostic different_ports(const std::string& what, Eigen::Index first, Eigen::Index second);
Diagnostic responses_too_long(double duration);

}  // namespace state_space_messages

}  // namespace cutset

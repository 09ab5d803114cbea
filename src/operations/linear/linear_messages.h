// What is said about linear systems that a request names, and about the request itself.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace cutset::linear_messages {

Diagnostic unknown_signal(const std::string& what, const std::string& name,
                          const std::vector<std::string>& names);
Diagnostic no_system();
Diagnostic two_systems(const std::string& file);
Diagnostic must_be_positive(const std::string& option);
Diagnostic must_be_between(const std::string& option, std::ptrdiff_t low, std::ptrdiff_t high);
Diagnostic goes_with_only(const std::string& option, const std::string& other);
Diagnostic too_many_symbolic_states(std::size_t most, std::size_t states);
Diagnostic name_and_number_expected(const std::string& option, const std::string& text);
Diagnostic no_such_symbol(const std::string& text, const std::string& name,
                          const std::vector<std::string>& symbols);
Diagnostic denominator_becomes_zero(const std::string& element);
Diagnostic no_signals(const std::string& what);
Diagnostic fraction_and_system();
Diagnostic half_a_fraction(bool numerator_missing);
Diagnostic fraction_not_polynomial(const std::string& option);
Diagnostic fraction_sizes(bool left, std::size_t rows_n, std::size_t columns_n, std::size_t rows_d,
                          std::size_t columns_d);
Diagnostic fraction_singular();
Diagnostic fraction_not_proper();
Diagnostic no_eigenvalues();

// ---- frequency responses
Diagnostic no_margins(std::ptrdiff_t states, std::ptrdiff_t most);
Diagnostic empty_frequency_range();
Diagnostic above_nyquist_frequency(double limit);
Diagnostic zero_channel(const std::string& channel);
Diagnostic no_effect();
Diagnostic too_many_curves(std::size_t count);

// ---- root loci
Diagnostic locus_not_square(std::size_t outputs, std::size_t inputs);
Diagnostic gain_without_effect();
Diagnostic locus_without_poles();
Diagnostic locus_too_large(std::ptrdiff_t most);
Diagnostic states_change(const std::string& parameter);
Diagnostic with_value(const std::string& parameter, double value, const Diagnostic& reason);

// ---- responses
Diagnostic no_initial_states(const std::string& state);
Diagnostic wrong_number_of_states(std::ptrdiff_t given, std::ptrdiff_t order);
Diagnostic too_few_points();
Diagnostic response_overflow();
Diagnostic impulse_at_start(const std::string& output, double direct, const std::string& input);

// ---- weights and poles as text
Diagnostic not_a_matrix(const std::string& option, const std::string& text);
Diagnostic matrix_file_not_read(const std::string& option, const std::string& file);
Diagnostic not_name_and_number(const std::string& option, const std::string& part,
                               const std::string& example);
Diagnostic unknown_weight(const std::string& option, const std::string& wanted, const std::string& among,
                          const std::vector<std::string>& names, const std::string& what,
                          const std::vector<std::string>& alternatives, const std::string& other);
Diagnostic not_a_pole(const std::string& text);
Diagnostic default_weight(const std::string& option, const std::string& what);
Diagnostic wrong_cross_weight(std::ptrdiff_t rows, std::ptrdiff_t columns, std::ptrdiff_t states,
                              std::ptrdiff_t inputs);
Diagnostic no_period(bool sample_time_given);

// ---- exact transfer matrices
Diagnostic delay_not_rational(const std::string& element);
Diagnostic too_large_for_exact(std::ptrdiff_t most, std::ptrdiff_t states);
Diagnostic hermite_of_polynomials();
Diagnostic bad_crate();

// ---- stability tables
Diagnostic polynomial_and_system();
Diagnostic polynomial_in_other_variable(const std::string& variable, bool sampled);
Diagnostic no_such_polynomial_symbol(const std::string& text);
Diagnostic other_table(bool sampled);
Diagnostic several_signals();
Diagnostic delay_without_polynomial();
Diagnostic loop_not_well_posed();
Diagnostic too_large_for_table(std::ptrdiff_t states, std::ptrdiff_t most);
Diagnostic feedback_not_square();
Diagnostic feedback_with_direct_term();
Diagnostic polynomial_is_zero();
Diagnostic polynomial_is_constant(const std::string& polynomial, const std::string& variable,
                                  bool of_transfer_function);
Diagnostic degree_too_high(int most);

// ---- subspaces
Diagnostic symbols_differ(const std::string& matrix);
Diagnostic numbers_expected(const std::string& matrix, const std::string& variable);
Diagnostic no_matrix_called(const std::string& text);
Diagnostic two_matrices_needed(const std::string& option);
Diagnostic matrices_do_not_fit(const std::string& option);
Diagnostic no_solution();
Diagnostic no_subspace_question();

}  // namespace cutset::linear_messages

// What is said about transfer functions, polynomials and their matrices: one function for each message.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace cutset::polynomial_messages {

Diagnostic not_understood(Span where, const std::string& found);
Diagnostic text_ends(Span where);
Diagnostic bracket_open(Span where);
Diagnostic nested_too_deep(Span where);
Diagnostic unclear_product(Span where);
Diagnostic exponent_not_whole(Span where);
Diagnostic exponent_too_large(Span where);
Diagnostic number_out_of_range(Span where);
Diagnostic unknown_function(Span where, const std::string& name);
Diagnostic delay_not_understood(Span where);
Diagnostic delays_differ(Span where);
Diagnostic delay_below_line(Span where);
Diagnostic delay_sampled(Span where);
Diagnostic divides_by_zero(Span where);
Diagnostic two_variables(Span where);
Diagnostic not_a_polynomial(Span where);
Diagnostic ragged_matrix(Span where, std::size_t row, std::size_t found, std::size_t expected);
Diagnostic empty_matrix(Span where);

Diagnostic symbols_without_value(const std::vector<std::string>& names);
Diagnostic unknown_symbol(const std::string& name, const std::vector<std::string>& names);
Diagnostic improper(const std::string& element, int numerator, int denominator);
Diagnostic gain_out_of_range(const std::string& element);
Diagnostic zero_denominator(const std::string& element);
Diagnostic delay_needs_frequency(const std::string& element);
Diagnostic cancelled(const std::string& element, const std::string& factor, bool unstable);

}  // namespace cutset::polynomial_messages

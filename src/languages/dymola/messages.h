// What the parser says to the modeller: one function per message, place first.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace cutset::dymola {

// ---- characters
Diagnostic unterminated_comment(Span opening);
Diagnostic comment_in_comment(Span inner, Span outer);
Diagnostic unterminated_text(Span opening, bool after_name);
Diagnostic stray_character(Span where, std::string_view text);
Diagnostic malformed_number(Span where, std::string_view text);
Diagnostic number_out_of_range(Span where, std::string_view text);

// ---- brackets and words
Diagnostic unclosed_bracket(Span opening, char closing, Span reached, bool at_end = true);
Diagnostic closes_nothing(Span where, std::string_view text);
Diagnostic keyword_as_name(Span where, std::string_view word, std::string_view wanted);
Diagnostic operand_missing(Span where, std::string_view wanted, std::string_view word);
// `help` where more is known than what was wanted and found.
Diagnostic expected(Span where, std::string_view wanted, std::string_view found, std::string help = "");
Diagnostic statement_ends_early(Span where, std::string_view wanted);
Diagnostic foreign_operator(Span where, std::string_view written, std::string_view ours);
Diagnostic foreign_comment(Span where);
Diagnostic comparison_chain(Span where);
Diagnostic nesting_too_deep(Span where, int limit);
Diagnostic chain_too_long(Span where, int limit);
Diagnostic rest_not_read(Span where, std::size_t read, std::size_t size);
Diagnostic too_many_errors(Span where, std::size_t shown);
Diagnostic file_too_large(Span where);

// ---- models and structure
Diagnostic missing_end(Span opening, std::string_view construct, std::string_view name, Span reached,
                       Span suspect);
Diagnostic end_closes_nothing(Span where, Span single_statement);
Diagnostic end_names_another(Span where, std::string_view written, std::string_view model, Span opening);
Diagnostic foreign_end(Span where, std::string_view written);
Diagnostic word_after_end(Span where, std::string_view word);
Diagnostic outside_model(Span where);
Diagnostic library_not_at_top(Span where);
Diagnostic missing_then(Span where, std::string_view construct, Span opening);
Diagnostic missing_do(Span where, std::string_view construct, Span opening);
Diagnostic else_without_if(Span where, std::string_view word, Span single_statement);
Diagnostic clock_defined_twice(Span where, std::string_view name, Span first);
Diagnostic clock_is_variable(Span where, std::string_view name, Span variable);
Diagnostic clock_of_events(Span where, std::string_view word);
Diagnostic clock_count(Span where, std::string_view word, std::uint64_t least);
Diagnostic clock_ratio_too_large(Span where, std::uint64_t largest);
Diagnostic begin_alone(Span where);
Diagnostic if_needs_else(Span where);
Diagnostic case_needs_label(Span where);
Diagnostic else_not_last(Span where);
Diagnostic when_body(Span where);
Diagnostic when_only(Span where, std::string_view word);
Diagnostic structure_in_when(Span where, std::string_view word);
Diagnostic empty_when(Span where);

// ---- declarations
Diagnostic constant_needs_value(Span where, std::string_view name);
Diagnostic default_needs_value(Span where);
Diagnostic positional_after_named(Span where);
Diagnostic structure_without_parameter(Span where);
Diagnostic attribute_twice(Span where, std::string_view attribute);
Diagnostic literal_twice(Span where, std::string_view name);
Diagnostic cut_needs_name(Span where, std::string_view what);
Diagnostic two_slashes(Span where);
Diagnostic main_node(Span where);
Diagnostic path_needs_ends(Span where);
Diagnostic submodel_needs_name(Span where, std::string_view type);

// ---- equations and connections
Diagnostic assignment_in_equation(Span where);
Diagnostic missing_equals(Span where);
Diagnostic sign_starts_line(Span where);
Diagnostic nothing_connected(Span where);
Diagnostic slash_is_not_parallel(Span where);
Diagnostic not_a_connection_operand(Span where, std::string_view found);
Diagnostic call_of_member(Span where);
Diagnostic dot_outside_cut(Span where);
Diagnostic derivative_order_too_high(Span where, int limit);
Diagnostic derivative_arguments(Span where, int order);
Diagnostic procedure_needs_call(Span where);
Diagnostic der_without_brackets(Span where, std::string_view variable);

// ---- tables and functions
Diagnostic result_is_argument(Span where, std::string_view name);
Diagnostic misspelled_statement(Span where, std::string_view written, std::string_view word);
Diagnostic table_arguments(Span where);
Diagnostic table_row_length(Span where, std::size_t expected, std::size_t found);
Diagnostic table_without_data(Span where, std::string_view name);
Diagnostic function_without_result(Span where, std::string_view name);
Diagnostic not_in_function(Span where, std::string_view word);
Diagnostic external_with_body(Span where);
Diagnostic warning_in_function(Span where);

}  // namespace cutset::dymola

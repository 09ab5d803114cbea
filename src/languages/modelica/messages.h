// What is said about Modelica text. One function per message, place first.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace cutset::modelica {

// ---- characters
Diagnostic comment_without_end(Span where);
Diagnostic text_without_end(Span where);
Diagnostic quoted_name_without_end(Span where, bool after_name);
Diagnostic bad_character(Span where, std::string_view text);

// ---- syntax. `found` is what stands in the text, "" at its end.
Diagnostic unexpected_token(Span where, std::string_view found, std::string_view wanted,
                            const std::string& near_keyword);
Diagnostic keyword_as_name(Span where, std::string_view keyword, std::string_view wanted);
Diagnostic missing_semicolon(Span where, std::string_view after);
Diagnostic missing_bracket(Span where, std::string_view bracket, std::string_view found, Span opening);
Diagnostic missing_end(Span where, std::string_view construct, std::string_view name, Span opening);
Diagnostic end_of_another(Span where, std::string_view found, std::string_view wanted, Span opening);
Diagnostic wrong_block_end(Span where, std::string_view found, std::string_view wanted, Span opening);
Diagnostic end_without_beginning(Span where, std::string_view found);
Diagnostic misspelled_keyword(Span where, std::string_view found, const std::string& near);
Diagnostic equation_needs_equal(Span where, bool assignment);
Diagnostic statement_needs_assign(Span where);
Diagnostic equation_outside_section(Span where);
Diagnostic declaration_in_equations(Span where);
Diagnostic double_equal(Span where);
Diagnostic wrong_operator(Span where, std::string_view found, std::string_view right);
Diagnostic chained_relation(Span where);
Diagnostic two_signs(Span where);
Diagnostic prefix_order(Span where, std::string_view prefix, std::string_view before);
Diagnostic prefix_twice(Span where, std::string_view prefix);
Diagnostic named_before_positional(Span where);
Diagnostic not_a_target(Span where);
Diagnostic annotation_twice(Span where, Span first);
Diagnostic elements_after_external(Span where);
Diagnostic missing_class(Span where);
Diagnostic within_late(Span where);
Diagnostic number_out_of_range(Span where, std::string_view text);
Diagnostic nested_too_deeply(Span where);
Diagnostic too_many_operands(Span where);
Diagnostic errors_not_shown(Span where);

}  // namespace cutset::modelica

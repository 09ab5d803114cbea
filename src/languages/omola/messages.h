// What is said to the modeller about Omola texts.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace cutset::omola {

Diagnostic stray_character(Span where, std::string_view text);
Diagnostic ends_early(Span where, std::string_view wanted);
Diagnostic no_end(Span where, const std::string& name);
Diagnostic dot_arguments(Span where);
Diagnostic declared_twice(Span where, const std::string& name, Span first);
Diagnostic unknown_class(Span where, const std::string& name, const std::string& near);
Diagnostic unknown_name(Span where, const std::string& name, const std::string& near);
Diagnostic unknown_function(Span where, const std::string& name, const std::string& near);
Diagnostic wrong_number_of_arguments(Span where, const std::string& name, std::size_t wanted,
                                     std::size_t found);
Diagnostic unknown_category(Span where, const std::string& name);
Diagnostic unknown_type(Span where, const std::string& name, const std::string& type);
Diagnostic unknown_realization(Span where, const std::string& name);
Diagnostic no_realization_there(const std::string& choice);
Diagnostic unknown_in_expression(Span where);
Diagnostic other_case(Span where, const std::string& written, const std::string& meant, Span declared);
Diagnostic declared_automatically(Span where, const std::string& name);
Diagnostic inside_itself(Span where, const std::string& name);
Diagnostic assigns_expression(Span where);
Diagnostic terminals_differ(Span where, const std::string& name, const std::string& terminal, Span declared);
Diagnostic object_of_no_kind(Span where, const std::string& name);
Diagnostic has_no_parts(Span where, const std::string& name);
Diagnostic size_not_known(Span where, const std::string& name);
Diagnostic range_not_known(Span where, const std::string& name);
Diagnostic order_of_expression(Span where);
Diagnostic not_here(Span where);
Diagnostic not_in_event(Span where);
Diagnostic selects_structure(Span where, const std::string& name);
Diagnostic constraint_count(Span where, std::size_t relations, const std::string& names);
Diagnostic not_a_terminal(Span where, const std::string& name);
Diagnostic one_terminal(Span where, const std::string& name);
Diagnostic terminal_open(Span where, const std::string& side);
Diagnostic no_value_along(Span where, const std::string& name);
Diagnostic both_write(Span where, const std::string& a, const std::string& b);
Diagnostic across_with_through(Span where, const std::string& a, std::string_view a_is, const std::string& b,
                               std::string_view b_is, Span a_where, Span b_where);
Diagnostic quantities_differ(Span where, const std::string& a, const std::string& a_is, const std::string& b,
                             const std::string& b_is, Span a_where, Span b_where);
Diagnostic units_differ(Span where, const std::string& a, const std::string& a_is, const std::string& b,
                        const std::string& b_is, Span a_where, Span b_where);
Diagnostic words_differ(Span where, const std::string& word, const std::string& a, const std::string& a_is,
                        const std::string& b, const std::string& b_is, Span a_where, Span b_where);
Diagnostic structures_differ(Span where, const std::string& a, std::size_t a_size, const std::string& b,
                             std::size_t b_size, Span a_where, Span b_where);
Diagnostic values_differ(Span where, const std::string& a, double a_is, const std::string& b, double b_is,
                         Span a_where, Span b_where);
Diagnostic lengths_differ(Span where, const std::string& a, long a_size, const std::string& b, long b_size);
Diagnostic quantity_unit(Span where, const std::string& quantity, const std::string& unit,
                         std::string_view usual);

}  // namespace cutset::omola

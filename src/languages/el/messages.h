// What is said to the modeller about EL texts.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace cutset::el {

Diagnostic unterminated_comment(Span opening);
Diagnostic stray_character(Span where, std::string_view text);
Diagnostic unsupported_directive(Span where, std::string_view text);
Diagnostic not_a_macro(Span where);
Diagnostic macros_too_large(Span where);
Diagnostic keyword_as_name(Span where, std::string_view word, std::string_view wanted);
Diagnostic ends_early(Span where, std::string_view wanted);
Diagnostic not_constant(Span where, const std::string& name);
Diagnostic priority_not_a_number(Span where);
Diagnostic no_end(Span where, std::string_view block, const std::string& name);
Diagnostic not_a_declaration(Span where, std::string_view text);
Diagnostic counts_another(Span where, Span counted);
Diagnostic declared_twice(Span where, const std::string& name, Span first);
Diagnostic unknown_parent(Span where, const std::string& name, const std::string& near);
Diagnostic own_parent(Span where, const std::string& name);
Diagnostic label_replaces_nothing(Span where, const std::string& label);
Diagnostic label_twice(Span where, const std::string& label, Span first);
Diagnostic unknown_name(Span where, const std::string& name, const std::string& whole,
                        const std::string& near);
Diagnostic comparison_as_equation(Span where);
Diagnostic name_alone(Span where, const std::string& name);
Diagnostic unknown_function(Span where, const std::string& name, const std::string& near);
Diagnostic unknown_component(Span where, const std::string& name, const std::string& near);
Diagnostic unknown_port(Span where, const std::string& name, const std::string& near);
Diagnostic unknown_parameter(Span where, const std::string& name, const std::string& component,
                             const std::string& near);
Diagnostic unknown_data(Span where, const std::string& name, const std::string& component,
                        const std::string& near);
Diagnostic too_many_indices(Span where, const std::string& name, std::size_t dimensions);
Diagnostic index_outside(Span where, const std::string& value, const std::string& name, long size);
Diagnostic index_not_known(Span where);
Diagnostic has_no_parts(Span where, const std::string& name);
Diagnostic not_a_value(Span where, const std::string& name);
Diagnostic not_an_expression_here(Span where);
Diagnostic derivative_of_constant(Span where);
Diagnostic order_of_submodel(Span where, const std::string& name);
Diagnostic not_a_table(Span where, int dimensions, std::size_t limit);
Diagnostic wrong_number_of_arguments(Span where, const std::string& name, std::size_t wanted,
                                     std::size_t found);
Diagnostic range_not_known(Span where, const std::string& name);
Diagnostic expanded_too_far(Span where);
Diagnostic size_not_known(Span where, const std::string& name);
Diagnostic data_not_known(Span where, const std::string& name);
Diagnostic type_of_variable(Span where, const std::string& name);
Diagnostic closes_nothing(Span where, const std::string& name);
Diagnostic abstract_submodel(Span where, const std::string& name, Span declared);
Diagnostic too_many_data(Span where, const std::string& name, std::size_t wanted, std::size_t found);
Diagnostic data_from_variable(Span where, const std::string& name);
Diagnostic too_many_parameters(Span where, const std::string& name, std::size_t wanted, std::size_t found);
Diagnostic parameter_without_value(Span where, const std::string& name, const std::string& component,
                                   Span declared);
Diagnostic parameter_not_known(Span where, const std::string& name, const std::string& component,
                               Span declared);
Diagnostic inside_itself(Span where, const std::string& name, Span declared);
Diagnostic ports_differ(Span where, const std::string& a, const std::string& a_type, const std::string& b,
                        const std::string& b_type);
Diagnostic not_a_port(Span where, const std::string& name);
Diagnostic no_path(Span where, const std::string& name, const std::string& component);
Diagnostic sizes_differ(Span where, const std::string& a, std::size_t a_size, const std::string& b,
                        std::size_t b_size);
Diagnostic only_pairs(Span where, const std::string& port, const std::string& a, const std::string& b);
Diagnostic branches_both_ways(Span where, const std::string& port, const std::string& a,
                              const std::string& b);
Diagnostic joined_twice(Span where, const std::string& name, const std::string& port, Span first);
Diagnostic cardinality(Span where, const std::string& name, std::size_t joined, Span declared);
Diagnostic not_in_topology(Span where);
Diagnostic not_in_continuous(Span where);
Diagnostic not_in_discrete(Span where);
Diagnostic not_in_function(Span where);
Diagnostic not_in_bounds(Span where);
Diagnostic belongs_in(Span where, std::string_view block);
Diagnostic not_sequential(Span where);
Diagnostic event_outside_when(Span where);
Diagnostic insert_not_known(Span where);
Diagnostic stop_time_in_component(Span where);
Diagnostic assigns_derivative(Span where);
Diagnostic assigns_expression(Span where);
Diagnostic assigns_array(Span where);
Diagnostic assigns_data(Span where, const std::string& name);
Diagnostic not_always_assigned(Span where, const std::string& name);
Diagnostic call_without_out(Span where, const std::string& name);
Diagnostic not_printed(Span where, const std::string& name);
Diagnostic external_function(Span where, const std::string& name);
Diagnostic type_in_function(Span where, const std::string& name);
Diagnostic boundary_in_when(Span where, const std::string& name);
Diagnostic boundary_without_value(Span where, const std::string& name);
Diagnostic bounds_data(Span where, const std::string& name);
Diagnostic not_a_boundary(Span where, const std::string& name, const std::string& partition, Span declared);
Diagnostic state_as_boundary(Span where, const std::string& name);
Diagnostic port_boundary_open(Span where, const std::string& name);
Diagnostic init_of_element(Span where, const std::string& name);
Diagnostic init_in_part(Span where, const std::string& name);

}  // namespace cutset::el

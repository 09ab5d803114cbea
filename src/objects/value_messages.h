// What the evaluator says of expressions, in Modelica's words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/message_parts.h"

namespace cutset::objects::messages {

Diagnostic operand_type(Span where, std::string_view op, std::string_view left, std::string_view right);
Diagnostic no_overload(Span where, std::string_view op, std::string_view left, std::string_view right);
Diagnostic several_overloads(Span where, std::string_view op, std::string_view record);
Diagnostic operand_sizes(Span where, std::string_view op, std::string_view left, std::string_view right);
Diagnostic not_square(Span where, std::string_view shape);
Diagnostic condition_type(Span where, std::string_view found);
Diagnostic branch_types(Span where, std::string_view first, std::string_view second);
Diagnostic branch_sizes(Span where, std::string_view first, std::string_view second);
Diagnostic element_types(Span where, std::string_view first, std::string_view second);
Diagnostic element_sizes(Span where, std::string_view first, std::string_view second);
Diagnostic wrong_type(Span where, std::string_view what, std::string_view wanted, std::string_view found);
Diagnostic wrong_size(Span where, std::string_view what, std::string_view wanted, std::string_view found);
Diagnostic missing_field(Span where, std::string_view what, std::string_view field, std::string_view record);
Diagnostic not_known(Span where, std::string_view what, std::string_view text);
Diagnostic not_whole(Span where, double value);
Diagnostic negative_size(Span where, double value);
Diagnostic open_size(Span where);
Diagnostic too_large(Span where, double elements, std::size_t limit);
Diagnostic too_deep(Span where);
Diagnostic too_many_steps(Span where, std::string_view function, std::size_t limit);
Diagnostic index_outside(Span where, double index, std::uint32_t size, std::string_view of);
Diagnostic range_differs(Span where, std::string_view iterator, std::uint32_t first, std::uint32_t other);
Diagnostic vectorized_outputs(Span where, std::string_view function, std::size_t outputs);
Diagnostic not_parameter(Span where, std::string_view what);
Diagnostic file_not_written(Span where, std::string_view function);
Diagnostic routine_failed(Span where, std::string_view function, std::string_view problem);
Diagnostic too_many_indices(Span where, std::size_t indices, std::size_t dimensions);
Diagnostic index_type(Span where, std::string_view found);
Diagnostic varying_slice(Span where);
Diagnostic too_many_indices(Span where, std::string_view name, std::string_view shape, std::size_t given);
Diagnostic no_such_field(Span where, std::string_view field, std::string_view record, std::string_view near);
Diagnostic no_record(Span where, std::string_view name, std::string_view type);
Diagnostic end_outside(Span where);
Diagnostic range_type(Span where, std::string_view found);
Diagnostic range_step(Span where);
Diagnostic no_range(Span where, std::string_view iterator);
Diagnostic unknown_function(Span where, std::string_view name, std::string_view near);
Diagnostic argument_count(Span where, std::string_view name, std::string_view wanted, std::size_t given);
Diagnostic argument_missing(Span where, std::string_view function, std::string_view input);
Diagnostic argument_twice(Span where, std::string_view function, std::string_view input);
Diagnostic no_such_argument(Span where, std::string_view function, std::string_view input,
                            std::string_view near);
Diagnostic argument_of(Span where, std::string_view function, std::string_view wanted);
Diagnostic no_result(Span where, std::string_view function);
Diagnostic not_a_function(Span where, std::string_view name);
Diagnostic partial_function(Span where, std::string_view function);
Diagnostic not_supported(Span where, std::string_view what, std::string_view instead);
Diagnostic only_of_variable(Span where, std::string_view function);
Diagnostic no_such_solver(Span where, std::string_view name);
Diagnostic clock_count(Span where, std::string_view function, std::int64_t least);
Diagnostic varying_interval(Span where);
Diagnostic derivative_of(Span where, std::string_view what);
Diagnostic text_varies(Span where);
Diagnostic external_function(Span where, std::string_view function, std::string_view symbol);
Diagnostic assertion(Span where, std::string_view function, std::string_view text);
Diagnostic function_size(Span where, std::string_view function, std::string_view name);
Diagnostic assigned_input(Span where, std::string_view function, std::string_view name);
Diagnostic unknown_target(Span where, std::string_view function, std::string_view name,
                          std::string_view near);
Diagnostic result_count(Span where, std::string_view function, std::size_t wanted, std::size_t found);
Diagnostic not_in_function(Span where, std::string_view what);
Diagnostic function_too_wide(Span where, std::string_view function, std::size_t limit);
Diagnostic open_loop_range(Span where);
Diagnostic table_file(Span where, std::string_view file, std::string_view problem);
Diagnostic table_empty(Span where);
Diagnostic table_order(Span where);
Diagnostic used_before_assigned(Span where, std::string_view function, std::string_view name);

Diagnostic rule_left_out(Span where, std::string_view function, std::string_view rule);

}  // namespace cutset::objects::messages

// What instantiation says to the modeller: one function for each diagnostic, place first.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "ir/class_tree.h"

namespace cutset::messages {

using Text = const std::string&;
using Names = const std::vector<std::string>&;

// ---- models and names
Diagnostic nothing_to_run();
Diagnostic no_model_in_file(Text file);
Diagnostic unknown_model(Span where, Text name, Text near, Names models_of_file);
Diagnostic defined_twice(Span where, Text submodel, Text what, Text name, Span first);
Diagnostic unknown_name(Span where, Text submodel, Text name, Text in_submodel, Text model, Text near,
                        Text enclosing);
Diagnostic not_a_variable(Span where, Text submodel, Text name, Text what);
Diagnostic unknown_submodel(Span where, Text submodel, Text name, Text model, Text near, bool is_variable);
Diagnostic unknown_type(Span where, Text submodel, Text type, Text near, Names files);
Diagnostic not_in_this_structure(Span where, Text submodel, Text what, Text name);
Diagnostic submodel_not_made_yet(Span where, Text submodel, Text name);
Diagnostic contains_itself(Span where, Text submodel, Text name, Text type);
Diagnostic too_deep(Span where, Text submodel, Text name, std::size_t limit);
Diagnostic external_not_found(Span where, Text submodel, Text name, Text near, Text hidden_in);

// ---- structure
Diagnostic not_known_before_run(Span where, Text submodel, Text what, Text varying);
Diagnostic not_an_integer(Span where, Text submodel, Text what, double value);
Diagnostic negative_size(Span where, Text submodel, Text name, long value);
Diagnostic too_many_scalars(Span where, Text submodel, Text name, double count);
Diagnostic too_many_submodels(Span where, Text submodel, Text name, double count);
Diagnostic too_many_factors(Span where, Text submodel, std::size_t count, std::size_t limit);
Diagnostic product_too_large(Span where, Text submodel, Text first, Text second, double terms, double limit);
Diagnostic too_many_repetitions(Span where, Text submodel, double count);
Diagnostic index_out_of_range(Span where, Text submodel, Text name, long index, std::size_t size);
Diagnostic index_missing(Span where, Text submodel, Text name, Text shape);
Diagnostic too_many_indices(Span where, Text submodel, Text name, Text shape, std::size_t count);

// ---- parameters
Diagnostic unknown_argument(Span where, Text submodel, Text name, Text type, Text near, Names parameters);
Diagnostic argument_not_parameter(Span where, Text submodel, Text name, Text component, VariableKind kind);
Diagnostic argument_given_twice(Span where, Text submodel, Text name, Span first);
Diagnostic positional_after_named(Span where, Text submodel, Text component);
Diagnostic too_many_arguments(Span where, Text submodel, Text component, Text type, Names parameters);
Diagnostic parameters_without_value(Span where, Text submodel, Names parameters, Text first, Text component,
                                    Text in_place_type);
Diagnostic parameter_cycle(Span where, Text submodel, Names cycle);
Diagnostic parameter_varies(Span where, Text submodel, Text name, Text varying);
Diagnostic parameter_not_finite(Span where, Text submodel, Text name, Text expression);
Diagnostic parameter_size(Span where, Text submodel, Text name, Text declared, Text given);
Diagnostic constant_without_value(Span where, Text submodel, Text name);
Diagnostic variable_with_value(Span where, Text submodel, Text name);

// ---- expressions and equations
Diagnostic condition_as_number(Span where, Text submodel);
Diagnostic number_as_condition(Span where, Text submodel);
Diagnostic text_as_number(Span where, Text submodel);
Diagnostic number_too_large(Span where, Text submodel);
Diagnostic branches_differ(Span where, Text submodel);
Diagnostic else_missing(Span where, Text submodel);
Diagnostic array_where_scalar(Span where, Text submodel, Text shape);
// By what stands here, or by something in this product.
Diagnostic divided_by_zero(Span where, Text submodel, bool in_product = false);
Diagnostic division_by_array(Span where, Text submodel, Text shape);
Diagnostic equation_sizes(Span where, Text submodel, Text left, Text right);
Diagnostic equation_types(Span where, Text submodel, bool left_is_condition);
Diagnostic types_differ(Span where, Text submodel, Text left, Text right);
Diagnostic type_mismatch(Span where, Text submodel, Text variable, Text type, Span declared, Text value,
                         Text help);
Diagnostic literal_of_several(Span where, Text submodel, Text name, const std::vector<std::string>& with);
Diagnostic literal_as_number(Span where, Text submodel);
Diagnostic joined_to_itself(Span where, Text submodel);
Diagnostic unknown_function(Span where, Text submodel, Text name, Text near, bool is_variable);
Diagnostic wrong_argument_count(Span where, Text submodel, Text name, Text wanted, std::size_t given);
Diagnostic wrong_result_count(Span where, Text submodel, Text name, std::size_t wanted, std::size_t given);
Diagnostic several_results(Span where, Text submodel, Text name, std::size_t count);
Diagnostic argument_size(Span where, Text submodel, Text function, Text argument, Text declared, Text given);
Diagnostic argument_type(Span where, Text submodel, Text function, Text argument, Text wanted, Span declared,
                         Text help);
Diagnostic argument_after_named(Span where, Text submodel, Text function);
Diagnostic argument_twice(Span where, Text submodel, Text function, Text argument);
Diagnostic new_outside_when(Span where, Text submodel);
Diagnostic derivative_of_discrete(Span where, Text submodel, Text name);
Diagnostic change_of_expression(Span where, Text submodel);
Diagnostic no_derivative(Span where, Text submodel);
Diagnostic too_many_starts(Span where, Text submodel, std::size_t order);
Diagnostic start_given_twice(Span where, Text submodel, Text variable, Span first);
Diagnostic guess_of_discrete(Span where, Text submodel, Text name);
Diagnostic only_equations_in_choice(Span where, Text submodel);
Diagnostic choice_without_else(Span where, Text submodel, std::size_t equations);
Diagnostic choice_counts_differ(Span where, Text submodel, std::size_t first, std::size_t other);
Diagnostic changing_parameter_shapes(Span where, Text submodel, Text name);
Diagnostic range_not_here(Span where, Text submodel, Text name);
Diagnostic matrix_wanted(Span where, Text submodel, Text function, Text wanted, Text shape);
Diagnostic inverse_too_large(Span where, Text submodel, std::uint32_t size, std::uint32_t largest);
Diagnostic table_file_not_text(Span where, Text table);
Diagnostic table_only_linear(Span where, Text table);
Diagnostic table_one_argument(Span where, Text table, Text word);
Diagnostic table_jump_at_end(Span where, Text table, Text file, Text line);
Diagnostic table_not_in_file(Span where, Text table, Text file, Text name, Text near);
Diagnostic joined_without_unit(Span where, Text submodel, Text without, Text first, Text first_unit,
                               Text other, Text other_unit);
Diagnostic second_main(Span where, Text submodel, Text what, Span first);
Diagnostic derivative_not_here(Text option, Text path);
Diagnostic step_is_zero(Span where, Text submodel, Text variable);
Diagnostic start_of_parameter(Span where, Text submodel, Text name, Text kind);
Diagnostic state_of_other(Span where, Text submodel, Text name, Text kind);
Diagnostic state_said_twice(Span where, Text submodel, Text variable, Span first);
Diagnostic question_mark(Span where, Text submodel);
Diagnostic when_target(Span where, Text submodel, Text name, Text kind, bool reinit);
Diagnostic value_before(Span where, Text submodel, Text name);
Diagnostic delay_history(Span where, Text submodel);
Diagnostic implicit_in_if(Span where, Text submodel);
Diagnostic nothing_new(Span where, Text submodel);
Diagnostic new_not_determined(Span where, Text submodel, Text name, std::size_t equations,
                              std::size_t unknowns);
Diagnostic given_twice(Span where, Text submodel, Text name, double first, double second, Span first_where);
Diagnostic default_of_local(Span where, Text submodel, Text name, Text kind);

// ---- cuts and connections
Diagnostic unknown_cut(Span where, Text submodel, Text name, Text type, Text near, Names cuts);
Diagnostic unknown_path(Span where, Text submodel, Text name, Text type, Text near, bool is_cut, Names paths);
Diagnostic vector_not_declared(Span where, Text submodel, Text name);
Diagnostic negative_cut(Span where, Text submodel, Text name);
Diagnostic parameter_with_both_signs(Span where, Text submodel, Text name);
Diagnostic unknown_unit(Span where, Text name, Text unit, Text symbol, Text near);
Diagnostic cut_contains_itself(Span where, Text submodel, Text name);
Diagnostic node_from_outside(Span where, Text submodel, Text name, Text type);
Diagnostic no_main(Span where, Text submodel, Text component, Text type, bool has_main_path, Names cuts,
                   Names paths);
Diagnostic no_such_connection(Span where, Text submodel, Text component, Text type, Text name, bool has_path,
                              Text near);
Diagnostic not_connectable(Span where, Text submodel, Text name, Text near, bool is_variable);
Diagnostic cut_expected(Span where, Text submodel, Text what);
Diagnostic cut_expected_in_list(Span where, Text submodel, bool is_path);
Diagnostic paths_expected(Span where, Text submodel, Text op);
Diagnostic goes_on_from_other_end(Span where, Text submodel, Text op);
Diagnostic cuts_differ(Span where, Text submodel, Text why, Text a, Text b, Span declared_a, Span declared_b);
Diagnostic units_differ(Span where, Text submodel, Text a, Text unit_a, Text b, Text unit_b, Span declared_a,
                        Span declared_b);
Diagnostic quantities_differ(Span where, Text submodel, Text a, Text quantity_a, Text b, Text quantity_b,
                             Span declared_a, Span declared_b);
Diagnostic joined_parameters_differ(Span where, Text submodel, Text a, double value_a, Text b, double value_b,
                                    Span declared_a, Span declared_b);
Diagnostic structural_join(Span where, Text submodel, Text name, double before, Text from, double now);

// ---- tables
Diagnostic table_unreadable(Span where, Text table, Text file, Text problem);
Diagnostic table_row_width(Span where, Text table, std::size_t wanted, std::size_t given, Text file,
                           std::size_t line);
Diagnostic table_not_a_number(Span where, Text table, Text file, std::size_t line, Text cell);
Diagnostic table_not_rising(Span where, Text table, Text argument, double before, double after, Text file,
                            Text line);
Diagnostic table_point_twice(Span where, Text table, double x, double y, Text file, Text line);
Diagnostic table_point_missing(Span where, Text table, double x, double y, Text file);
Diagnostic table_too_short(Span where, Text table, std::size_t count, Text file);
Diagnostic table_not_constant(Span where, Text table);

// ---- functions
Diagnostic not_in_function(Span where, Text what);
Diagnostic function_unknown_name(Span where, Text function, Text name, Text near);
Diagnostic function_assigns_input(Span where, Text function, Text name, bool loop);
Diagnostic function_size(Span where, Text name);
Diagnostic function_too_large(Span where, Text function, Text name, double count, std::size_t limit);
Diagnostic function_without_result(Span where, Text function);
Diagnostic function_too_wide(Span where, Text function, std::size_t limit);
Diagnostic break_outside_loop(Span where, Text function);
Diagnostic impure_in_function(Span where, Text callee, Text function);
Diagnostic impure_in_equation(Span where, Text submodel, Text function);
Diagnostic derivative_rule(Span where, Text function, Text rule);
Diagnostic inverse_rule(Span where, Text function, Text argument, Text rule);
Diagnostic smooth_order(Span where, Text submodel);
Diagnostic size_of(Span where, Text submodel, Text shape);
Diagnostic result_not_assigned(Span where, Text function, Text name);
Diagnostic used_before_assigned(Span where, Text function, Text name);
Diagnostic result_perhaps_not_assigned(Span where, Text function, Text name);
Diagnostic calls_too_deep(Span where, Text function, std::size_t limit);

// ---- the experiment
Diagnostic unknown_setting(Text option, Text path, Text part, Text submodel, Text type, bool variable,
                           Text near);
Diagnostic setting_index(Text option, Text path, Text part, Text shape);
Diagnostic set_not_parameter(Text option, Text path, Text kind, Span declared, bool input, bool constant);
Diagnostic init_of_parameter(Text option, Text path, Text kind);
Diagnostic submodel_inputs_not_given(Span where, Text submodel, Names inputs, Span declared);

}  // namespace cutset::messages

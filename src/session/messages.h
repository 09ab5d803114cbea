// What a session says, in the words of the one who experiments. One function per message; macros have places.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace cutset::session_messages {

// ---- lines
Diagnostic no_command(const std::string& found);
Diagnostic unknown_command(const std::string& word, const std::string& near);
Diagnostic ambiguous_command(const std::string& word, const std::vector<std::string>& candidates);
Diagnostic unknown_option(const std::string& word, const std::vector<std::string>& known);
Diagnostic missing_file_name();
Diagnostic not_understood();
Diagnostic no_arguments(const std::string& command);
Diagnostic command_failed(const std::string& problem, const std::string& help);
Diagnostic one_file(const std::string& command);
Diagnostic one_name(const std::string& command);

// ---- arithmetic
Diagnostic unexpected_in_expression(const std::string& found);
Diagnostic expression_ends_early();
Diagnostic missing_parenthesis();
Diagnostic ambiguous_logarithm();
Diagnostic expression_too_deep();
Diagnostic value_not_finite();
Diagnostic function_arguments(const std::string& name, std::size_t count);

// ---- variables
Diagnostic no_system();
Diagnostic variable_expected(const std::string& found);
// `listing`: "DISP shows all".
Diagnostic unknown_variable(const std::string& name, const std::string& near, const std::string& listing,
                            std::size_t count);
Diagnostic ambiguous_variable(const std::string& name, const std::vector<std::string>& names);
Diagnostic unknown_system(const std::string& name, const std::vector<std::string>& names);
Diagnostic no_value(const std::string& name);
Diagnostic assignment_form(const std::string& command);
Diagnostic not_a_parameter(const std::string& name, const std::string& kind, const std::string& instead);
Diagnostic not_a_state(const std::string& name, const std::string& kind, const std::string& instead);
// What has no initial value of its own.
Diagnostic no_start(const std::string& name, const std::vector<std::string>& states);
Diagnostic cannot_undo(const std::string& name);
Diagnostic nothing_to_undo();
Diagnostic not_recorded(const std::string& name);
Diagnostic left_out(const std::string& name, double time, double from, double start);
Diagnostic outside_the_run(double time, double from, double to);
Diagnostic start_is_computed(const std::string& name);
Diagnostic not_an_input(const std::string& name, const std::string& kind);
Diagnostic no_run_stands(const std::string& command);

// ---- files
// `near`: a file whose name is near.
Diagnostic no_file(const std::string& name, const std::string& near = {});
Diagnostic is_directory(const std::string& name);
Diagnostic cannot_read(const std::string& path, const std::string& reason);
Diagnostic cannot_write(const std::string& path, const std::string& reason);
Diagnostic file_problem(const std::string& text);
Diagnostic would_overwrite(const std::string& path, const std::string& what);
Diagnostic changed_meanwhile(const std::string& path, const std::string& backup);
// `kept`: the file that the text was rescued to; empty for none.
Diagnostic input_ended_in_editor(const std::string& name, const std::string& kept);
Diagnostic editor_stays_open(const std::string& kept);
Diagnostic text_was_rescued(const std::string& name, const std::string& kept);
Diagnostic rescued_text_moved(const std::string& kept);
Diagnostic nothing_to_recover(const std::string& name);
Diagnostic command_leaves_editor(const std::string& word, const std::string& name);
Diagnostic list_form();
Diagnostic log_form();
Diagnostic save_form();
Diagnostic bad_saved_line(const std::string& path, std::size_t line, const std::string& text,
                          const std::string& why);
Diagnostic unknown_device(const std::string& word);

// ---- SYST
Diagnostic syst_form();
// `active`: the system that stays so; empty for none.
Diagnostic syst_was_left(const std::string& active);
Diagnostic stays_active(const std::string& model);
Diagnostic inputs_are_zero(const std::vector<std::string>& names);
Diagnostic strict_from_next_syst();

// ---- plots
Diagnostic horizontal_is_last(const std::string& found);
Diagnostic axes_form();
Diagnostic axes_limits(const std::string& axis, double low, double high);
Diagnostic logarithm_of_nothing(const std::string& axis, double low);
Diagnostic number_too_large(const std::string& text);
Diagnostic zoom_form();
Diagnostic cursor_form();
Diagnostic no_result(const std::string& path, bool last);
Diagnostic show_several_form();
Diagnostic show_form();
Diagnostic no_picture();
Diagnostic picture_ending(const std::string& path);
Diagnostic nothing_is_plotted();

// ---- runs
Diagnostic simu_form(const std::string& found);
Diagnostic simu_interval(double start, double stop);
Diagnostic negative_increment(double increment);
Diagnostic small_increment(double increment, double points, double most);
Diagnostic run_failed(double time);
Diagnostic store_form();
Diagnostic unknown_algorithm(const std::string& name, const std::vector<std::string>& names);
Diagnostic algorithm_is(const std::string& name, const std::string& remark);
Diagnostic error_form(const std::string& text);
Diagnostic error_range(double bound);
Diagnostic unknown_checkpoint(const std::string& name, const std::vector<std::string>& names);
Diagnostic branch_form();
Diagnostic turn_form();
Diagnostic unknown_switch(const std::string& word, const std::vector<std::string>& names);
Diagnostic why_form();

// ---- macros
Diagnostic macro_of_file(const std::string& name, const std::string& path);
Diagnostic macro_not_kept(const std::string& name, const std::string& reason);
Diagnostic macro_text_kept(const std::string& path);
Diagnostic only_by_person(const std::string& what, const std::string& instead);
Diagnostic macro_without_name(Span where);
Diagnostic macro_without_end(Span where, const std::string& name);
Diagnostic macro_in_macro(Span where);
Diagnostic macro_hides_command(const std::string& name);
Diagnostic formal_is_no_name(Span where, const std::string& text);
Diagnostic formal_twice(Span where, const std::string& name);
Diagnostic text_after_end(Span where);
Diagnostic label_without_name(Span where);
Diagnostic label_twice(Span where, const std::string& name);
Diagnostic unknown_label(Span where, const std::string& name, const std::vector<std::string>& labels);
Diagnostic for_without_next(Span where, const std::string& variable);
Diagnostic next_without_for(Span where, const std::string& variable, const std::string& open);
Diagnostic macro_arguments(const std::string& name, const std::vector<std::string>& formals,
                           std::size_t given);
Diagnostic macros_too_deep(const std::string& name, std::size_t limit, const std::vector<std::string>& chain);
Diagnostic endless_loop(const std::string& name, std::size_t jumps);
Diagnostic macro_interrupted(const std::string& name);
Diagnostic stopped_in_macro(Span where, const std::string& name, bool innermost);
Diagnostic only_in_macro(const std::string& word);
Diagnostic only_at_prompt(const std::string& word);
Diagnostic nothing_to_resume();
Diagnostic let_form(const std::string& word);
Diagnostic if_form();
Diagnostic texts_have_no_order(const std::string& a, const std::string& b);
Diagnostic for_form();
Diagnostic for_needs_numbers(const std::string& text);
Diagnostic step_is_zero();
Diagnostic too_many_turns();
Diagnostic read_form();
Diagnostic read_found_nothing(const std::string& name);
Diagnostic read_wants(const std::string& name, const std::string& kind);
Diagnostic read_again(const std::string& kind);
Diagnostic unknown_macro_variable(const std::string& name);
Diagnostic name_is_variable_too(const std::string& name, const std::string& value);

}  // namespace cutset::session_messages

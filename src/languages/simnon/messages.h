// What is said about Simnon text: the short words of the language's own compiler, with a help that says more.
// One function per message, place first.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "languages/simnon/system.h"

namespace cutset::simnon {

// ---- characters and expressions
Diagnostic illegal_character(Span where, std::string_view text);
Diagnostic bad_number(Span where, std::string_view text);
Diagnostic relation_not_allowed(Span where, std::string_view text);
Diagnostic missing_left_parenthesis(Span where, std::string_view function, bool closing);
Diagnostic missing_right_parenthesis(Span where, Span opening);
Diagnostic missing_bracket(Span where);
Diagnostic missing_operand(Span where, std::string_view found);
Diagnostic missing_operator(Span where, std::string_view found);
Diagnostic missing_then(Span where);
Diagnostic missing_else(Span where);
Diagnostic if_needs_brackets(Span where);
Diagnostic relation_chain(Span where);
Diagnostic wrong_argument_count(Span where, std::string_view function, std::size_t wanted, std::size_t found);
Diagnostic unknown_function(Span where, std::string_view name, const std::string& near);
Diagnostic too_deep(Span where);

// ---- lines
Diagnostic illegal_statement(Span where, std::string_view found, const std::string& near);
Diagnostic missing_heading(Span where);
Diagnostic misspelled_heading(Span where, std::string_view written, std::string_view near);
Diagnostic bad_heading(Span where);
Diagnostic missing_end(Span where, const System& system);
Diagnostic end_twice(Span where);
Diagnostic too_long(Span where, std::string_view what, std::string help = "");
Diagnostic word_as_name(Span where, std::string_view word);
Diagnostic missing_name(Span where, std::string_view what);
Diagnostic missing_number(Span where, std::string_view name);
Diagnostic no_systems(Span where);
Diagnostic too_many_errors(Span where);

// ---- tables 3 to 5
Diagnostic declaration_not_allowed(Span where, std::string_view word, SystemKind kind);
Diagnostic declaration_late(Span where, std::string_view word);
Diagnostic declared_twice(Span where, std::string_view name, Span first);
Diagnostic only_one(Span where, std::string_view word, Span first);
Diagnostic section_not_allowed(Span where, Section section, SystemKind kind);
Diagnostic section_order(Span where, Section section, Section after);
Diagnostic not_in_section(Span where, const SystemVariable& variable, Section section, SystemKind kind);
Diagnostic not_assignable(Span where, const SystemVariable& variable);
Diagnostic outside_not_allowed(Span where, SystemKind kind, std::string_view name);
Diagnostic outside_in_initial(Span where, std::string_view name);
Diagnostic not_parametric(Span where, std::string_view target, const SystemVariable& variable);
Diagnostic constant_not_allowed(Span where, const SystemVariable& variable);
Diagnostic assigned_twice(Span where, std::string_view name, Span first);
Diagnostic used_before_assigned(Span where, std::string_view name, Span assigned);
Diagnostic unassigned(Span where, std::string_view name, SystemRole role, const std::string& near);
Diagnostic ambiguous_name(Span where, std::string_view name);
Diagnostic states_do_not_match(Span where, std::string_view word, std::size_t states, std::size_t others);
Diagnostic missing_sample_time(Span where, std::string_view system);

// ---- systems together
Diagnostic unknown_system(Span where, std::string_view name, const std::string& near,
                          const std::string& directory);
Diagnostic unknown_variable(Span where, std::string_view name, const System& system, const std::string& near);
Diagnostic not_an_input(Span where, const System& system, const SystemVariable& variable);
Diagnostic not_a_continuous_state(Span where, const System& system, const SystemVariable& variable);
Diagnostic input_twice(Span where, std::string_view name, std::string_view system, Span first);
Diagnostic input_unassigned(Span where, std::string_view name, std::string_view system, Span connecting);
Diagnostic own_system(Span where, std::string_view name);
Diagnostic needs_connecting(Span where, std::string_view system, std::string_view other);
Diagnostic system_twice(Span where, std::string_view name, Span first);
Diagnostic several_connecting(Span where, Span first);
Diagnostic no_connecting(Span where, const std::vector<std::string>& names);
Diagnostic connecting_not_last(Span where, std::string_view name);
// `read_before`: the input that a sampled system reads before its sampling; empty: the loop is solved.
Diagnostic algebraic_loop(Span where, const std::vector<std::string>& variables,
                          const std::string& read_before, bool strict);

}  // namespace cutset::simnon

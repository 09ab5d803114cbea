// What can go wrong between the command line and the stages: files, options.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "ir/flat_model.h"

namespace cutset::translate_messages {

// `near`: a file whose name differs little; "" where there is none.
Diagnostic cannot_read(Span from, const std::string& path, const std::string& problem,
                       const std::string& near = "");
// A file of a library directory has errors, of which `first` is one.
Diagnostic library_left_out(const std::string& path, const Diagnostic& first);
// Simnon systems in shared libraries.
Diagnostic bad_external_system(Span from, const std::string& path, const std::string& problem);
Diagnostic external_not_allowed(Span from, const std::string& path);
// The code of a system is there, but has not been compiled.
Diagnostic not_compiled(Span from, const std::string& name, const std::string& code);
Diagnostic bad_setting(const std::string& option, const std::string& text, const std::string& form);
Diagnostic bad_experiment_line(Span where, const std::string& problem);
Diagnostic bad_input_file(const std::string& option, const std::string& file, const std::string& problem);

// Classes of languages with inheritance.
Diagnostic no_classes(const std::string& directory);
Diagnostic no_such_library(Span where, const std::string& name, const std::string& ending);
Diagnostic body_is_a_program(Span where, const std::string& name);
Diagnostic no_classes_in_file(const std::string& path);
Diagnostic no_model_in_file(const std::string& path);
Diagnostic no_such_file(Span where, const std::string& name);
Diagnostic not_omola(const std::string& path);
// `near`: a class of a library that is there, with a name that differs little; "" where there is none.
Diagnostic no_such_class(const std::string& name, const std::vector<std::string>& libraries,
                         const std::string& near);
Diagnostic experiment_not_a_number(Span where);

// Inputs that are not given, in a program in another language.
Diagnostic input_differentiated(const std::string& input);
Diagnostic inputs_are_parameters(const std::vector<std::string>& inputs);

Diagnostic unknown_output(const std::string& path, const std::string& near);
// A derivative is not available by formula.
Diagnostic no_derivative(const std::string& model);

// integral(…) with more than one argument, or one inside another.
Diagnostic bad_integral(Span where, const std::string& option, bool nested);

// Sweeps.
// A variable that is left open (an input of a linear system, of a control to be found) stands under a
// derivative.
Diagnostic open_input_differentiated(const FlatModel& model, VariableIndex input, const Equation& e);
Diagnostic bad_variation(const std::string& text);
Diagnostic bad_cases(const std::string& path, const std::string& problem);
// A value in the file of cases that is none, or one that is too large.
Diagnostic bad_case_value(const std::string& path, std::size_t line, const std::string& value,
                          bool too_large);
Diagnostic variation_too_large(const std::string& text, const std::string& value);
Diagnostic varied_twice(const std::string& option, const std::string& name);
Diagnostic too_many_cases(double count, std::size_t most);

}  // namespace cutset::translate_messages

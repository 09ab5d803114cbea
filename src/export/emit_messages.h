// What translation to another language says to the modeller.
#pragma once

#include <string>

#include "export/target_language.h"
#include "ir/partition.h"

namespace cutset::emit_messages {

Diagnostic second_derivative(TargetLanguage language, const std::string& callee, Span where);
Diagnostic impure(TargetLanguage language, const FunctionData& function);
// A condition that slides from that time on.
Diagnostic held(TargetLanguage language, const FlatModel& model, const Switch& s, double time);
Diagnostic other_mode(TargetLanguage language, double time);
Diagnostic routine_of_program(TargetLanguage language, const FunctionData& function);
Diagnostic equality_event(TargetLanguage language, const FlatModel& model, const Switch& s);
Diagnostic implicit_new(TargetLanguage language, const FlatModel& model, const WhenAssign& action);
Diagnostic restarted_candidate(TargetLanguage language, const FlatModel& model, VariableIndex v, Span where);
// Simnon: a loop that no formula solves.
Diagnostic loop_not_solved(const FlatModel& model, const Block& block);
Diagnostic not_in_simnon(const FlatModel& model, const std::string& what, const Origin& origin);

}  // namespace cutset::emit_messages

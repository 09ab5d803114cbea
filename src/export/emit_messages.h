// What translation to another language says to the modeller.
#pragma once

#include <string>

#include "ir/partition.h"

namespace cutset::emit_messages {

Diagnostic second_derivative(const std::string& language, const std::string& callee, Span where);
Diagnostic equality_event(const std::string& language, const FlatModel& model, const Switch& s);
Diagnostic restarted_candidate(const std::string& language, const FlatModel& model, VariableIndex v,
                               Span where);
// Simnon: a loop that no formula solves.
Diagnostic loop_not_solved(const FlatModel& model, const Block& block);
Diagnostic not_in_simnon(const FlatModel& model, const std::string& what, const Origin& origin);

}  // namespace cutset::emit_messages

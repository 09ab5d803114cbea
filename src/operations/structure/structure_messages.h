// The wording of `cutset structure`.
#pragma once

#include <string>

#include "base/diagnostic.h"
#include "ir/flat_model.h"

namespace cutset::structure_messages {

Diagnostic unknown_name(const std::string& option, const std::string& name, const FlatModel& model);
// The model has no states: nothing moves.
Diagnostic no_states(const std::string& model);
Diagnostic no_inputs();
Diagnostic no_outputs();
// --states with too many of them, or of arrows.
Diagnostic too_many_states(std::size_t states, std::size_t most_states, std::size_t most_arrows);
Diagnostic cannot_write(const std::string& problem);

}  // namespace cutset::structure_messages

#include "operations/structure/structure_messages.h"

#include <fmt/format.h>

#include "base/message_parts.h"
#include "ir/find_variables.h"

namespace cutset::structure_messages {

Diagnostic unknown_name(const std::string& option, const std::string& name, const FlatModel& model) {
    return make_error("unknown-name", fmt::format("{}: the model has no variable {}", option, name),
                      did_you_mean(nearest_path(model, name),
                                   "`cutset equations --flat` shows the variables of the model"));
}

Diagnostic no_states(const std::string& model) {
    return make_note("no-states",
                     fmt::format("{} has no states: every output follows the inputs at once", model));
}

Diagnostic no_inputs() {
    return make_note("no-inputs", "controllability is not judged: the model has no inputs",
                     "--inputs names some: inputs and terminals, also of submodels, or parameters");
}

Diagnostic no_outputs() {
    return make_note("no-outputs", "observability is not judged: the model has no outputs",
                     "--outputs names some: any variables");
}

Diagnostic too_many_states(std::size_t states, std::size_t most_states, std::size_t most_arrows) {
    return make_error("too-many-states",
                      fmt::format("--states: {} states and what acts between them are too many for a "
                                  "picture; at most {} states with "
                                  "{} "
                                  "arrows are drawn",
                                  states, most_states, most_arrows),
                      "leave --states out to draw subsystems; --json has A, B, C and D");
}

Diagnostic cannot_write(const std::string& problem) {
    return make_error("cannot-write", problem);
}

}  // namespace cutset::structure_messages

#include "operations/structure/structure_messages.h"

#include <fmt/format.h>

#include "ir/find_variables.h"

namespace cutset::structure_messages {

Diagnostic unknown_name(const std::string& option, const std::string& name, const FlatModel& model) {
    Diagnostic d;
    d.code = "unknown-name";
    d.message = fmt::format("{}: the model has no variable {}", option, name);
    if (const std::string near = nearest_path(model, name); !near.empty())
        d.help = fmt::format("did you mean {}?", near);
    else
        d.help = "`cutset equations --flat` shows the variables of the model";
    return d;
}

Diagnostic no_states(const std::string& model) {
    Diagnostic d;
    d.severity = Severity::Note;
    d.code = "no-states";
    d.message = fmt::format("{} has no states: every output follows the inputs at once", model);
    return d;
}

Diagnostic no_inputs() {
    Diagnostic d;
    d.severity = Severity::Note;
    d.code = "no-inputs";
    d.message = "controllability is not judged: the model has no inputs";
    d.help = "--inputs names some: inputs and terminals, also of submodels, or parameters";
    return d;
}

Diagnostic no_outputs() {
    Diagnostic d;
    d.severity = Severity::Note;
    d.code = "no-outputs";
    d.message = "observability is not judged: the model has no outputs";
    d.help = "--outputs names some: any variables";
    return d;
}

Diagnostic too_many_states(std::size_t states, std::size_t most_states, std::size_t most_arrows) {
    Diagnostic d;
    d.code = "too-many-states";
    d.message = fmt::format(
        "--states: {} states and what acts between them are too many for a picture; at most {} states with "
        "{} "
        "arrows are drawn",
        states, most_states, most_arrows);
    d.help = "leave --states out to draw subsystems; --json has A, B, C and D";
    return d;
}

Diagnostic cannot_write(const std::string& problem) {
    Diagnostic d;
    d.code = "cannot-write";
    d.message = problem;
    return d;
}

}  // namespace cutset::structure_messages

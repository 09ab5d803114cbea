#include "operations/ensembles/sensitivity_messages.h"

#include <fmt/format.h>

#include "base/bad_option.h"

namespace cutset::sensitivity_messages {

Diagnostic no_variable(const std::string& path, const std::string& near) {
    return bad_option("--of " + path + ": the model has no such variable", did_you_mean(near));
}

Diagnostic run_failed(const std::string& problem) {
    return bad_option("the run failed: " + problem);
}

Diagnostic impure(const FunctionData& function) {
    return make_error(
        function.origin.where, "no-derivative",
        fmt::format("there is no derivative: function {} is impure, and gives something else in each run",
                    function.name),
        "make it a table or an input for this question");
}

Diagnostic no_derivative(const std::string& reason) {
    return make_error(
        "no-derivative", "there is no derivative: " + reason,
        "choose values for which the events do not coincide, a sampling interval of 0.0501 instead of "
        "0.05, or compare runs with `cutset sweep`");
}

Diagnostic inexact_derivatives(const std::string& reason, const std::string& instead) {
    return make_note(
        "no-derivative",
        fmt::format("derivatives by formula cannot follow this run: {}; {} instead", reason, instead));
}

Diagnostic not_differentiable() {
    return bad_option(
        "some derivatives do not exist: the model is not differentiable at a point that the run meets",
        "square roots and powers at 0 have infinite slope; noEvent and smooth formulas near there help");
}

}  // namespace cutset::sensitivity_messages

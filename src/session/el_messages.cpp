#include "session/el_messages.h"

#include <fmt/format.h>

#include "base/message_parts.h"

namespace cutset::el_messages {

Diagnostic not_in_body(Span where, const std::string& what) {
    return make_error(
        where, "not-in-body", fmt::format("{} cannot be executed in an experiment here", what),
        "assignments, IF, FOR, WHILE, INTEG, INTEG_TO, STEADY, REPORT_TABLE, REPORT_LIST, SAVE_STATE, "
        "RESTORE_STATE, RESET_VARIABLES, PRINT and WRITE can");
}

Diagnostic computed(Span where, const std::string& name) {
    return make_error(where, "computed-variable", fmt::format("`{}` is computed by the model", name),
                      "data, boundaries without an equation and states can be given values");
}

Diagnostic unknown_in_body(Span where, const std::string& name) {
    return make_error(where, "unknown-name",
                      fmt::format("there is no `{}` in the model or the experiment", name));
}

Diagnostic without_end(Span where) {
    return make_error(where, "no-end",
                      "the program has executed ten million statements: does a loop never end?");
}

Diagnostic run_failed(Span where) {
    return make_error(where, "run-failed", "the run did not come to its end; the experiment stops here");
}

Diagnostic unknown_method(Span where, const std::string& name) {
    return make_note(where, "integration-method",
                     fmt::format("there is no method {} here: the choice is left to the run", name));
}

Diagnostic report_problem(Span where, const std::string& problem) {
    return make_error(where, "report", problem, "reports are written to files .rpt, .csv, .mat and .npz");
}

}  // namespace cutset::el_messages

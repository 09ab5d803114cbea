#include "native/messages.h"

namespace cutset::native_messages {

Diagnostic no_machine_code(const std::string& problem) {
    Diagnostic d;
    d.severity = Severity::Warning;
    d.code = "no-machine-code";
    d.message = "machine code cannot be made, equations are interpreted: " + problem;
    d.help = "results are the same, only slower; ./cutset builds the module it needs";
    return d;
}

}  // namespace cutset::native_messages

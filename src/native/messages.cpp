#include "native/messages.h"

#include "base/message_parts.h"

namespace cutset::native_messages {

Diagnostic no_machine_code(const std::string& problem) {
    return make_warning("no-machine-code",
                        "machine code cannot be made, equations are interpreted: " + problem,
                        "results are the same, only slower; ./cutset builds the module it needs");
}

}  // namespace cutset::native_messages

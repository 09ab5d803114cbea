// cutset initial.
#include "linear/response_output.h"

namespace cutset::cli {

void add_initial(CommandLine& line) {
    add_response(line, ResponseKind::Initial, "initial",
                 "response of the linear system from given states, without inputs",
                 "Examples:\n"
                 "  cutset initial closed.json --from \"x1=1\"\n"
                 "  cutset initial closed.json --from \"angle=0.1,speed=0\" --duration 3 -o decay.svg");
}

}  // namespace cutset::cli

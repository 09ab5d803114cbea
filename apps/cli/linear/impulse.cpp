// cutset impulse.
#include "linear/response_output.h"

namespace cutset::cli {

void add_impulse(CommandLine& line) {
    add_response(line, ResponseKind::Impulse, "impulse", "impulse response",
                 "Examples:\n"
                 "  cutset impulse motor.dym --inputs u --outputs w\n"
                 "  cutset impulse --tf \"1/(s+1)^2\" -o impulse.svg");
}

}  // namespace cutset::cli

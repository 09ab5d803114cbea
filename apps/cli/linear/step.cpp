// cutset step.
#include "linear/response_output.h"

namespace cutset::cli {

void add_step(CommandLine& line) {
    add_response(line, ResponseKind::Step, "step",
                 "step response, with rise time, settling time and overshoot",
                 "Examples:\n"
                 "  cutset step motor.dym --inputs u --outputs w\n"
                 "  cutset step --tf \"1/(s^2+0.4*s+1)\" -o step.svg\n"
                 "  cutset step --tf \"exp(-2*s)/(s+1)\"\n"
                 "  cutset step closed.json --duration 5 --json\n"
                 "Rise time is from 10 % to 90 %, settling within 2 % of the final value.");
}

}  // namespace cutset::cli

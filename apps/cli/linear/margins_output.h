// What bode, nyquist, nichols and margins say about a loop.
#pragma once

#include <string>

#include "base/json.h"
#include "control/margins.h"

namespace cutset::cli {

// "3 rad/s"
std::string frequency_text(double frequency, bool hertz);

Json margins_json(const Margins& margins);
// Lines about margins and the closed loop, indented by two.
std::string margins_text(const Margins& margins, bool hertz);
// Of them: the closed loop.
std::string closed_loop_text(const Margins& margins);
// Of them: unstable poles that the loop does not show; empty when there are none.
std::string hidden_text(const Margins& margins);

}  // namespace cutset::cli

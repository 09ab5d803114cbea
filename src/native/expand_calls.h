// The code of a function with the steps of what it calls in place of the calls. Powers and sums that several
// functions have in common are then computed once: enthalpy and entropy of steam share most of theirs.
#pragma once

#include <functional>

#include "ir/program.h"

namespace cutset::native {

// `inside`: whether a call is replaced, asked for each in turn, those of the code put in included. Neither
// the function nor what is put in has backward jumps, so that every step runs once at most and what was not
// set is not a number, as in a frame of its own.
FunctionCode expand_calls(const Program& program, CalleeIndex callee,
                          const std::function<bool(const CallSite&)>& inside);

}  // namespace cutset::native

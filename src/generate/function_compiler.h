// FunctionData → FunctionCode: the body of a function of the language as steps of the frame machine.
#pragma once

#include "ir/program.h"

namespace cutset {

FunctionCode compile_function(const FunctionData& function);

}  // namespace cutset

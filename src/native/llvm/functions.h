// A function of the language as a function of LLVM's intermediate representation.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

#include <string>

#include "native/function_plan.h"

namespace cutset::native {

std::string function_name(CalleeIndex callee, FunctionKind kind, bool careful);

llvm::Function* emit(llvm::Module& module, const FunctionPlan& plan);

}  // namespace cutset::native

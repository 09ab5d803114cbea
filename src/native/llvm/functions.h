// A function of the language as a function of LLVM's intermediate representation.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

#include <string>

#include "native/function_plan.h"

namespace cutset::native {

std::string function_name(CalleeIndex callee, FunctionKind kind, bool careful);

// `relocatable`: what it calls is named by call site (native/llvm/object_image.h), else by function_name.
llvm::Function* emit(llvm::Module& module, const FunctionPlan& plan, const std::string& name,
                     bool relocatable);

}  // namespace cutset::native

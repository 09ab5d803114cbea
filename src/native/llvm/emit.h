// A piece of a plan as one function of LLVM's intermediate representation.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

#include <string>

#include "native/compiler.h"

namespace cutset::native {

// `relocatable`: places are names (native/llvm/object_image.h), else they are numbers in the code.
llvm::Function* emit(llvm::Module& module, const Piece& piece, const std::string& name, bool optimise,
                     bool relocatable);

}  // namespace cutset::native

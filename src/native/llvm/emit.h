// A piece of a plan as one function of LLVM's intermediate representation.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

#include <string>

#include "native/compiler.h"

namespace cutset::native {

llvm::Function* emit(llvm::Module& module, const Piece& piece, const std::string& name, bool optimise);

}  // namespace cutset::native

// A piece of a plan as one function of LLVM's intermediate representation.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

#include <string>

#include "native/compiler.h"

namespace cutset::native {

// The names of host functions in modules; the linker is given their addresses.
std::string unary_name(Op op);

llvm::Function* emit(llvm::Module& module, const Piece& piece, const std::string& name, bool optimise);

}  // namespace cutset::native

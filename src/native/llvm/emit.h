// A piece of a plan as one function of LLVM's intermediate representation.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

#include <string>

#include "native/compiler.h"

namespace cutset::native {

llvm::Function* emit(llvm::Module& module, const Piece& piece, const std::string& name, bool optimise);

// A function of the language over numbers with 0, 1 or 2 levels of derivatives.
llvm::Function* emit_function(llvm::Module& module, const FunctionPiece& piece);
std::string function_name(std::uint32_t callee, std::uint32_t level);

}  // namespace cutset::native

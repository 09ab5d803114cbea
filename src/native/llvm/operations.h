// The elementary operations as LLVM instructions, each with the same result as apply_unary and apply_binary,
// to the bit.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <initializer_list>
#include <string>

#include "ir/program.h"

namespace cutset::native {

// The names of host functions in modules; the linker is given their addresses.
std::string function_symbol(Op op);

class Operations {
  public:
    Operations(llvm::Module& module, llvm::IRBuilder<>& builder);

    llvm::Value* constant(double v) { return llvm::ConstantFP::get(number_, v); }
    llvm::Value* unary(Op op, llvm::Value* x);
    llvm::Value* binary(Op op, llvm::Value* x, llvm::Value* y);
    // x^y for a number y that is known.
    llvm::Value* power(llvm::Value* x, double y);
    llvm::FunctionCallee host(const std::string& name, llvm::Type* result,
                              std::initializer_list<llvm::Type*> arguments);

  private:
    llvm::Value* truth(llvm::Value* condition) {
        return b_.CreateSelect(condition, constant(1), constant(0));
    }

    llvm::Module& module_;
    llvm::IRBuilder<>& b_;
    llvm::Type *number_, *i64_;
};

}  // namespace cutset::native

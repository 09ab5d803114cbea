#include "native/llvm/operations.h"

#include <llvm/IR/Intrinsics.h>

#include <algorithm>
#include <cmath>

namespace cutset::native {

using llvm::Value;

std::string function_symbol(Op op) {
    return "cutset_function_" + std::to_string(static_cast<int>(op));
}

Operations::Operations(llvm::Module& module, llvm::IRBuilder<>& builder)
    : module_(module),
      b_(builder),
      number_(llvm::Type::getDoubleTy(module.getContext())),
      i64_(llvm::Type::getInt64Ty(module.getContext())) {}

llvm::FunctionCallee Operations::host(const std::string& name, llvm::Type* result,
                                      std::initializer_list<llvm::Type*> arguments) {
    auto callee = module_.getOrInsertFunction(
        name, llvm::FunctionType::get(result, llvm::ArrayRef<llvm::Type*>(arguments), false));
    // A function of numbers only: the same arguments give the same result.
    if (result == number_ &&
        std::all_of(arguments.begin(), arguments.end(), [&](llvm::Type* type) { return type == number_; })) {
        auto* function = llvm::cast<llvm::Function>(callee.getCallee());
        function->setDoesNotAccessMemory();
        function->setDoesNotThrow();
        function->setWillReturn();
    }
    return callee;
}

// As apply_unary does it.
Value* Operations::unary(Op op, Value* x) {
    switch (op) {
        case Op::Sqrt:
            return b_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x);
        case Op::Abs:
            return b_.CreateBitCast(
                b_.CreateAnd(b_.CreateBitCast(x, i64_), llvm::ConstantInt::get(i64_, ~0ull >> 1)), number_);
        case Op::Sign:
            return b_.CreateSelect(b_.CreateFCmpOGT(x, constant(0)), constant(1),
                                   b_.CreateSelect(b_.CreateFCmpOLT(x, constant(0)), constant(-1), x));
        case Op::Not:
            return truth(b_.CreateFCmpOEQ(x, constant(0)));
        case Op::NoEvent:
            return x;
        default:
            return b_.CreateCall(host(function_symbol(op), number_, {number_}), {x});
    }
}

// As apply_binary does it.
Value* Operations::binary(Op op, Value* x, Value* y) {
    switch (op) {
        case Op::Power:
            return b_.CreateCall(host("cutset_power", number_, {number_, number_}), {x, y});
        case Op::Remainder:
        case Op::Modulo: {
            Value* whole = unary(op == Op::Remainder ? Op::Truncate : Op::Floor, b_.CreateFDiv(x, y));
            return b_.CreateFSub(x, b_.CreateFMul(whole, y));
        }
        case Op::Min:
            return b_.CreateSelect(b_.CreateOr(b_.CreateFCmpUNO(x, x), b_.CreateFCmpOLT(x, y)), x, y);
        case Op::Max:
            return b_.CreateSelect(b_.CreateOr(b_.CreateFCmpUNO(x, x), b_.CreateFCmpOGT(x, y)), x, y);
        case Op::Less:
            return truth(b_.CreateFCmpOLT(x, y));
        case Op::LessEqual:
            return truth(b_.CreateFCmpOLE(x, y));
        case Op::Equal:
            return truth(b_.CreateFCmpOEQ(x, y));
        case Op::NotEqual:
            return truth(b_.CreateFCmpUNE(x, y));
        case Op::Add:
            return b_.CreateFAdd(x, y);
        case Op::Multiply:
            return b_.CreateFMul(x, y);
        default:  // the engine lets no other pass than elementary functions
            return b_.CreateCall(host(function_symbol(op), number_, {number_, number_}), {x, y});
    }
}

// Powers by multiplication in the order of apply_binary: the factor 1 at the beginning changes nothing.
Value* Operations::power(Value* x, double y) {
    if (y == 2) return b_.CreateFMul(x, x);
    if (y == -1) return b_.CreateFDiv(constant(1), x);
    if (y == 1) return x;
    if (y == std::floor(y) && std::abs(y) <= 8) {
        Value* result = nullptr;
        Value* square = x;
        for (int n = std::abs(static_cast<int>(y)); n > 0; n /= 2) {
            if (n % 2) result = result ? b_.CreateFMul(result, square) : square;
            if (n > 1) square = b_.CreateFMul(square, square);
        }
        if (!result) return constant(1);
        return y < 0 ? b_.CreateFDiv(constant(1), result) : result;
    }
    return b_.CreateCall(host("cutset_pow", number_, {number_, number_}), {x, constant(y)});
}

}  // namespace cutset::native

// Functions of the language: the steps of a FunctionCode, over numbers that may carry derivatives. The
// formulas are those of expr/dual.h, in the same order.
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <limits>

#include "native/llvm/emit.h"
#include "native/llvm/operations.h"

namespace cutset::native {

using llvm::BasicBlock;
using llvm::Value;

std::string function_name(std::uint32_t callee, std::uint32_t level) {
    return "function_" + std::to_string(callee) + "_" + std::to_string(level);
}

namespace {

// Backward jumps in one call before it is given to the interpreter, which counts exactly.
constexpr std::uint64_t most_repetitions = 1'000'000;

// Parts in the order of Dual: of level 1 v, d; of level 2 v.v, v.d, d.v, d.d.
using Number = std::vector<Value*>;

// Dual numbers of any level, made of doubles.
class DualOperations {
  public:
    DualOperations(Operations& plain, llvm::IRBuilder<>& builder) : plain_(plain), b_(builder) {}

    Number constant(double v, std::size_t parts) {
        Number n(parts, plain_.constant(0));
        n[0] = plain_.constant(v);
        return n;
    }
    static Number v(const Number& x) { return Number(x.begin(), x.begin() + std::ptrdiff_t(x.size() / 2)); }
    static Number d(const Number& x) { return Number(x.begin() + std::ptrdiff_t(x.size() / 2), x.end()); }
    static Number join(const Number& v, const Number& d) {
        Number n = v;
        n.insert(n.end(), d.begin(), d.end());
        return n;
    }

    Number add(const Number& a, const Number& b) {
        Number n;
        for (std::size_t i = 0; i < a.size(); ++i) n.push_back(b_.CreateFAdd(a[i], b[i]));
        return n;
    }
    Number subtract(const Number& a, const Number& b) {
        Number n;
        for (std::size_t i = 0; i < a.size(); ++i) n.push_back(b_.CreateFSub(a[i], b[i]));
        return n;
    }
    Number negate(const Number& a) {
        Number n;
        for (Value* part : a) n.push_back(b_.CreateFNeg(part));
        return n;
    }
    Number multiply(const Number& a, const Number& b) {
        if (a.size() == 1) return {b_.CreateFMul(a[0], b[0])};
        return join(multiply(v(a), v(b)), add(multiply(v(a), d(b)), multiply(d(a), v(b))));
    }
    Number divide(const Number& a, const Number& b) {
        if (a.size() == 1) return {b_.CreateFDiv(a[0], b[0])};
        const Number quotient = divide(v(a), v(b));
        return join(quotient, divide(subtract(d(a), multiply(quotient, d(b))), v(b)));
    }
    Number select(Value* condition, const Number& a, const Number& b) {
        Number n;
        for (std::size_t i = 0; i < a.size(); ++i) n.push_back(b_.CreateSelect(condition, a[i], b[i]));
        return n;
    }
    // Whether any part is not zero.
    Value* varies(const Number& x) {
        Value* any = b_.CreateFCmpUNE(x[0], plain_.constant(0));
        for (std::size_t i = 1; i < x.size(); ++i)
            any = b_.CreateOr(any, b_.CreateFCmpUNE(x[i], plain_.constant(0)));
        return any;
    }
    static bool never(Value* condition) {
        const auto* known = llvm::dyn_cast<llvm::ConstantInt>(condition);
        return known && known->isZero();
    }

    Number unary(Op op, const Number& x) {
        if (x.size() == 1) return {plain_.unary(op, x[0])};
        const std::size_t half = x.size() / 2;
        const Number xv = v(x), xd = d(x), one = constant(1, half);
        if (op == Op::NoEvent) return x;
        if (op == Op::Abs) return select(b_.CreateFCmpOLT(x[0], plain_.constant(0)), negate(x), x);
        const Number f = unary(op, xv);
        const auto root = [&] { return unary(Op::Sqrt, subtract(one, multiply(xv, xv))); };
        switch (op) {
            case Op::Sqrt:
                return join(f, divide(xd, add(f, f)));
            case Op::Exp:
                return join(f, multiply(f, xd));
            case Op::Ln:
                return join(f, divide(xd, xv));
            case Op::Log10:
                return join(f, divide(multiply(constant(0.43429448190325182765, half), xd), xv));
            case Op::Sin:
                return join(f, multiply(unary(Op::Cos, xv), xd));
            case Op::Cos:
                return join(f, negate(multiply(unary(Op::Sin, xv), xd)));
            case Op::Tan:
                return join(f, multiply(add(one, multiply(f, f)), xd));
            case Op::Asin:
                return join(f, divide(xd, root()));
            case Op::Acos:
                return join(f, negate(divide(xd, root())));
            case Op::Atan:
                return join(f, divide(xd, add(one, multiply(xv, xv))));
            case Op::Sinh:
                return join(f, multiply(unary(Op::Cosh, xv), xd));
            case Op::Cosh:
                return join(f, multiply(unary(Op::Sinh, xv), xd));
            case Op::Tanh:
                return join(f, multiply(subtract(one, multiply(f, f)), xd));
            default:  // Sign, Truncate, Not: steps
                return join(f, constant(0, half));
        }
    }

    Number binary(Op op, const Number& x, const Number& y) {
        if (x.size() == 1) {
            if (op == Op::Power)
                if (const auto* known = llvm::dyn_cast<llvm::ConstantFP>(y[0]))
                    return {plain_.power(x[0], known->getValueAPF().convertToDouble())};
            return {plain_.binary(op, x[0], y[0])};
        }
        const std::size_t half = x.size() / 2;
        const Number xv = v(x), xd = d(x), yv = v(y), yd = d(y);
        switch (op) {
            case Op::Power: {
                const Number f = binary(Op::Power, xv, yv);
                Number derivative = constant(0, half);
                Value* by_base = b_.CreateAnd(varies(xd), b_.CreateOr(varies(yv), varies(yd)));
                if (!never(by_base))
                    derivative = select(
                        by_base,
                        multiply(multiply(yv, binary(Op::Power, xv, subtract(yv, constant(1, half)))), xd),
                        derivative);
                Value* by_exponent = varies(yd);
                if (!never(by_exponent))
                    derivative =
                        select(by_exponent, add(derivative, multiply(multiply(f, unary(Op::Ln, xv)), yd)),
                               derivative);
                return join(f, derivative);
            }
            case Op::Atan2:
                return join(binary(op, xv, yv), divide(subtract(multiply(yv, xd), multiply(xv, yd)),
                                                       add(multiply(xv, xv), multiply(yv, yv))));
            case Op::Modulo: {
                Number steps = constant(0, x.size());
                steps[0] = plain_.unary(Op::Truncate, b_.CreateFDiv(x[0], y[0]));
                return subtract(x, multiply(steps, y));
            }
            case Op::Min:
            case Op::Max:
                return select(b_.CreateFCmpOEQ(plain_.binary(op, x[0], y[0]), y[0]), y, x);
            default: {  // relations
                Number n = constant(0, x.size());
                n[0] = plain_.binary(op, x[0], y[0]);
                return n;
            }
        }
    }

  private:
    Operations& plain_;
    llvm::IRBuilder<>& b_;
};

class FunctionEmitter {
  public:
    FunctionEmitter(llvm::Module& module, const FunctionPiece& piece)
        : module_(module),
          context_(module.getContext()),
          piece_(piece),
          code_(*piece.code),
          parts_(std::size_t(1) << piece.level),
          b_(context_),
          plain_(module, b_),
          dual_(plain_, b_),
          number_(llvm::Type::getDoubleTy(context_)),
          pointer_(llvm::PointerType::get(context_, 0)),
          i32_(llvm::Type::getInt32Ty(context_)),
          i64_(llvm::Type::getInt64Ty(context_)) {
        auto* type = llvm::FunctionType::get(i32_, {pointer_, pointer_, pointer_}, false);
        function_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage,
                                           function_name(piece.callee, piece.level), module);
        function_->addFnAttr(llvm::Attribute::NoUnwind);
    }

    llvm::Function* run() {
        look();
        BasicBlock* entry = BasicBlock::Create(context_, "", function_);
        unusual_ = BasicBlock::Create(context_, "", function_);
        b_.SetInsertPoint(entry);
        prepare_frame();
        for (std::size_t k = 0; k < code_.steps.size(); ++k) {
            if (is_target_[k]) {
                BasicBlock* block = target(k);
                if (!b_.GetInsertBlock()->getTerminator()) b_.CreateBr(block);
                b_.SetInsertPoint(block);
            } else if (b_.GetInsertBlock()->getTerminator()) {
                b_.SetInsertPoint(BasicBlock::Create(context_, "", function_));
            }
            step(k);
        }
        if (!b_.GetInsertBlock()->getTerminator()) b_.CreateBr(unusual_);
        b_.SetInsertPoint(unusual_);
        b_.CreateRet(llvm::ConstantInt::get(i32_, 0));
        llvm::DominatorTree tree(*function_);
        llvm::PromoteMemToReg(promoted_, tree);
        return function_;
    }

  private:
    using Kind = FunctionCode::Step::Kind;

    // Which slots belong to arrays, which are written, where jumps go to.
    void look() {
        const std::size_t frame = code_.frame;
        in_array_.assign(frame, false);
        written_.assign(frame, false);
        is_target_.assign(code_.steps.size() + 1, false);
        blocks_.assign(code_.steps.size() + 1, nullptr);
        for (std::uint32_t s = 0; s < code_.inputs; ++s) written_[s] = true;
        std::size_t most_arguments = 1;
        for (std::size_t k = 0; k < code_.steps.size(); ++k) {
            const auto& s = code_.steps[k];
            const Instruction& i = s.instruction;
            switch (s.kind) {
                case Kind::LoadElement:
                    for (std::uint32_t e = 0; e < s.length; ++e) in_array_[s.first + e] = true;
                    written_[i.to] = true;
                    break;
                case Kind::StoreElement:
                    for (std::uint32_t e = 0; e < s.length; ++e)
                        in_array_[s.first + e] = written_[s.first + e] = true;
                    break;
                case Kind::Jump:
                case Kind::JumpFalse:
                    is_target_[i.to] = true;
                    if (i.to <= k) repeats_ = true;
                    break;
                case Kind::Call:
                    most_arguments = std::max(most_arguments, code_.calls[i.a].arguments.size());
                    calls_ = true;
                    written_[i.to] = true;
                    break;
                case Kind::Operation:
                    written_[i.to] = true;
                    break;
                case Kind::Return:
                    break;
            }
        }
        most_arguments_ = most_arguments;
    }

    BasicBlock* target(std::size_t k) {
        if (!blocks_[k]) blocks_[k] = BasicBlock::Create(context_, "", function_);
        return blocks_[k];
    }
    Value* at(Value* base, std::size_t index) { return b_.CreateConstInBoundsGEP1_64(number_, base, index); }

    void prepare_frame() {
        const std::size_t frame = code_.frame;
        // A number from the start, for each slot.
        std::vector<double> first(frame, std::numeric_limits<double>::quiet_NaN());
        for (const auto& [slot, value] : piece_.data->constants) first[slot] = value;
        for (std::size_t i = 0; i < code_.constants.size(); ++i)
            first[frame - code_.constants.size() + i] = code_.constants[i];
        bool arrays = false, all_constant = true;
        for (std::size_t s = 0; s < frame; ++s)
            if (in_array_[s]) {
                arrays = true;
                all_constant = all_constant && !written_[s];
            }
        if (arrays) {
            std::vector<double> numbers(frame * parts_, 0);
            for (std::size_t s = 0; s < frame; ++s) numbers[s * parts_] = first[s];
            auto* data = llvm::ConstantDataArray::get(context_, llvm::ArrayRef<double>(numbers));
            auto* image = new llvm::GlobalVariable(module_, data->getType(), true,
                                                   llvm::GlobalValue::PrivateLinkage, data);
            memory_ = image;
            if (!all_constant) {
                memory_ = b_.CreateAlloca(number_, llvm::ConstantInt::get(i64_, frame * parts_));
                for (std::size_t s = 0; s < frame; ++s)
                    if (in_array_[s])
                        for (std::size_t p = 0; p < parts_; ++p)
                            b_.CreateStore(llvm::ConstantFP::get(number_, numbers[s * parts_ + p]),
                                           at(memory_, s * parts_ + p));
            }
        }
        places_.resize(frame * parts_);
        constants_.resize(frame);
        for (std::size_t s = 0; s < frame; ++s) {
            if (in_array_[s]) {
                if (s < code_.inputs)
                    for (std::size_t p = 0; p < parts_; ++p)
                        b_.CreateStore(b_.CreateLoad(number_, at(function_->getArg(0), s * parts_ + p)),
                                       at(memory_, s * parts_ + p));
                continue;
            }
            if (!written_[s]) {
                constants_[s] = dual_.constant(first[s], parts_);
                continue;
            }
            const Number begin = dual_.constant(first[s], parts_);
            for (std::size_t p = 0; p < parts_; ++p) {
                auto* place = b_.CreateAlloca(number_);
                promoted_.push_back(place);
                places_[s * parts_ + p] = place;
                b_.CreateStore(s < code_.inputs
                                   ? b_.CreateLoad(number_, at(function_->getArg(0), s * parts_ + p))
                                   : begin[p],
                               place);
            }
        }
        if (calls_) {
            arguments_ = b_.CreateAlloca(number_, llvm::ConstantInt::get(i64_, most_arguments_ * parts_));
            // All outputs of what is called.
            results_ = b_.CreateAlloca(number_, llvm::ConstantInt::get(i64_, piece_.most_results * parts_));
        }
        if (repeats_) {
            repetitions_ = b_.CreateAlloca(i64_);
            promoted_.push_back(repetitions_);
            b_.CreateStore(llvm::ConstantInt::get(i64_, most_repetitions), repetitions_);
        }
    }

    Number read(Slot s) {
        if (!in_array_[s] && !written_[s]) return constants_[s];
        Number n;
        for (std::size_t p = 0; p < parts_; ++p)
            n.push_back(
                b_.CreateLoad(number_, in_array_[s] ? at(memory_, s * parts_ + p) : places_[s * parts_ + p]));
        return n;
    }
    void write(Slot s, const Number& n) {
        for (std::size_t p = 0; p < parts_; ++p)
            b_.CreateStore(n[p], in_array_[s] ? at(memory_, s * parts_ + p) : places_[s * parts_ + p]);
    }
    void unless(Value* usual) {
        BasicBlock* next = BasicBlock::Create(context_, "", function_);
        b_.CreateCondBr(usual, next, unusual_);
        b_.SetInsertPoint(next);
    }
    void count_repetition(std::size_t from, std::size_t to) {
        if (to > from) return;
        Value* left = b_.CreateSub(b_.CreateLoad(i64_, repetitions_), llvm::ConstantInt::get(i64_, 1));
        b_.CreateStore(left, repetitions_);
        unless(b_.CreateICmpNE(left, llvm::ConstantInt::get(i64_, 0)));
    }

    void step(std::size_t k) {
        const auto& s = code_.steps[k];
        const Instruction& i = s.instruction;
        switch (s.kind) {
            case Kind::Operation:
                return operation(i);
            case Kind::LoadElement:
            case Kind::StoreElement: {
                Value* position = read(i.a)[0];
                unless(
                    b_.CreateAnd(b_.CreateFCmpOGE(position, plain_.constant(1)),
                                 b_.CreateFCmpOLE(position, plain_.constant(static_cast<double>(s.length)))));
                Value* whole = b_.CreateFPToSI(position, i64_);
                unless(b_.CreateFCmpOEQ(b_.CreateSIToFP(whole, number_), position));
                Value* index = b_.CreateMul(
                    b_.CreateAdd(whole, llvm::ConstantInt::getSigned(i64_, std::int64_t(s.first) - 1)),
                    llvm::ConstantInt::get(i64_, parts_));
                Value* place = b_.CreateInBoundsGEP(number_, memory_, index);
                if (s.kind == Kind::LoadElement) {
                    Number n;
                    for (std::size_t p = 0; p < parts_; ++p)
                        n.push_back(b_.CreateLoad(number_, at(place, p)));
                    return write(i.to, n);
                }
                const Number n = read(i.b);
                for (std::size_t p = 0; p < parts_; ++p) b_.CreateStore(n[p], at(place, p));
                return;
            }
            case Kind::Jump:
                count_repetition(k, i.to);
                b_.CreateBr(target(i.to));
                return;
            case Kind::JumpFalse: {
                Value* is_false = b_.CreateFCmpOEQ(read(i.a)[0], plain_.constant(0));
                BasicBlock* next = BasicBlock::Create(context_, "", function_);
                if (i.to <= k) {
                    BasicBlock* back = BasicBlock::Create(context_, "", function_);
                    b_.CreateCondBr(is_false, back, next);
                    b_.SetInsertPoint(back);
                    count_repetition(k, i.to);
                    b_.CreateBr(target(i.to));
                } else {
                    b_.CreateCondBr(is_false, target(i.to), next);
                }
                b_.SetInsertPoint(next);
                return;
            }
            case Kind::Call: {
                const CallSite& site = code_.calls[i.a];
                for (std::size_t a = 0; a < site.arguments.size(); ++a) {
                    const Number n = read(site.arguments[a]);
                    for (std::size_t p = 0; p < parts_; ++p)
                        b_.CreateStore(n[p], at(arguments_, a * parts_ + p));
                }
                Value* status;
                const auto integer = [&](std::size_t v) { return llvm::ConstantInt::get(i32_, v); };
                if (piece_.is_table[i.a])
                    status = b_.CreateCall(
                        plain_.host("cutset_table", i32_, {pointer_, i32_, i32_, pointer_, i32_, pointer_}),
                        {function_->getArg(2), integer(site.callee.value), integer(piece_.level), arguments_,
                         integer(site.arguments.size()), results_});
                else
                    status = b_.CreateCall(plain_.host(function_name(site.callee.value, piece_.level), i32_,
                                                       {pointer_, pointer_, pointer_}),
                                           {arguments_, results_, function_->getArg(2)});
                unless(b_.CreateICmpNE(status, integer(0)));
                Number n;
                for (std::size_t p = 0; p < parts_; ++p)
                    n.push_back(b_.CreateLoad(number_, at(results_, site.output * parts_ + p)));
                return write(i.to, n);
            }
            case Kind::Return:
                for (std::uint32_t o = 0; o < code_.outputs; ++o) {
                    const Number n = read(code_.inputs + o);
                    for (std::size_t p = 0; p < parts_; ++p)
                        b_.CreateStore(n[p], at(function_->getArg(1), o * parts_ + p));
                }
                b_.CreateRet(llvm::ConstantInt::get(i32_, 1));
                return;
        }
    }

    void operation(const Instruction& i) {
        const Number a = read(i.a);
        switch (i.code) {
            case Code::Copy:
                return write(i.to, a);
            case Code::Add:
                return write(i.to, dual_.add(a, read(i.b)));
            case Code::Subtract:
                return write(i.to, dual_.subtract(a, read(i.b)));
            case Code::Multiply:
                return write(i.to, dual_.multiply(a, read(i.b)));
            case Code::Divide:
                return write(i.to, dual_.divide(a, read(i.b)));
            case Code::Negate:
                return write(i.to, dual_.negate(a));
            case Code::Unary:
                return write(i.to, dual_.unary(i.op, a));
            default:
                return write(i.to, dual_.binary(i.op, a, read(i.b)));
        }
    }

    llvm::Module& module_;
    llvm::LLVMContext& context_;
    const FunctionPiece& piece_;
    const FunctionCode& code_;
    const std::size_t parts_;
    llvm::IRBuilder<> b_;
    Operations plain_;
    DualOperations dual_;
    llvm::Type *number_, *pointer_, *i32_, *i64_;
    llvm::Function* function_ = nullptr;
    BasicBlock* unusual_ = nullptr;
    std::vector<bool> in_array_, written_, is_target_;
    std::vector<BasicBlock*> blocks_;
    std::vector<llvm::AllocaInst*> promoted_;
    std::vector<Value*> places_;     // by slot and part, where no array
    std::vector<Number> constants_;  // of slots that nothing writes
    Value* memory_ = nullptr;        // the frame, as far as it is arrays
    Value *arguments_ = nullptr, *results_ = nullptr;
    llvm::AllocaInst* repetitions_ = nullptr;
    std::size_t most_arguments_ = 1;
    bool calls_ = false, repeats_ = false;
};

}  // namespace

llvm::Function* emit_function(llvm::Module& module, const FunctionPiece& piece) {
    return FunctionEmitter(module, piece).run();
}

}  // namespace cutset::native

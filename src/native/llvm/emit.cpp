#include "native/llvm/emit.h"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <algorithm>
#include <cstddef>
#include <map>

#include "generate/frame_machine.h"
#include "native/llvm/object_image.h"
#include "native/llvm/operations.h"

namespace cutset::native {

using llvm::BasicBlock;
using llvm::Value;

namespace {

// Code keeps a value that it loaded or stored in a register for this many instructions: longer, and it would
// be stored once more on the stack, where the place that it came from would do.
constexpr std::size_t register_window = 40;

class Emitter {
  public:
    Emitter(llvm::Module& module, const Piece& piece, const std::string& name, bool optimise,
            bool relocatable)
        : module_(module),
          optimise_(optimise),
          relocatable_(relocatable),
          context_(module.getContext()),
          piece_(piece),
          shape_(piece.shape),
          b_(context_),
          operations_(module, b_),
          number_(llvm::Type::getDoubleTy(context_)),
          pointer_(llvm::PointerType::get(context_, 0)),
          i32_(llvm::Type::getInt32Ty(context_)),
          i64_(llvm::Type::getInt64Ty(context_)) {
        auto* type = llvm::FunctionType::get(i32_, {pointer_, pointer_, pointer_, pointer_, i64_}, false);
        function_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module);
        function_->addFnAttr(llvm::Attribute::NoUnwind);
        values_ = function_->getArg(0);
        scratch_ = function_->getArg(1);
        run_ = function_->getArg(2);
        table_ = function_->getArg(3);
        count_ = function_->getArg(4);
    }

    llvm::Function* run() {
        find_variables();
        entry_ = BasicBlock::Create(context_, "", function_);
        b_.SetInsertPoint(entry_);
        for (std::uint32_t l = 0; l < shape_.locals; ++l)
            if (is_variable_[l]) variables_.push_back(variable_[l] = b_.CreateAlloca(number_));
        std::uint32_t most_in = 1, most_out = 1;
        bool calls = false;
        for (const ShapeInstruction& i : shape_.code)
            if (i.code == Code::Call) {
                most_in = std::max(most_in, i.count * std::max(1u, i.parts));
                most_out = std::max(most_out, i.outputs * i.parts);
                calls = true;
            }
        if (calls) {
            in_ = b_.CreateAlloca(number_, llvm::ConstantInt::get(i64_, most_in));
            out_ = b_.CreateAlloca(number_, llvm::ConstantInt::get(i64_, most_out));
            functions_ = loaded(pointer_, run_, offsetof(SectionRun, functions));
            calls_ = loaded(pointer_, run_, offsetof(SectionRun, calls));
            arena_ = loaded(pointer_, run_, offsetof(SectionRun, arena));
            came_with_.assign(shape_.code.size(), nullptr);
        }
        cached_.assign(shape_.columns.size(), nullptr);
        cached_at_.assign(shape_.columns.size(), 0);
        address_.assign(shape_.columns.size(), nullptr);
        hoisted_.assign(shape_.columns.size(), nullptr);
        if (relocatable_) {
            values_number_ = b_.CreatePtrToInt(values_, i64_);
            scratch_number_ = b_.CreatePtrToInt(scratch_, i64_);
        }
        line_ = table_;
        const bool loop = piece_.rows > 1 || (optimise_ && piece_.width > 0);
        if (loop)
            rows();
        else
            body();
        b_.CreateRet(llvm::ConstantInt::get(i32_, 1));
        if (failed_) {
            b_.SetInsertPoint(failed_);
            b_.CreateRet(llvm::ConstantInt::get(i32_, 0));
        }
        if (!variables_.empty()) {
            llvm::DominatorTree tree(*function_);
            llvm::PromoteMemToReg(variables_, tree);
        }
        return function_;
    }

  private:
    // Locals that are written more than once, or where jumps cross, live in memory until PromoteMemToReg.
    void find_variables() {
        is_variable_.assign(shape_.locals, false);
        std::vector<std::uint8_t> writes(shape_.locals, 0);
        variable_.assign(shape_.locals, nullptr);
        local_.assign(shape_.locals, nullptr);
        targets_.assign(shape_.code.size() + 1, nullptr);
        std::size_t reach = 0;
        for (std::size_t k = 0; k < shape_.code.size(); ++k) {
            const ShapeInstruction& i = shape_.code[k];
            const bool crossed = k < reach;
            const auto meet = [&](Reference r) {
                if (is_local(r) && crossed) is_variable_[index_of(r)] = true;
            };
            const auto read = [&](Reference r) { meet(r); };
            const auto write = [&](Reference r) {
                meet(r);
                if (is_local(r) && writes[index_of(r)]++) is_variable_[index_of(r)] = true;
            };
            switch (i.code) {
                case Code::Jump:
                case Code::JumpFalse:
                    if (i.code == Code::JumpFalse) read(i.a);
                    reach = std::max<std::size_t>(reach, i.to);
                    jumps_ = true;
                    break;
                case Code::Solve:
                case Code::Switch:
                    break;
                case Code::Call:
                    for (std::uint32_t k2 = 0; k2 < i.count; ++k2) read(shape_.arguments[i.b + k2]);
                    write(i.to);
                    break;
                case Code::Delay:
                    read(i.b);
                    write(i.to);
                    break;
                case Code::Copy:
                case Code::Negate:
                case Code::Unary:
                    read(i.a);
                    write(i.to);
                    break;
                default:
                    read(i.a);
                    if (!i.has_literal) read(i.b);
                    write(i.to);
                    break;
            }
        }
    }

    Value* constant(double v) { return llvm::ConstantFP::get(number_, v); }
    Value* integer(std::int64_t v) { return llvm::ConstantInt::getSigned(i64_, v); }

    void rows() {
        for (std::size_t c = 0; c < shape_.columns.size(); ++c)
            if (piece_.columns[c].hoisted && shape_.columns[c].read)
                hoisted_[c] = b_.CreateLoad(number_, place(c));
        BasicBlock* row = BasicBlock::Create(context_, "", function_);
        BasicBlock* end = BasicBlock::Create(context_, "", function_);
        b_.CreateBr(row);
        b_.SetInsertPoint(row);
        llvm::PHINode* k = b_.CreatePHI(i64_, 2);
        k->addIncoming(integer(0), entry_);
        llvm::PHINode* line = nullptr;
        if (piece_.width > 0) {
            line_ = line = b_.CreatePHI(pointer_, 2);
            line->addIncoming(table_, entry_);
        }
        for (const PieceColumn& column : piece_.columns)
            if (column.mode == ColumnMode::Affine && column.stride != 0 && !steps_.contains(column.stride)) {
                if (column.stride == 1) {
                    steps_[1] = k;
                    continue;
                }
                llvm::PHINode* step = b_.CreatePHI(i64_, 2);
                step->addIncoming(integer(0), entry_);
                steps_[column.stride] = step;
            }
        body();
        BasicBlock* last = b_.GetInsertBlock();
        Value* next = b_.CreateAdd(k, integer(1));
        k->addIncoming(next, last);
        if (line) line->addIncoming(b_.CreateConstInBoundsGEP1_64(i32_, line, piece_.width), last);
        for (auto& [stride, step] : steps_)
            if (step != k) step->addIncoming(b_.CreateAdd(step, integer(stride)), last);
        b_.CreateCondBr(b_.CreateICmpULT(next, count_), row, end);
        b_.SetInsertPoint(end);
    }

    void body() {
        for (std::size_t k = 0; k < shape_.code.size(); ++k) {
            at_ = k;
            if (targets_[k]) {
                if (!b_.GetInsertBlock()->getTerminator()) b_.CreateBr(targets_[k]);
                enter(targets_[k]);
            } else if (b_.GetInsertBlock()->getTerminator()) {
                enter(BasicBlock::Create(context_, "", function_));  // code that nothing reaches
            }
            instruction(shape_.code[k]);
        }
        if (BasicBlock* end = targets_[shape_.code.size()]) {
            if (!b_.GetInsertBlock()->getTerminator()) b_.CreateBr(end);
            enter(end);
        }
    }

    BasicBlock* target(std::uint32_t k) {
        if (!targets_[k]) targets_[k] = BasicBlock::Create(context_, "", function_);
        return targets_[k];
    }
    void enter(BasicBlock* block) {
        b_.SetInsertPoint(block);
        forget();
    }
    void forget() {
        std::fill(cached_.begin(), cached_.end(), nullptr);
        std::fill(address_.begin(), address_.end(), nullptr);
    }

    Value* base(std::size_t c) { return shape_.columns[c].kind == ColumnKind::Scratch ? scratch_ : values_; }
    // The place of a column, in the first row. Where it lies is filled in when the code is put into memory:
    // the address of column_c, a name without a place, is that number. Optimised code must not take different
    // names for different places, since places of one row may be those of another column in another row.
    Value* place(std::size_t c) {
        if (!relocatable_) return b_.CreateConstInBoundsGEP1_64(number_, base(c), piece_.columns[c].at);
        auto* name = llvm::cast<llvm::GlobalVariable>(
            module_.getOrInsertGlobal(column_name(c), llvm::Type::getInt8Ty(context_)));
        name->setDSOLocal(true);
        Value* number = shape_.columns[c].kind == ColumnKind::Scratch ? scratch_number_ : values_number_;
        if (!optimise_) return b_.CreateGEP(llvm::Type::getInt8Ty(context_), name, number);
        return b_.CreateIntToPtr(b_.CreateAdd(number, b_.CreatePtrToInt(name, i64_)), pointer_);
    }
    Value* from_table(std::size_t c) {
        return b_.CreateLoad(i32_, b_.CreateConstInBoundsGEP1_64(i32_, line_, piece_.columns[c].at));
    }
    Value* address(std::size_t c) {
        if (address_[c]) return address_[c];
        const PieceColumn& column = piece_.columns[c];
        Value* out = nullptr;
        if (column.mode == ColumnMode::Table)
            out = b_.CreateInBoundsGEP(number_, base(c), b_.CreateZExt(from_table(c), i64_));
        else if (column.mode == ColumnMode::Fixed || column.stride == 0)
            return place(c);
        else if (relocatable_)
            out = b_.CreateInBoundsGEP(number_, place(c), steps_.at(column.stride));
        else
            out = b_.CreateConstInBoundsGEP1_64(
                number_, b_.CreateInBoundsGEP(number_, base(c), steps_.at(column.stride)), column.at);
        return address_[c] = out;
    }
    Value* plain_number(std::size_t c) {
        const PieceColumn& column = piece_.columns[c];
        if (column.mode == ColumnMode::Table) return from_table(c);
        Value* at = llvm::ConstantInt::get(i32_, column.at);
        if (column.mode == ColumnMode::Fixed || column.stride == 0) return at;
        return b_.CreateAdd(b_.CreateTrunc(steps_.at(column.stride), i32_), at);
    }

    Value* read(Reference r) {
        const std::uint32_t i = index_of(r);
        if (is_local(r)) return is_variable_[i] ? b_.CreateLoad(number_, variable_[i]) : local_[i];
        if (hoisted_[i]) return hoisted_[i];
        if (!cached_[i] || at_ - cached_at_[i] > register_window)
            cached_[i] = b_.CreateLoad(number_, address(i));
        cached_at_[i] = at_;
        return cached_[i];
    }
    void write(Reference r, Value* v) {
        const std::uint32_t i = index_of(r);
        if (is_local(r)) {
            if (is_variable_[i])
                b_.CreateStore(v, variable_[i]);
            else
                local_[i] = v;
            return;
        }
        b_.CreateStore(v, address(i));
        cached_[i] = v;
        cached_at_[i] = at_;
    }

    void check(Value* status) {
        if (!failed_) failed_ = BasicBlock::Create(context_, "", function_);
        BasicBlock* good = BasicBlock::Create(context_, "", function_);
        b_.CreateCondBr(b_.CreateICmpEQ(status, llvm::ConstantInt::get(i32_, 0)), failed_, good);
        b_.SetInsertPoint(good);
    }

    // ---- calls

    Value* number_at(Value* base, std::uint64_t at) {
        return b_.CreateConstInBoundsGEP1_64(number_, base, at);
    }
    Value* loaded(llvm::Type* type, Value* base, std::size_t offset) {
        return b_.CreateLoad(type,
                             b_.CreateConstInBoundsGEP1_64(llvm::Type::getInt8Ty(context_), base, offset));
    }
    Value* host_call(const char* name, const ShapeInstruction& i) {
        return b_.CreateCall(operations_.host(name, i32_, {pointer_, i32_, pointer_, pointer_}),
                             {run_, plain_number(i.a), in_, out_});
    }

    void call(const ShapeInstruction& i) {
        if (came_with_[at_]) return write(i.to, came_with_[at_]);
        const std::uint32_t parts = std::max(1u, i.parts);
        for (std::uint32_t k = 0; k < i.count; ++k) {
            b_.CreateStore(read(shape_.arguments[i.b + k]), number_at(in_, k * parts));
            for (std::uint32_t p = 1; p < parts; ++p)
                b_.CreateStore(constant(i.seeds >> (k * parts + p) & 1), number_at(in_, k * parts + p));
        }
        if (i.parts == 0)
            check(host_call("cutset_call", i));
        else
            call_function(i);
        forget();
        for (std::size_t other : calls_of_the_same(i))
            came_with_[other] = b_.CreateLoad(number_, number_at(out_, shape_.code[other].result));
        write(i.to, b_.CreateLoad(number_, number_at(out_, i.result)));
    }

    // By its machine code; where there is none yet, or it fails, through the host.
    void call_function(const ShapeInstruction& i) {
        BasicBlock* by_host = BasicBlock::Create(context_, "", function_);
        BasicBlock* done = BasicBlock::Create(context_, "", function_);
        Value* code = b_.CreateLoad(
            pointer_,
            b_.CreateInBoundsGEP(pointer_, functions_, b_.CreateZExt(plain_number(i.function), i64_)));
        static_assert(offsetof(FunctionRun, steps_left) == 0);
        b_.CreateStore(integer(FrameContext::most_steps), calls_);
        auto* type = llvm::FunctionType::get(i32_, {pointer_, pointer_, pointer_, pointer_, i32_}, false);
        Value* good = b_.CreateCall(
            type, code, {in_, out_, calls_, arena_, llvm::ConstantInt::get(i32_, FrameContext::most_depth)});
        b_.CreateCondBr(b_.CreateICmpEQ(good, llvm::ConstantInt::get(i32_, 0)), by_host, done);
        b_.SetInsertPoint(by_host);
        Value* status = host_call("cutset_call_all", i);
        if (!failed_) failed_ = BasicBlock::Create(context_, "", function_);
        b_.CreateCondBr(b_.CreateICmpEQ(status, llvm::ConstantInt::get(i32_, 0)), failed_, done);
        b_.SetInsertPoint(done);
    }

    // Later calls that ask for other results of the one at hand, with nothing between that could change them.
    std::vector<std::size_t> calls_of_the_same(const ShapeInstruction& i) const {
        constexpr std::size_t farthest = 500;
        std::vector<std::size_t> same;
        if (i.parts == 0) return same;
        const auto first = shape_.arguments.begin() + i.b;
        const auto is_argument = [&](Reference r) {
            return std::find(first, first + i.count, r) != first + i.count;
        };
        const std::size_t end = std::min(shape_.code.size(), at_ + farthest);
        if (is_argument(i.to)) return same;
        for (std::size_t k = at_ + 1; k < end && !targets_[k]; ++k) {
            const ShapeInstruction& other = shape_.code[k];
            if (other.code == Code::Jump || other.code == Code::JumpFalse || other.code == Code::Solve) break;
            if (other.code == Code::Call && other.parts == i.parts && other.function == i.function &&
                other.seeds == i.seeds &&
                std::equal(first, first + i.count, shape_.arguments.begin() + other.b))
                same.push_back(k);
            if (is_argument(other.to)) break;
        }
        return same;
    }

    void instruction(const ShapeInstruction& i) {
        switch (i.code) {
            case Code::Copy:
                return write(i.to, read(i.a));
            case Code::Add: {
                Value* a = read(i.a);
                return write(i.to, b_.CreateFAdd(a, read(i.b)));
            }
            case Code::Subtract: {
                Value* a = read(i.a);
                return write(i.to, b_.CreateFSub(a, read(i.b)));
            }
            case Code::Multiply: {
                Value* a = read(i.a);
                return write(i.to, b_.CreateFMul(a, read(i.b)));
            }
            case Code::Divide: {
                Value* a = read(i.a);
                return write(i.to, b_.CreateFDiv(a, read(i.b)));
            }
            case Code::Negate:
                return write(i.to, b_.CreateFNeg(read(i.a)));
            case Code::Unary:
                return write(i.to, operations_.unary(i.op, read(i.a)));
            case Code::Binary: {
                Value* a = read(i.a);
                return write(i.to, i.has_literal ? operations_.power(a, i.literal)
                                                 : operations_.binary(i.op, a, read(i.b)));
            }
            case Code::Jump:
                b_.CreateBr(target(i.to));
                return;
            case Code::JumpFalse: {
                Value* is_false = b_.CreateFCmpOEQ(read(i.a), constant(0));
                BasicBlock* next = target(static_cast<std::uint32_t>(at_ + 1));
                b_.CreateCondBr(is_false, target(i.to), next);
                return;
            }
            case Code::Call:
                return call(i);
            case Code::Solve:
                check(b_.CreateCall(operations_.host("cutset_solve", i32_, {pointer_, i32_}),
                                    {run_, plain_number(i.a)}));
                forget();
                return;
            case Code::Delay: {
                Value* time = b_.CreateFSub(read(i.time), read(i.b));
                return write(
                    i.to, b_.CreateCall(operations_.host("cutset_delay", number_, {pointer_, i32_, number_}),
                                        {run_, plain_number(i.a), time}));
            }
            case Code::Switch:
                return;
        }
    }

    llvm::Module& module_;
    const bool optimise_, relocatable_;
    llvm::LLVMContext& context_;
    const Piece& piece_;
    const Shape& shape_;
    llvm::IRBuilder<> b_;
    Operations operations_;
    llvm::Type *number_, *pointer_, *i32_, *i64_;
    llvm::Function* function_ = nullptr;
    Value *values_ = nullptr, *scratch_ = nullptr, *run_ = nullptr, *table_ = nullptr, *count_ = nullptr,
          *values_number_ = nullptr, *scratch_number_ = nullptr;
    BasicBlock *entry_ = nullptr, *failed_ = nullptr;
    Value *in_ = nullptr, *out_ = nullptr;                              // of calls
    Value *functions_ = nullptr, *calls_ = nullptr, *arena_ = nullptr;  // of SectionRun
    std::vector<Value*> came_with_;  // by instruction: a result that an earlier call has given
    std::vector<bool> is_variable_;
    std::vector<llvm::AllocaInst*> variable_, variables_;
    std::vector<Value*> local_, cached_, address_, hoisted_;
    std::vector<std::size_t> cached_at_;
    std::vector<BasicBlock*> targets_;
    std::map<std::int64_t, llvm::PHINode*> steps_;  // by stride: stride·row
    Value* line_ = nullptr;                         // of the table
    bool jumps_ = false;
    std::size_t at_ = 0;
};

}  // namespace

llvm::Function* emit(llvm::Module& module, const Piece& piece, const std::string& name, bool optimise,
                     bool relocatable) {
    return Emitter(module, piece, name, optimise, relocatable).run();
}

}  // namespace cutset::native

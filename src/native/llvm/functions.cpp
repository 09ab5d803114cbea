#include "native/llvm/functions.h"

#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <algorithm>
#include <cstddef>
#include <limits>

#include "native/llvm/jet.h"
#include "native/llvm/object_image.h"

namespace cutset::native {

using llvm::BasicBlock;
using llvm::Value;

std::string function_name(CalleeIndex callee, FunctionKind kind, bool careful) {
    return (careful ? "careful_" : "function_") + std::to_string(callee.value) + "_" +
           std::to_string(static_cast<int>(kind));
}

namespace {

using Step = FunctionCode::Step;

template <class T>
class FunctionEmitter {
    static constexpr std::uint32_t parts = JetTraits<T>::parts;

  public:
    FunctionEmitter(llvm::Module& module, const FunctionPlan& plan, bool relocatable)
        : module_(module),
          relocatable_(relocatable),
          context_(module.getContext()),
          plan_(plan),
          code_(*plan.code),
          b_(context_),
          number_(llvm::Type::getDoubleTy(context_)),
          pointer_(llvm::PointerType::get(context_, 0)),
          i32_(llvm::Type::getInt32Ty(context_)),
          i64_(llvm::Type::getInt64Ty(context_)),
          jets_(module, b_) {}

    llvm::Function* run(const std::string& name) {
        function_ = declare(name);
        function_->addFnAttr(llvm::Attribute::NoUnwind);
        for (unsigned k = 0; k < 4; ++k) function_->addParamAttr(k, llvm::Attribute::NoAlias);
        in_ = function_->getArg(0);
        out_ = function_->getArg(1);
        run_ = function_->getArg(2);
        arena_ = function_->getArg(3);
        depth_ = function_->getArg(4);
        entry_ = BasicBlock::Create(context_, "", function_);
        failed_ = BasicBlock::Create(context_, "", function_);
        b_.SetInsertPoint(failed_);
        b_.CreateRet(llvm::ConstantInt::get(i32_, 0));
        b_.SetInsertPoint(entry_);
        sort_slots();
        make_slots();
        if (!plan_.bound) go_on_if(b_.CreateICmpNE(depth_, llvm::ConstantInt::get(i32_, 0)));
        if (plan_.remembered.any || plan_.with_derivative.any) look_up();
        if (!plan_.bound) count(static_cast<std::int64_t>(code_.steps.size()));
        if (memory_slots_ > 0)
            go_on_if(b_.CreateICmpULE(place(arena_, memory_slots_ * parts),
                                      b_.CreateLoad(pointer_, field(offsetof(FunctionRun, arena_end)))));
        set_slots();
        steps();
        llvm::DominatorTree tree(*function_);
        llvm::PromoteMemToReg(promoted_, tree);
        return function_;
    }

  private:
    llvm::Function* declare(const std::string& name) {
        auto* type = llvm::FunctionType::get(i32_, {pointer_, pointer_, pointer_, pointer_, i32_}, false);
        auto* function = llvm::cast<llvm::Function>(module_.getOrInsertFunction(name, type).getCallee());
        function->setDSOLocal(relocatable_);
        return function;
    }
    Value* place(Value* base, std::uint64_t at) { return b_.CreateConstInBoundsGEP1_64(number_, base, at); }
    Value* field(std::size_t offset) {
        return b_.CreateConstInBoundsGEP1_64(llvm::Type::getInt8Ty(context_), run_, offset);
    }
    void go_on_if(Value* condition) {
        BasicBlock* next = BasicBlock::Create(context_, "", function_);
        b_.CreateCondBr(condition, next, failed_);
        b_.SetInsertPoint(next);
    }
    // At least as many steps as the frame machine counts.
    void count(std::int64_t steps) {
        Value* at = field(offsetof(FunctionRun, steps_left));
        Value* left = b_.CreateSub(b_.CreateLoad(i64_, at), llvm::ConstantInt::getSigned(i64_, steps));
        b_.CreateStore(left, at);
        go_on_if(b_.CreateICmpSGE(left, llvm::ConstantInt::get(i64_, 0)));
    }

    // ---- calls remembered: arguments, outputs, steps (1 where a bound makes counting needless)

    std::uint64_t row_length(std::uint64_t of) const {
        return std::uint64_t(code_.inputs + code_.outputs) * of + 1;
    }
    Value* bits(Value* base, std::uint64_t at) { return b_.CreateLoad(i64_, place(base, at)); }

    // Where the rows of this function begin is filled in when the code is put into memory.
    Value* remembered_at(Value* base, const RememberedCalls& calls) {
        if (!relocatable_) return place(base, calls.offset);
        const std::size_t which = &calls == &plan_.remembered ? 0 : 1;
        auto* cell = llvm::cast<llvm::GlobalVariable>(module_.getOrInsertGlobal(cell_name(which), i64_));
        cell->setDSOLocal(true);
        return b_.CreateInBoundsGEP(llvm::Type::getInt8Ty(context_), base, b_.CreateLoad(i64_, cell));
    }

    // Leaves with the outputs of an earlier call with the same arguments, if its row has them; a value also
    // with those of a call in one direction.
    void look_up() {
        Value* hash = llvm::ConstantInt::get(i64_, 0);
        std::vector<Value*> arguments;
        for (std::uint64_t k = 0; k < std::uint64_t(code_.inputs) * parts; ++k) {
            arguments.push_back(bits(in_, k));
            if (k % parts != 0) continue;
            Value* turned = k == 0 ? hash : b_.CreateOr(b_.CreateShl(hash, 23), b_.CreateLShr(hash, 64 - 23));
            hash = b_.CreateMul(b_.CreateXor(turned, arguments.back()),
                                llvm::ConstantInt::get(i64_, 0x9e3779b97f4a7c15u));
        }
        Value* number = b_.CreateLShr(hash, 64 - RememberedCalls::row_bits);
        Value* memory = b_.CreateLoad(pointer_, field(offsetof(FunctionRun, remembered)));
        Value* steps_left = field(offsetof(FunctionRun, steps_left));
        if (!plan_.bound) steps_before_ = b_.CreateLoad(i64_, steps_left);
        // A row of numbers with `of` parts.
        const auto look = [&](const RememberedCalls& calls, std::uint64_t of) {
            Value* length = llvm::ConstantInt::get(i64_, row_length(of));
            Value* row =
                remembered_at(b_.CreateInBoundsGEP(number_, memory, b_.CreateMul(number, length)), calls);
            Value* taken = b_.CreateLoad(i64_, place(row, row_length(of) - 1));
            Value* same = b_.CreateICmpNE(taken, llvm::ConstantInt::get(i64_, 0));
            for (std::size_t k = 0; k < arguments.size(); ++k)
                same = b_.CreateAnd(same, b_.CreateICmpEQ(arguments[k], bits(row, k * (of / parts))));
            BasicBlock* known = BasicBlock::Create(context_, "", function_);
            BasicBlock* unknown = BasicBlock::Create(context_, "", function_);
            b_.CreateCondBr(same, known, unknown);
            b_.SetInsertPoint(known);
            for (std::uint64_t k = 0; k < std::uint64_t(code_.outputs) * parts; ++k)
                b_.CreateStore(bits(row, code_.inputs * of + k * (of / parts)), place(out_, k));
            if (plan_.bound) {
                b_.CreateRet(llvm::ConstantInt::get(i32_, 1));
            } else {
                // As if it had been computed: what takes too many steps does so here and in the frame
                // machine.
                Value* left = b_.CreateSub(steps_before_, taken);
                b_.CreateStore(left, steps_left);
                b_.CreateRet(b_.CreateZExt(b_.CreateICmpSGE(left, llvm::ConstantInt::get(i64_, 0)), i32_));
            }
            b_.SetInsertPoint(unknown);
            return row;
        };
        if (plan_.remembered.any) row_ = look(plan_.remembered, parts);
        if (plan_.with_derivative.any) look(plan_.with_derivative, 2);
    }
    void remember() {
        for (std::uint64_t k = 0; k < std::uint64_t(code_.inputs) * parts; ++k)
            b_.CreateStore(bits(in_, k), place(row_, k));
        for (std::uint64_t k = 0; k < std::uint64_t(code_.outputs) * parts; ++k)
            b_.CreateStore(bits(out_, k), place(row_, std::uint64_t(code_.inputs) * parts + k));
        Value* steps = llvm::ConstantInt::get(i64_, 1);
        if (!plan_.bound)
            steps =
                b_.CreateSub(steps_before_, b_.CreateLoad(i64_, field(offsetof(FunctionRun, steps_left))));
        b_.CreateStore(steps, place(row_, row_length(parts) - 1));
    }

    // ---- slots: numbers, elements of arrays in the arena, or variables

    void sort_slots() {
        in_memory_.assign(code_.frame, nowhere);
        std::vector<bool> written(code_.frame, false), used(code_.frame, false);
        const auto use = [&](Slot s) { used[s] = true; };
        for (const Step& s : code_.steps) {
            const Instruction& i = s.instruction;
            switch (s.kind) {
                case Step::Kind::LoadElement:
                case Step::Kind::StoreElement:
                    for (std::uint32_t k = 0; k < s.length; ++k) in_memory_[s.first + k] = 0;
                    if (s.kind == Step::Kind::StoreElement) changes_ = true;
                    use(i.a);
                    if (s.kind == Step::Kind::LoadElement)
                        written[i.to] = true;
                    else
                        use(i.b);
                    break;
                case Step::Kind::Operation:
                    use(i.a);
                    if (i.code != Code::Copy && i.code != Code::Negate && i.code != Code::Unary) use(i.b);
                    written[i.to] = true;
                    break;
                case Step::Kind::Call:
                    for (Slot a : code_.calls[i.a].arguments) use(a);
                    written[i.to] = true;
                    break;
                case Step::Kind::JumpFalse:
                case Step::Kind::Assert:
                    use(i.a);
                    break;
                case Step::Kind::Jump:
                case Step::Kind::Return:
                    break;
            }
        }
        for (std::uint32_t k = 0; k < code_.outputs; ++k) use(code_.inputs + k);
        for (std::size_t s = 0; s < code_.frame; ++s)
            if (in_memory_[s] != nowhere) {
                in_memory_[s] = array_slots_++;
                changes_ = changes_ || written[s] || s < code_.inputs;
            }
        if (changes_) memory_slots_ = array_slots_;
        initial_.assign(code_.frame, std::numeric_limits<double>::quiet_NaN());
        // In the order of the frame machine: inputs, constants of the language, numbers.
        std::vector<bool> given(code_.frame, false);
        for (const auto& [slot, value] : plan_.data->constants) {
            initial_[slot] = value;
            given[slot] = true;
        }
        const std::size_t first_constant = code_.frame - code_.constants.size();
        for (std::size_t k = 0; k < code_.constants.size(); ++k)
            initial_[first_constant + k] = code_.constants[k];
        kind_.assign(code_.frame, SlotKind::Variable);
        for (std::size_t s = 0; s < code_.frame; ++s) {
            const bool input = s < code_.inputs && !given[s];
            from_input_.push_back(input);
            if (in_memory_[s] != nowhere)
                kind_[s] = SlotKind::Element;
            else if (!written[s] && !input)
                kind_[s] = SlotKind::Constant;
            else if (!used[s])
                kind_[s] = SlotKind::Unused;
        }
    }

    void make_slots() {
        variables_.assign(std::size_t(code_.frame) * parts, nullptr);
        for (std::size_t s = 0; s < code_.frame; ++s)
            if (kind_[s] == SlotKind::Variable)
                for (std::uint32_t p = 0; p < parts; ++p) {
                    variables_[s * parts + p] = b_.CreateAlloca(number_);
                    promoted_.push_back(variables_[s * parts + p]);
                }
        std::size_t most_in = 1, most_out = 1;
        for (std::size_t c = 0; c < code_.calls.size(); ++c) {
            most_in = std::max(most_in, code_.calls[c].arguments.size());
            most_out = std::max<std::size_t>(most_out, plan_.calls[c].outputs);
        }
        if (code_.calls.empty()) return;
        call_in_ = b_.CreateAlloca(number_, llvm::ConstantInt::get(i64_, most_in * parts));
        call_out_ = b_.CreateAlloca(number_, llvm::ConstantInt::get(i64_, most_out * parts));
    }

    // Arrays as they are at the beginning.
    void set_arrays() {
        std::vector<double> numbers(std::size_t(array_slots_) * parts, 0);
        for (std::size_t s = 0; s < code_.frame; ++s)
            if (kind_[s] == SlotKind::Element) numbers[std::size_t(in_memory_[s]) * parts] = initial_[s];
        auto* data = llvm::ConstantDataArray::get(context_, llvm::ArrayRef<double>(numbers));
        arrays_ =
            new llvm::GlobalVariable(module_, data->getType(), true, llvm::GlobalValue::PrivateLinkage, data);
        if (!changes_) return;
        b_.CreateMemCpy(arena_, llvm::Align(8), arrays_, llvm::Align(8), numbers.size() * sizeof(double));
        arrays_ = arena_;
    }

    void set_slots() {
        if (array_slots_ > 0) set_arrays();
        for (std::size_t s = 0; s < code_.frame; ++s) {
            if (kind_[s] == SlotKind::Constant || kind_[s] == SlotKind::Unused) continue;
            if (kind_[s] == SlotKind::Element && !from_input_[s]) continue;
            write(static_cast<Slot>(s), from_input_[s]
                                            ? jets_.template assemble<T>([&](std::uint32_t p) -> Value* {
                                                  return b_.CreateLoad(number_, place(in_, s * parts + p));
                                              })
                                            : jets_.template number<T>(initial_[s]));
        }
    }

    T read(Slot s) {
        if (kind_[s] == SlotKind::Constant) return jets_.template number<T>(initial_[s]);
        return jets_.template assemble<T>([&](std::uint32_t p) -> Value* {
            return b_.CreateLoad(number_, kind_[s] == SlotKind::Element
                                              ? place(arrays_, std::uint64_t(in_memory_[s]) * parts + p)
                                              : variables_[s * parts + p]);
        });
    }
    void write(Slot s, const T& value) {
        if (kind_[s] == SlotKind::Unused) return;
        jets_.take_apart(value, [&](std::uint32_t p, Value* v) {
            b_.CreateStore(v, kind_[s] == SlotKind::Element
                                  ? place(arrays_, std::uint64_t(in_memory_[s]) * parts + p)
                                  : variables_[s * parts + p]);
        });
    }

    // The address of an element; slots of one array follow each other in memory too.
    Value* element(const Step& step) {
        Value* position = jets_.plain(read(step.instruction.a));
        auto* one = llvm::ConstantFP::get(number_, 1);
        auto* length = llvm::ConstantFP::get(number_, step.length);
        go_on_if(b_.CreateAnd(b_.CreateFCmpOGE(position, one), b_.CreateFCmpOLE(position, length)));
        Value* whole = b_.CreateFPToSI(position, i64_);
        go_on_if(b_.CreateFCmpOEQ(b_.CreateSIToFP(whole, number_), position));
        Value* at =
            b_.CreateAdd(whole, llvm::ConstantInt::getSigned(i64_, std::int64_t(in_memory_[step.first]) - 1));
        return b_.CreateInBoundsGEP(number_, arrays_, b_.CreateMul(at, llvm::ConstantInt::get(i64_, parts)));
    }

    // ---- steps

    BasicBlock* target(std::size_t at) {
        if (!targets_[at]) targets_[at] = BasicBlock::Create(context_, "", function_);
        return targets_[at];
    }
    // Where a jump leads; back through a block that counts.
    BasicBlock* way(std::size_t from, std::size_t to) {
        if (to > from) return target(to);
        BasicBlock* back = BasicBlock::Create(context_, "", function_);
        BasicBlock* here = b_.GetInsertBlock();
        b_.SetInsertPoint(back);
        count(static_cast<std::int64_t>(from - to + 1));
        b_.CreateBr(target(to));
        b_.SetInsertPoint(here);
        return back;
    }

    void steps() {
        targets_.assign(code_.steps.size() + 1, nullptr);
        for (const Step& s : code_.steps)
            if (s.kind == Step::Kind::Jump || s.kind == Step::Kind::JumpFalse) target(s.instruction.to);
        bool open = true;  // the block at hand has no end yet
        for (std::size_t k = 0; k < code_.steps.size(); ++k) {
            if (targets_[k]) {
                if (open) b_.CreateBr(targets_[k]);
                b_.SetInsertPoint(targets_[k]);
                open = true;
            }
            if (!open) continue;  // nothing leads here
            const Step& s = code_.steps[k];
            const Instruction& i = s.instruction;
            switch (s.kind) {
                case Step::Kind::Operation:
                    operation(i);
                    break;
                case Step::Kind::LoadElement: {
                    Value* at = element(s);
                    write(i.to, jets_.template assemble<T>([&](std::uint32_t p) -> Value* {
                        return b_.CreateLoad(number_, place(at, p));
                    }));
                    break;
                }
                case Step::Kind::StoreElement: {
                    Value* at = element(s);
                    jets_.take_apart(read(i.b),
                                     [&](std::uint32_t p, Value* v) { b_.CreateStore(v, place(at, p)); });
                    break;
                }
                case Step::Kind::Jump:
                    b_.CreateBr(way(k, i.to));
                    open = false;
                    break;
                case Step::Kind::JumpFalse: {
                    BasicBlock* next = target(k + 1);
                    if (Value* condition = condition_before(k, i.a)) {
                        b_.CreateCondBr(condition, next, way(k, i.to));
                    } else {
                        Value* is_false =
                            b_.CreateFCmpOEQ(jets_.plain(read(i.a)), llvm::ConstantFP::get(number_, 0));
                        b_.CreateCondBr(is_false, way(k, i.to), next);
                    }
                    open = false;
                    break;
                }
                case Step::Kind::Call:
                    call(i);
                    break;
                case Step::Kind::Assert:  // what fails is run again by the frame machine, which has the text
                    go_on_if(b_.CreateFCmpUNE(jets_.plain(read(i.a)), llvm::ConstantFP::get(number_, 0)));
                    break;
                case Step::Kind::Return:
                    for (std::uint32_t o = 0; o < code_.outputs; ++o)
                        jets_.take_apart(read(code_.inputs + o), [&](std::uint32_t p, Value* v) {
                            b_.CreateStore(v, place(out_, std::uint64_t(o) * parts + p));
                        });
                    if (row_) remember();
                    b_.CreateRet(llvm::ConstantInt::get(i32_, 1));
                    open = false;
                    break;
            }
        }
        // Behind the last step, which returns, there is nothing; a block that was made for it has no way in.
        if (targets_.back()) {
            b_.SetInsertPoint(targets_.back());
            b_.CreateUnreachable();
        }
        if (open) b_.CreateUnreachable();
    }

    bool is_number(Slot s) const { return s >= code_.frame - code_.constants.size(); }
    Value* number(Slot s) { return llvm::ConstantFP::get(number_, initial_[s]); }

    // The relation that the step before a jump has just computed as a number, if it is one and nothing else
    // leads to the jump.
    Value* condition_before(std::size_t jump, Slot slot) const {
        if (jump == 0 || targets_[jump] || code_.steps[jump - 1].kind != Step::Kind::Operation ||
            code_.steps[jump - 1].instruction.to != slot)
            return nullptr;
        auto* chosen = llvm::dyn_cast_or_null<llvm::SelectInst>(relation_);
        return chosen ? chosen->getCondition() : nullptr;
    }

    // As compute_slot does it, numbers that do not vary included.
    void operation(const Instruction& i) {
        relation_ = nullptr;
        const auto both = [&](auto compute) {
            if (is_number(i.a) == is_number(i.b)) return write(i.to, compute(read(i.a), read(i.b)));
            if (is_number(i.b)) return write(i.to, compute(read(i.a), number(i.b)));
            return write(i.to, compute(number(i.a), read(i.b)));
        };
        switch (i.code) {
            case Code::Copy:
                return write(i.to, read(i.a));
            case Code::Add:
                return both([&](auto a, auto b) { return jets_.add(a, b); });
            case Code::Subtract:
                return both([&](auto a, auto b) { return jets_.subtract(a, b); });
            case Code::Multiply:
                return both([&](auto a, auto b) { return jets_.multiply(a, b); });
            case Code::Divide:
                return both([&](auto a, auto b) { return jets_.divide(a, b); });
            case Code::Negate:
                return write(i.to, jets_.negate(read(i.a)));
            case Code::Unary:
                return write(i.to, jets_.unary(i.op, read(i.a)));
            default: {  // Binary; the planner lets no other pass
                const T result = jets_.binary(i.op, read(i.a), read(i.b));
                if (i.op >= Op::Less && i.op <= Op::NotEqual) relation_ = jets_.plain(result);
                return write(i.to, result);
            }
        }
    }

    void call(const Instruction& i) {
        const CallSite& site = code_.calls[i.a];
        const FunctionPlan::Call& how = plan_.calls[i.a];
        const std::uint32_t passed = parts_of(how.kind);  // 1 where the result has no derivatives
        for (std::size_t k = 0; k < site.arguments.size(); ++k)
            jets_.take_apart(read(site.arguments[k]), [&](std::uint32_t p, Value* v) {
                if (p < passed) b_.CreateStore(v, place(call_in_, k * passed + p));
            });
        Value* depth = depth_;
        if (!how.bound) {
            depth = b_.CreateSub(depth_, llvm::ConstantInt::get(i32_, 1));
        } else if (!plan_.bound) {
            count(how.bound->steps);
            go_on_if(b_.CreateICmpUGT(depth_, llvm::ConstantInt::get(i32_, how.bound->depth)));
        }
        Value* good = nullptr;
        if (plan_.calls[i.a].native) {
            good = b_.CreateCall(declare(relocatable_ ? site_name(i.a, how.kind)
                                                      : function_name(site.callee, how.kind, plan_.careful)),
                                 {call_in_, call_out_, run_, place(arena_, memory_slots_ * parts), depth});
        } else {
            auto* type =
                llvm::FunctionType::get(i32_, {pointer_, i32_, i32_, i32_, pointer_, pointer_, i32_}, false);
            good = b_.CreateCall(
                module_.getOrInsertFunction("cutset_callee", type),
                {run_, llvm::ConstantInt::get(i32_, site.callee.value),
                 llvm::ConstantInt::get(i32_, static_cast<int>(how.kind)),
                 llvm::ConstantInt::get(i32_, site.arguments.size()), call_in_, call_out_, depth});
        }
        if (!how.bound) go_on_if(b_.CreateICmpNE(good, llvm::ConstantInt::get(i32_, 0)));
        write(i.to, jets_.template assemble<T>([&](std::uint32_t p) -> Value* {
            if (p >= passed) return llvm::ConstantFP::get(number_, 0);
            return b_.CreateLoad(number_, place(call_out_, std::uint64_t(site.output) * passed + p));
        }));
    }

    enum class SlotKind : std::uint8_t { Variable, Constant, Element, Unused };
    static constexpr std::uint32_t nowhere = ~0u;

    llvm::Module& module_;
    const bool relocatable_;
    llvm::LLVMContext& context_;
    const FunctionPlan& plan_;
    const FunctionCode& code_;
    llvm::IRBuilder<> b_;
    llvm::Type *number_, *pointer_, *i32_, *i64_;
    JetArithmetic jets_;
    llvm::Function* function_ = nullptr;
    Value *in_ = nullptr, *out_ = nullptr, *run_ = nullptr, *arena_ = nullptr, *depth_ = nullptr;
    Value *call_in_ = nullptr, *call_out_ = nullptr;
    BasicBlock *entry_ = nullptr, *failed_ = nullptr;
    std::vector<BasicBlock*> targets_;      // by step
    std::vector<SlotKind> kind_;            // by slot
    std::vector<std::uint32_t> in_memory_;  // by slot: place in the arena
    std::vector<double> initial_;           // by slot
    std::vector<bool> from_input_;          // by slot
    std::vector<llvm::AllocaInst*> variables_, promoted_;
    std::uint32_t array_slots_ = 0, memory_slots_ = 0;  // elements, and those that need memory
    bool changes_ = false;                              // elements are written
    Value* arrays_ = nullptr;
    Value *row_ = nullptr, *steps_before_ = nullptr;  // of the call remembered
    Value* relation_ = nullptr;                       // that the last operation computed
};

}  // namespace

llvm::Function* emit(llvm::Module& module, const FunctionPlan& plan, const std::string& name,
                     bool relocatable) {
    switch (plan.kind) {
        case FunctionKind::Value:
            return FunctionEmitter<Plain>(module, plan, relocatable).run(name);
        case FunctionKind::OneDirection:
            return FunctionEmitter<OneDirection>(module, plan, relocatable).run(name);
        case FunctionKind::TwoDirections:
            return FunctionEmitter<TwoDirections>(module, plan, relocatable).run(name);
        case FunctionKind::Second:
            return FunctionEmitter<SecondOrder>(module, plan, relocatable).run(name);
    }
    return nullptr;
}

}  // namespace cutset::native

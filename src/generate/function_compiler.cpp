#include "generate/function_compiler.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "base/diagnostic.h"
#include "generate/expression_compiler.h"

namespace cutset {

namespace {

using Step = FunctionCode::Step;

class FunctionCompiler : public CodeSink {
  public:
    explicit FunctionCompiler(const FunctionData& function) : function_(function), compiler_(*this) {
        code_.inputs = function.inputs;
        code_.outputs = function.outputs;
        next_ = frame_ = function.slots;
    }

    FunctionCode compile() {
        statements(function_.body);
        for (std::size_t at : to_return_) land(at);
        step(Step::Kind::Return, {});
        // The numbers come after the last temporary.
        for (Step& s : code_.steps) {
            place(s.instruction.a);
            if (s.kind != Step::Kind::Assert) place(s.instruction.b);
        }
        for (CallSite& c : code_.calls)
            for (Slot& s : c.arguments) place(s);
        code_.frame = frame_ + static_cast<std::uint32_t>(code_.constants.size());
        return std::move(code_);
    }

    Slot temporary() override {
        const Slot slot = next_++;
        frame_ = std::max(frame_, next_);
        return slot;
    }
    Slot constant(double v) override {
        const auto [place, is_new] =
            constants_.emplace(std::bit_cast<std::uint64_t>(v), static_cast<Slot>(code_.constants.size()));
        if (is_new) code_.constants.push_back(v);
        return constant_tag + place->second;
    }
    std::size_t position() const override { return code_.steps.size(); }
    void emit(Instruction i) override {
        switch (i.code) {
            case Code::Jump:
                return step(Step::Kind::Jump, i);
            case Code::JumpFalse:
                return step(Step::Kind::JumpFalse, i);
            case Code::Call:
                return step(Step::Kind::Call, i);
            default:
                return step(Step::Kind::Operation, i);
        }
    }
    void land(std::size_t at) override { code_.steps[at].instruction.to = static_cast<Slot>(position()); }
    std::uint32_t call_site(CallSite site) override {
        code_.calls.push_back(std::move(site));
        return static_cast<std::uint32_t>(code_.calls.size() - 1);
    }
    Slot leaf(Expr e) override {
        CUTSET_ASSERT(e->op == Op::Local);
        return e->index;
    }
    void load_element(Slot to, Slot index, Expr element) override {
        step(Step::Kind::LoadElement, {Code::Copy, Op::Number, to, index, 0});
        code_.steps.back().first = element->index;
        code_.steps.back().length = element->order;
    }
    std::optional<std::uint32_t> switch_number(Expr) override { return std::nullopt; }
    std::uint32_t delay_number(Expr) override {
        CUTSET_ASSERT(!"a function has no delays");
        return 0;
    }
    Expr lower(Expr e) override {
        CUTSET_ASSERT(!"a function has no events");
        return e;
    }

  private:
    static constexpr Slot constant_tag = 1u << 31;
    void place(Slot& s) const {
        if (s & constant_tag) s = frame_ + (s & ~constant_tag);
    }

    void step(Step::Kind kind, Instruction i) { code_.steps.push_back({kind, i, 0, 0, statement_}); }
    void jump(std::size_t target) {
        step(Step::Kind::Jump, {Code::Jump, Op::Number, static_cast<Slot>(target), 0, 0});
    }

    // Variables change from statement to statement, so nothing is remembered beyond an expression.
    Slot value(Expr e) {
        compiler_.forget_all();
        return compiler_.compile(e);
    }
    void assign(Slot to, Expr e) {
        compiler_.forget_all();
        bool uses_target = false;
        for_each_leaf(
            e, [&](Expr leaf) { uses_target = uses_target || (leaf->op == Op::Local && leaf->index == to); });
        if (!uses_target) {
            compiler_.compile(e, to);
        } else {
            const Slot from = compiler_.compile(e);
            step(Step::Kind::Operation, {Code::Copy, Op::Number, to, from, 0});
        }
    }

    void statements(const std::vector<FunctionStatement>& list) {
        for (const FunctionStatement& s : list) {
            const Slot before = next_;
            statement_ = static_cast<std::uint32_t>(code_.statements.size());
            code_.statements.push_back(s.where);
            std::visit([&](const auto& what) { statement(what); }, s.what);
            next_ = before;
        }
    }

    void statement(const FunctionAssign& s) {
        if (s.target->op == Op::Local) return assign(s.target->index, s.value);
        CUTSET_ASSERT(s.target->op == Op::Element);
        compiler_.forget_all();
        const Slot index = compiler_.compile(s.target->arg(0));
        const Slot from = compiler_.compile(s.value);
        step(Step::Kind::StoreElement, {Code::Copy, Op::Number, 0, index, from});
        code_.steps.back().first = s.target->index;
        code_.steps.back().length = s.target->order;
    }

    void statement(const FunctionIf& s) {
        std::vector<std::size_t> to_end;
        for (const auto& [condition, body] : s.branches) {
            if (!condition) {
                statements(body);
                break;
            }
            const Slot holds = value(condition);
            const std::size_t skip = position();
            step(Step::Kind::JumpFalse, {Code::JumpFalse, Op::Number, 0, holds, 0});
            statements(body);
            to_end.push_back(position());
            jump(0);
            land(skip);
        }
        for (std::size_t at : to_end) land(at);
    }

    // Goes on while (to - i)*step >= 0; bounds and step are taken once, at the beginning.
    void statement(const FunctionFor& s) {
        const Slot last = temporary(), by = temporary();
        assign(last, s.to);
        if (s.step)
            assign(by, s.step);
        else
            step(Step::Kind::Operation, {Code::Copy, Op::Number, by, constant(1), 0});
        assign(s.slot, s.from);
        const std::size_t top = position();
        const Slot left = temporary();
        step(Step::Kind::Operation, {Code::Subtract, Op::Number, left, last, s.slot});
        step(Step::Kind::Operation, {Code::Multiply, Op::Number, left, left, by});
        step(Step::Kind::Operation, {Code::Binary, Op::LessEqual, left, constant(0), left});
        const std::size_t leave = position();
        step(Step::Kind::JumpFalse, {Code::JumpFalse, Op::Number, 0, left, 0});
        loop_body(s.body);
        step(Step::Kind::Operation, {Code::Add, Op::Number, s.slot, s.slot, by});
        end_loop(top, leave);
    }

    void statement(const FunctionWhile& s) {
        const std::size_t top = position();
        const Slot holds = value(s.condition);
        const std::size_t leave = position();
        step(Step::Kind::JumpFalse, {Code::JumpFalse, Op::Number, 0, holds, 0});
        loop_body(s.body);
        end_loop(top, leave);
    }

    void loop_body(const std::vector<FunctionStatement>& body) {
        to_leave_.emplace_back();
        statements(body);
    }
    void end_loop(std::size_t top, std::size_t leave) {
        jump(top);
        land(leave);
        for (std::size_t at : to_leave_.back()) land(at);
        to_leave_.pop_back();
    }

    void statement(const FunctionLeave& s) {
        CUTSET_ASSERT(!s.loop || !to_leave_.empty());
        (s.loop ? to_leave_.back() : to_return_).push_back(position());
        jump(0);
    }

    void statement(const FunctionAssert& s) {
        const Slot holds = value(s.condition);
        step(Step::Kind::Assert,
             {Code::Copy, Op::Number, 0, holds, static_cast<Slot>(code_.assertions.size())});
        code_.assertions.push_back(s.text);
    }

    const FunctionData& function_;
    ExpressionCompiler compiler_;
    FunctionCode code_;
    std::unordered_map<std::uint64_t, Slot> constants_;
    std::vector<std::size_t> to_return_;              // jumps to the end
    std::vector<std::vector<std::size_t>> to_leave_;  // by loop that is open: jumps out of it
    Slot next_ = 0;                                   // next free temporary
    std::uint32_t frame_ = 0;                         // slots used, without the numbers
    std::uint32_t statement_ = 0;
};

}  // namespace

FunctionCode compile_function(const FunctionData& function) {
    return FunctionCompiler(function).compile();
}

}  // namespace cutset

// Programs made at random: sections of all kinds of instructions, with branches, switches, loops and delays,
// and with patterns that repeat over other operands.
#pragma once

#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "expr/elementary_functions.h"
#include "generate/interpreter.h"
#include "generate/section_builder.h"

namespace cutset {

class RandomProgram {
  public:
    explicit RandomProgram(unsigned seed) : random_(seed) {
        partition_ = std::make_shared<Partition>();
        program.partition = partition_;
        b_ = std::make_unique<ProgramBuilder>(*partition_, program);
        program.layout.time = b_->quantity();
        program.layout.starting = b_->quantity();
        program.layout.ending = b_->quantity();
        for (int i = 0; i < 6; ++i) program.layout.switches.push_back(b_->quantity());
        for (int i = 0; i < 400; ++i) quantities_.push_back(b_->quantity());
        const int loops = pick(4);
        for (int i = 0; i < loops; ++i) add_loop();
        SectionBuilder code(*b_, SectionBuilder::Use::Plain);
        code_ = &code;
        const int parts = 1 + pick(12);
        for (int i = 0; i < parts; ++i) {
            if (program.loops.size() > 0 && pick(4) == 0)
                code.solve(static_cast<std::uint32_t>(pick(static_cast<int>(program.loops.size()))));
            pattern(1 + pick(120));
        }
        program.continuous = code.finish();
        b_->relocate();
    }

    Program program;
    std::mt19937 random_;

    double some_value() {
        switch (pick(12)) {
            case 0:
                return 0;
            case 1:
                return -0.0;
            case 2:
                return pick(10) ? 1 : std::numeric_limits<double>::infinity();
            case 3:
                return pick(10) ? -1 : std::numeric_limits<double>::quiet_NaN();
            default:
                return std::uniform_real_distribution<double>(-3, 3)(random_);
        }
    }

  private:
    int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

    // One pattern of random instructions, repeated `count` times with operands that go on by a stride, by
    // chance, or not at all; each repetition may read what the one before wrote.
    void pattern(int count) {
        const unsigned seed = random_();
        std::vector<int> base(40), stride(40);
        for (int k = 0; k < 40; ++k) {
            base[static_cast<std::size_t>(k)] = pick(400);
            stride[static_cast<std::size_t>(k)] = pick(5) - 1;
        }
        const bool by_chance = pick(3) == 0;
        const std::mt19937 outer = random_;
        for (int i = 0; i < count; ++i) {
            random_.seed(seed);
            std::size_t met = 0;
            std::mt19937 places(seed + static_cast<unsigned>(i));
            place_ = [&, i]() mutable {
                const std::size_t k = met++ % 40;
                const int at =
                    by_chance && k % 3 == 0 ? static_cast<int>(places() % 400) : base[k] + i * stride[k];
                return quantities_[static_cast<std::size_t>((at % 400 + 400) % 400)];
            };
            known_.clear();
            if (pick(3) == 0 && shared_.size() > 0) known_.push_back(shared_.back());
            statements(1 + pick(3), 0);
            if (pick(3) == 0 && !known_.empty()) shared_.push_back(known_.back());
        }
        shared_.clear();
        random_ = outer;
        random_.discard(1);
    }

    Slot source() {
        if (!known_.empty() && pick(2)) return known_[static_cast<std::size_t>(pick(int(known_.size())))];
        if (pick(6) == 0) return code_->constant(pick(5) - 2.5);
        return place_();
    }
    Slot target() {
        if (pick(3) == 0) return place_();
        return code_->temporary();
    }
    void done(Slot to) {
        if ((to & slot_tag::mask) == slot_tag::temporary) known_.push_back(to);
    }

    static std::vector<Op> functions(std::size_t arguments, std::vector<Op> list) {
        for (const ElementaryFunction& f : elementary_functions)
            if (f.arguments == arguments) list.push_back(f.op);
        return list;
    }

    void operation(Slot to) {
        const Slot a = source(), b = source();
        static const std::vector<Op> unary = functions(1, {Op::Not, Op::NoEvent});
        static const std::vector<Op> binary =
            functions(2, {Op::Power, Op::Less, Op::LessEqual, Op::Equal, Op::NotEqual});
        switch (pick(9)) {
            case 0:
                return code_->emit({Code::Copy, Op::Number, to, a, 0});
            case 1:
                return code_->emit({Code::Subtract, Op::Number, to, a, b});
            case 2:
                return code_->emit({Code::Multiply, Op::Number, to, a, b});
            case 3:
                return code_->emit({Code::Divide, Op::Number, to, a, b});
            case 4:
                return code_->emit({Code::Negate, Op::Number, to, a, 0});
            case 5:
                return code_->emit({Code::Unary, unary[pick(static_cast<int>(unary.size()))], to, a, 0});
            case 6: {
                const Op op = binary[pick(static_cast<int>(binary.size()))];
                static const double exponents[] = {0, 1, 2, 3, 5, 8, 9, -1, -2, -3, 0.5, -1.5, 2.5};
                return code_->emit({Code::Binary, op, to, a,
                                    op == Op::Power && pick(2) ? code_->constant(exponents[pick(13)]) : b});
            }
            case 7:
                if (pick(4) == 0)
                    return code_->emit({Code::Delay, Op::Number, to, static_cast<Slot>(pick(3)), b});
                [[fallthrough]];
            default:
                return code_->emit({Code::Add, Op::Number, to, a, b});
        }
    }

    void statements(int count, int depth) {
        for (int k = 0; k < count; ++k) {
            const int length = 1 + pick(4);
            for (int i = 0; i < length; ++i) {
                const Slot to = code_->temporary();
                part(to, depth);
                done(to);
            }
            const Slot to = depth > 0 ? target() : place_();
            part(to, depth);
            done(to);
        }
    }

    void part(Slot to, int depth) {
        const std::size_t mark = known_.size();
        const int kind = depth < 3 ? pick(12) : 12;
        if (kind == 0) {  // if … then … else
            const Slot condition = source();
            const std::size_t skip = code_->position();
            code_->emit({Code::JumpFalse, Op::Number, 0, condition, 0});
            inside(to, depth);
            known_.resize(mark);
            const std::size_t over = code_->position();
            code_->emit({Code::Jump, Op::Number, 0, 0, 0});
            code_->land(skip);
            inside(to, depth);
            known_.resize(mark);
            code_->land(over);
        } else if (kind == 1) {  // a value, changed under a condition
            operation(to);
            const std::size_t skip = code_->position();
            code_->emit({Code::JumpFalse, Op::Number, 0, to, 0});
            inside(to, depth);
            known_.resize(mark);
            code_->land(skip);
        } else if (kind == 2) {
            const std::size_t at = code_->position();
            code_->emit({Code::Switch, Op::Number, to, static_cast<Slot>(pick(6)), 0});
            inside(to, depth);
            known_.resize(mark);
            code_->land(at);
        } else {
            operation(to);
        }
    }
    void inside(Slot to, int depth) {
        if (pick(2)) statements(1, depth + 1);
        part(to, depth + 1);
    }

    void add_loop() {
        SectionBuilder code(*b_, SectionBuilder::Use::InLoop);
        code_ = &code;
        Loop loop;
        for (int i = 0; i < 2; ++i) {
            loop.torn.push_back(quantities_[static_cast<std::size_t>(pick(400))]);
            loop.residual_slots.push_back(b_->quantity());
        }
        const int start = pick(300);
        int met = 0;
        place_ = [this, start, met]() mutable {
            return quantities_[static_cast<std::size_t>(start + met++ % 30)];
        };
        known_.clear();
        statements(3, 0);
        for (Slot r : loop.residual_slots) operation(r);
        loop.residual = code.finish();
        loop.jacobian = code.finish();
        program.loops.push_back(std::move(loop));
    }

    std::shared_ptr<Partition> partition_;
    std::unique_ptr<ProgramBuilder> b_;
    std::vector<Slot> quantities_;
    SectionBuilder* code_ = nullptr;
    std::function<Slot()> place_;
    std::vector<Slot> known_;   // temporaries that have a value here
    std::vector<Slot> shared_;  // that later repetitions may read
};

// Loops that need no solution: the torn slots take what the residuals say.
class FewSteps : public LoopSolver {
  public:
    bool solve(const Loop& loop, std::size_t number, Interpreter& values) override {
        for (int k = 0; k < 2; ++k) {
            if (!values.run(loop.residual)) return false;
            for (std::size_t i = 0; i < loop.torn.size(); ++i)
                values[loop.torn[i]] =
                    0.5 * values[loop.residual_slots[i]] + static_cast<double>(number) + ++calls;
        }
        return number + 1 != fails;
    }
    std::size_t fails = 0;  // number of the loop that fails, plus one
    double calls = 0;
};

class LinearDelays : public DelaySource {
  public:
    double value(std::size_t number, double time) override {
        return static_cast<double>(number) + 0.5 * time;
    }
};

}  // namespace cutset

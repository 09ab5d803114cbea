#include "native/expand_calls.h"

#include <bit>
#include <unordered_map>

namespace cutset::native {

namespace {

using Step = FunctionCode::Step;
using Kind = Step::Kind;

class Expansion {
  public:
    Expansion(const Program& program, const std::function<bool(const CallSite&)>& inside)
        : program_(program), inside_(inside) {}

    FunctionCode run(CalleeIndex callee) {
        const FunctionCode& code = program_.functions[callee.value];
        out_.inputs = code.inputs;
        out_.outputs = code.outputs;
        out_.statements = {Span{}};
        put(code, true);
        // The numbers come after the last slot.
        for (Step& s : out_.steps)
            for (Slot* slot : {&s.instruction.a, &s.instruction.b}) place(*slot);
        for (CallSite& site : out_.calls)
            for (Slot& slot : site.arguments) place(slot);
        out_.frame = slots_ + static_cast<std::uint32_t>(out_.constants.size());
        return std::move(out_);
    }

  private:
    static constexpr Slot number_tag = 1u << 31;

    Slot number(double v) {
        const auto [at, is_new] =
            numbers_.emplace(std::bit_cast<std::uint64_t>(v), static_cast<Slot>(out_.constants.size()));
        if (is_new) out_.constants.push_back(v);
        return number_tag + at->second;
    }
    void place(Slot& slot) const {
        if (slot & number_tag) slot = slots_ + (slot & ~number_tag);
    }
    void step(Kind kind, Instruction i) { out_.steps.push_back({kind, i, 0, 0, 0}); }
    void copy(Slot to, Slot from) { step(Kind::Operation, {Code::Copy, Op::Number, to, from, 0}); }

    // The steps of a function over slots of their own, from `base` on. Its inputs are set.
    void put(const FunctionCode& code, bool outermost, Slot base = 0) {
        const Slot first_number = code.frame - static_cast<Slot>(code.constants.size());
        if (outermost) slots_ = first_number;
        const auto slot = [&](Slot s) {
            return s >= first_number ? number(code.constants[s - first_number]) : base + s;
        };
        std::vector<Slot> places;        // by step
        std::vector<std::size_t> jumps;  // whose targets are steps of `code`
        for (const Step& s : code.steps) {
            places.push_back(static_cast<Slot>(out_.steps.size()));
            Instruction i = s.instruction;
            switch (s.kind) {
                case Kind::Operation:
                    step(s.kind, {i.code, i.op, base + i.to, slot(i.a), slot(i.b)});
                    break;
                case Kind::JumpFalse:
                case Kind::Jump:
                    jumps.push_back(out_.steps.size());
                    if (s.kind == Kind::JumpFalse) i.a = slot(i.a);
                    step(s.kind, i);
                    break;
                case Kind::Call: {
                    CallSite site = code.calls[i.a];
                    for (Slot& argument : site.arguments) argument = slot(argument);
                    call(site, base + i.to);
                    break;
                }
                case Kind::Return:
                    if (outermost) {
                        step(s.kind, i);
                    } else if (&s != &code.steps.back()) {
                        jumps.push_back(out_.steps.size());
                        i.to = static_cast<Slot>(code.steps.size());
                        step(Kind::Jump, i);
                    }
                    break;
                case Kind::LoadElement:
                case Kind::StoreElement:
                case Kind::Assert:
                    CUTSET_ASSERT(!"functions with arrays or assertions are called");
            }
        }
        places.push_back(static_cast<Slot>(out_.steps.size()));
        for (const std::size_t at : jumps) {
            Slot& to = out_.steps[at].instruction.to;
            to = places[to];
        }
    }

    void call(const CallSite& site, Slot to) {
        if (!inside_(site)) {
            step(Kind::Call, {Code::Call, Op::Number, to, static_cast<Slot>(out_.calls.size()), 0});
            out_.calls.push_back(site);
            return;
        }
        const FunctionCode& code = program_.functions[site.callee.value];
        const auto& data = std::get<FunctionData>(program_.partition->model.callees[site.callee]);
        const Slot base = slots_;
        slots_ += code.frame - static_cast<Slot>(code.constants.size());
        for (std::size_t k = 0; k < site.arguments.size(); ++k)
            copy(base + static_cast<Slot>(k), site.arguments[k]);
        for (const auto& [slot, value] : data.constants) copy(base + slot, number(value));
        put(code, false, base);
        copy(to, base + code.inputs + site.output);
    }

    const Program& program_;
    const std::function<bool(const CallSite&)>& inside_;
    FunctionCode out_;
    Slot slots_ = 0;  // of the frame, without numbers
    std::unordered_map<std::uint64_t, Slot> numbers_;
};

}  // namespace

FunctionCode expand_calls(const Program& program, CalleeIndex callee,
                          const std::function<bool(const CallSite&)>& inside) {
    return Expansion(program, inside).run(callee);
}

}  // namespace cutset::native

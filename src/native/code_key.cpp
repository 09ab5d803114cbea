#include "native/code_key.h"

#include <bit>
#include <type_traits>

namespace cutset::native {

namespace {

// Bytes to take the fingerprint of; each list is preceded by its length, so that no two things look alike.
class KeyText {
  public:
    explicit KeyText(const std::string& identity, char what) {
        text_ = identity;
        text_ += what;
        add(identity.size());
    }
    template <class... T>
    void add(T... values) {
        (add_one(static_cast<std::uint64_t>(values)), ...);
    }
    void number(double v) { add(std::bit_cast<std::uint64_t>(v)); }
    template <class T>
    void plain(const std::vector<T>& values) {
        static_assert(std::is_integral_v<T>);
        add(values.size());
        text_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    }
    void add(const Instruction& i) {
        const std::uint32_t fields[4] = {
            static_cast<std::uint32_t>(i.code) << 16 | static_cast<std::uint32_t>(i.op), i.to, i.a, i.b};
        text_.append(reinterpret_cast<const char*>(fields), sizeof fields);
    }
    Fingerprint fingerprint() const { return cutset::fingerprint(text_); }
    // What was added so far, by its fingerprint: of a large Program there shall be no second copy.
    void fold() {
        if (text_.size() < 1 << 16) return;
        const Fingerprint f = fingerprint();
        text_.clear();
        add(f.high, f.low);
    }

  private:
    void add_one(std::uint64_t v) { text_.append(reinterpret_cast<const char*>(&v), sizeof v); }
    std::string text_;
};

void add_steps(KeyText& text, const FunctionCode& code, const FunctionData* data) {
    text.add(code.inputs, code.outputs, code.frame, code.steps.size());
    for (const FunctionCode::Step& s : code.steps) {
        text.add(s.instruction);
        text.add(std::uint64_t(s.first) << 32 | s.length, s.kind);
    }
    text.add(code.constants.size());
    for (double v : code.constants) text.number(v);
    text.add(data ? data->constants.size() : 0);
    if (data)
        for (const auto& [slot, value] : data->constants) {
            text.add(slot);
            text.number(value);
        }
}

}  // namespace

Fingerprint key_of(const Piece& piece, bool optimise, const std::string& identity) {
    KeyText text(identity, 'p');
    const Shape& shape = piece.shape;
    text.add(optimise, piece.rows > 1, piece.independent, piece.width, shape.locals, shape.code.size(),
             shape.columns.size());
    for (const ShapeInstruction& i : shape.code) {
        text.add(std::uint64_t(i.code) << 48 | std::uint64_t(i.op) << 40 |
                     std::uint64_t(i.has_literal) << 32 | i.to,
                 std::uint64_t(i.a) << 32 | i.b);
        if (i.has_literal) text.number(i.literal);
        if (i.code == Code::Call || i.code == Code::Delay) text.add(i.count, i.time);
        if (i.code == Code::Call) text.add(i.function, i.outputs, i.parts, i.seeds, i.result);
    }
    text.plain(shape.arguments);
    for (std::size_t c = 0; c < shape.columns.size(); ++c) {
        const ShapeColumn& column = shape.columns[c];
        const PieceColumn& place = piece.columns[c];
        text.add(std::uint64_t(column.kind) << 24 | std::uint64_t(column.read) << 16 |
                     std::uint64_t(column.written) << 8 | std::uint64_t(place.mode) << 1 | place.hoisted,
                 place.stride);
        // Which numbers of the table are meant; a place is filled in later, the number of a site is not.
        if (place.mode == ColumnMode::Table || column.kind == ColumnKind::Number) text.add(place.at);
    }
    return text.fingerprint();
}

Fingerprint key_of(const FunctionPlan& plan, const std::string& identity) {
    KeyText text(identity, 'f');
    const auto add_bound = [&](const std::optional<FunctionPlan::Bound>& bound) {
        text.add(bound.has_value(), bound ? bound->steps : 0, bound ? bound->depth : 0);
    };
    text.add(plan.kind, plan.careful, plan.remembered.any, plan.with_derivative.any);
    add_bound(plan.bound);
    add_steps(text, *plan.code, plan.data);
    text.add(plan.calls.size());
    for (std::size_t c = 0; c < plan.calls.size(); ++c) {
        const CallSite& site = plan.code->calls[c];
        text.add(plan.calls[c].native, plan.calls[c].kind, plan.calls[c].outputs, site.output);
        add_bound(plan.calls[c].bound);
        if (!plan.calls[c].native) text.add(site.callee.value);
        text.plain(site.arguments);
    }
    return text.fingerprint();
}

Fingerprint key_of(const Program& program, const std::string& identity) {
    KeyText text(identity, 'm');
    const Layout& layout = program.layout;
    text.add(layout.constants, program.constants.size(), layout.slots, layout.time);
    text.plain(layout.switches);
    for_each_section(program, [&](const Section& section) {
        text.add(section.instructions.size());
        for (const Instruction& i : section.instructions) {
            text.add(i);
            if (i.code == Code::Binary && i.op == Op::Power && i.b >= layout.constants &&
                i.b < layout.constants + program.constants.size())
                text.number(program.constants[i.b - layout.constants]);
            text.fold();
        }
    });
    const auto add_calls = [&](const std::vector<CallSite>& calls) {
        text.add(calls.size());
        for (const CallSite& site : calls) {
            text.add(site.callee.value, site.output, site.derivatives, site.by[0], site.by[1]);
            text.plain(site.arguments);
        }
    };
    add_calls(program.calls);
    text.add(program.loops.size());
    for (const Loop& loop : program.loops) {
        text.plain(loop.torn);
        text.plain(loop.residual_slots);
        text.add(loop.jacobian_entries.size());
        for (const JacobianEntry& e : loop.jacobian_entries) text.add(e.slot);
    }
    const auto& callees = program.partition->model.callees;
    text.add(program.functions.size());
    for (std::size_t f = 0; f < program.functions.size(); ++f) {
        const auto* data = std::get_if<FunctionData>(&callees[CalleeIndex(f)]);
        text.add(data ? 1 : 0, data && data->external ? 1 : 0, data && data->derivative ? 1 : 0,
                 data ? data->outputs : 0);
        add_steps(text, program.functions[f], data);
        add_calls(program.functions[f].calls);
    }
    return text.fingerprint();
}

}  // namespace cutset::native

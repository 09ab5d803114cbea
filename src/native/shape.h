// Shapes: what statements have in common when only their operands differ.
//
// A statement is a run of instructions that no jump crosses. Its shape is the same run with operands numbered
// by first occurrence: numbers that stay inside the statement are locals, all others are columns, that is
// places in the array of values or in the scratch array. The operands of a statement are the places its
// columns stand for; two different columns of one statement are two different places.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "ir/program.h"

namespace cutset::native {

// An operand of a shape: a local or a column.
using Reference = std::uint32_t;
constexpr Reference local_bit = 1u << 31;
inline bool is_local(Reference r) {
    return (r & local_bit) != 0;
}
inline std::uint32_t index_of(Reference r) {
    return r & ~local_bit;
}

enum class ColumnKind : std::uint8_t {
    Value,    // a place in the array of values
    Scratch,  // a place in the scratch array of the section
    Number    // of a call site, loop, delay line, or of the place of a function's code
};

struct ShapeColumn {
    ColumnKind kind = ColumnKind::Value;
    bool read = false, written = false;
    bool operator==(const ShapeColumn&) const = default;
};

// As Instruction, over references; jumps count from the beginning of the shape. There are no switches left.
//   Call: a = column of the site, b = first of its arguments in Shape::arguments, `count` of them; with
//   `parts`
//         see CallForm, `function` = column of its code
//   Solve: a = column of the loop
//   Delay: a = column of the line, b = duration, `time` = column of the time
struct ShapeInstruction {
    Code code = Code::Copy;
    Op op = Op::Number;
    bool has_literal = false;  // Power: b is the number `literal`
    std::uint32_t to = 0, a = 0, b = 0;
    std::uint32_t count = 0, time = 0;
    double literal = 0;
    std::uint32_t function = 0, outputs = 0, parts = 0, seeds = 0, result = 0;
    bool operator==(const ShapeInstruction&) const = default;
};

// Calls visit(reference) for the references of an instruction, without the arguments of a call.
template <class Visit>
void for_each_reference(ShapeInstruction& i, Visit visit) {
    switch (i.code) {
        case Code::Jump:
        case Code::Switch:
            return;
        case Code::JumpFalse:
        case Code::Solve:
            return visit(i.a);
        case Code::Call:
            visit(i.a);
            if (i.parts > 0) visit(i.function);
            break;
        case Code::Delay:
            visit(i.a);
            visit(i.b);
            visit(i.time);
            break;
        case Code::Copy:
        case Code::Negate:
        case Code::Unary:
            visit(i.a);
            break;
        default:
            visit(i.a);
            if (!i.has_literal) visit(i.b);
            break;
    }
    visit(i.to);
}

struct Shape {
    std::vector<ShapeInstruction> code;
    std::vector<Reference> arguments;  // of calls
    std::vector<ShapeColumn> columns;
    std::uint32_t locals = 0;
    bool operator==(const Shape&) const = default;

    bool has_jumps() const;
    bool calls_back() const;  // Call, Solve or Delay
    std::uint64_t hash() const;
    void clear();
};

// Shapes by number; equal ones once.
class ShapeTable {
  public:
    std::uint32_t intern(const Shape& shape);
    const Shape& operator[](std::uint32_t number) const { return shapes_[number]; }
    std::size_t size() const { return shapes_.size(); }

  private:
    std::vector<Shape> shapes_;
    std::vector<std::uint32_t> next_;  // with the same hash, plus one
    std::unordered_map<std::uint64_t, std::uint32_t> by_hash_;
};

}  // namespace cutset::native

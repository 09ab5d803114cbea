// A section cut into statements.
//
// Switches are frozen here: `Switch` becomes a copy of its stored value, and what would compute it anew is
// gone. A statement ends where a place that is no temporary is written, or after `longest_statement`
// instructions where no jump crosses; a Solve is a statement of its own. Temporaries are packed in the
// Program: here each value that passes from one statement to another has a place of its own in the scratch
// array, and those that stay inside one statement are locals of its shape.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "expr/elementary_functions.h"
#include "generate/machine_code.h"
#include "native/shape.h"

namespace cutset::native {

constexpr std::size_t longest_statement = 120;

struct Statements {
    ShapeTable shapes;
    std::vector<std::uint32_t> shape;          // by statement
    std::vector<std::uint32_t> first_operand;  // by statement, and one more: the end
    std::vector<std::uint32_t> operands;       // by column: slot, place in scratch, or number
    std::uint32_t scratch = 0;                 // places used
    std::vector<std::uint32_t> scratch_uses;   // by place: statements that touch it

    std::size_t size() const { return shape.size(); }
    std::span<const std::uint32_t> operands_of(std::size_t statement) const {
        return {operands.data() + first_operand[statement],
                first_operand[statement + 1] - first_operand[statement]};
    }
};

// What is kept from one section to the next: arrays by slot, since a section may be much smaller than its
// Program.
struct SlotWork {
    explicit SlotWork(std::size_t slots);
    std::vector<CallForm> forms;                        // by call site; without them calls are for one result
    std::vector<std::uint32_t> stamp, place;            // slot met in the statement at hand, and as what
    std::vector<std::uint32_t> version, version_stamp;  // temporary → place in scratch + 1
    std::vector<std::uint8_t> live;                     // temporary that is read later
    std::uint32_t now = 0, section = 0;                 // stamps given so far
};

// Whether the operation of a Unary or Binary instruction is one that machine code has; others are not asked.
inline bool has_code(const Instruction& i) {
    if (i.code == Code::Unary) return elementary_function(i.op) || i.op == Op::Not || i.op == Op::NoEvent;
    if (i.code == Code::Binary)
        return i.op == Op::Power || elementary_function(i.op) || (i.op >= Op::Less && i.op <= Op::NotEqual);
    return true;
}

// Nothing when a part that jumps cross is too large for machine code, or something has no code: then the
// section is interpreted.
std::optional<Statements> cut_into_statements(const Program& program, const Section& section, SlotWork& work);

// Whether a slot is a temporary of a section or of a loop.
inline bool is_temporary(const Program& program, Slot slot) {
    return slot >= program.layout.constants + program.constants.size();
}

}  // namespace cutset::native

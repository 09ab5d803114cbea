// What becomes of a scheduled section: pieces of machine code.
//
// A piece is a row of statements that is run once (straight-line code), or a row repeated over many operands
// (a kernel): many statements of one shape, or a sequence of shapes that repeats (A1 B1 A2 B2 …). An operand
// of a kernel that goes up by the same stride from row to row needs no index table.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

#include "native/schedule.h"

namespace cutset::native {

constexpr std::uint32_t fewest_kernel_rows = 64;  // of a shape in one section
constexpr std::uint32_t fewest_group_rows = 16;   // of a group of it
// Of straight-line code in one function; between these it ends with a shape that is a mark.
constexpr std::uint32_t fewest_chunk_instructions = 150, most_chunk_instructions = 500;
constexpr std::uint32_t one_mark_in = 16;                           // shapes
constexpr std::uint32_t longest_period = 256;                       // statements of a sequence that repeats
constexpr std::uint32_t shortest_stretch = 64, most_stretches = 7;  // of rows with constant strides
constexpr std::size_t cheap = 2000;  // instructions that need not be sorted by shape

struct PieceOutline {
    std::uint32_t first = 0;       // in the order of the schedule
    std::uint32_t rows = 1;        // times that the row is repeated
    std::uint32_t statements = 1;  // of one row
    bool is_kernel() const { return rows > 1; }
};

enum class ColumnMode : std::uint8_t {
    Fixed,   // `at`
    Affine,  // at + stride·row
    Table    // table[row·width + at]
};

struct PieceColumn {
    ColumnMode mode = ColumnMode::Fixed;
    bool hoisted = false;  // the same in all rows and written by none: read before the first
    std::uint32_t at = 0;
    std::int64_t stride = 0;
    bool operator==(const PieceColumn&) const = default;
};

struct Piece {
    Shape shape;
    std::vector<PieceColumn> columns;  // by column of the shape
    std::uint32_t width = 0;           // of the table
    std::uint64_t rows = 1;
    bool independent = false;  // no row reads or writes what another writes
    std::vector<std::uint32_t> table;
};

class Plan {
  public:
    // Nothing when the section must be interpreted.
    static std::optional<Plan> make(const Program& program, const Section& section, SlotWork& work);
    // Variables that are `hidden` (see hidden_slots.h) need not be written.
    static std::optional<Plan> make(const Program& program, const Section& section, SlotWork& work,
                                    std::span<const Slot> hidden);

    const std::vector<PieceOutline>& pieces() const { return pieces_; }
    Piece build(const PieceOutline& outline, SlotWork& work) const;
    const Statements& statements() const { return statements_; }
    const Schedule& order() const { return schedule_; }
    std::size_t scratch() const { return statements_.scratch; }

  private:
    void find_next();
    void by_groups(SlotWork& work);
    std::size_t cost() const;
    void split_at_strides(SlotWork& work);
    void loose(std::uint32_t from, std::uint32_t to, SlotWork& work);
    void straight(std::uint32_t from, std::uint32_t to);
    bool is_mark(std::uint32_t shape);
    void find_inside(std::span<const Slot> hidden);
    void keep_inside(Piece& piece) const;
    void row(std::uint32_t from, std::uint32_t count, SlotWork& work, Shape& shape,
             std::vector<std::uint32_t>& operands) const;
    std::uint32_t shape_at(std::uint32_t position) const {
        return statements_.shape[schedule_.order[position]];
    }

    Statements statements_;
    Schedule schedule_;
    std::vector<PieceOutline> pieces_;
    std::unordered_set<Slot> inside_;  // hidden, and touched by one piece alone
    std::vector<std::uint8_t> marks_;  // by shape, see is_mark; 0: not known yet
    std::vector<std::uint32_t> next_;  // by position: the next one of the same shape
    mutable std::vector<std::uint32_t> scratch_stamp_, scratch_count_, scratch_reference_;
};

}  // namespace cutset::native

// Partial derivatives of computed quantities, as instructions: de/dx_j = Σ ∂e/∂u · du/dx_j, assignment after
// assignment, where rows du/dx are sparse and their elements numbers or slots.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "generate/section_builder.h"

namespace cutset {

// A partial derivative: a number, or a value in a slot.
struct Partial {
    bool is_number = true;
    double number = 0;
    Slot slot = 0;
};

// Partial derivatives by column, columns rising; what is absent is zero.
using PartialRow = std::vector<std::pair<std::uint32_t, Partial>>;

class ChainRule {
  public:
    ChainRule(ProgramBuilder& program, SectionBuilder::Use use)
        : program_(program), pool_(*program.partition.model.pool), code_(program, use) {}

    // The unknown is itself the quantity of that column.
    void set_column(Unknown u, std::uint32_t column) { define(u, {{column, Partial{true, 1, 0}}}); }
    void define(Unknown u, PartialRow row) { rows_[key(u)] = std::move(row); }
    // de by the columns; unknowns that were not defined count as constant. Throws std::domain_error when a
    // derivative is not available (a third one of a table).
    PartialRow row(Expr e);
    // A place where the value stays.
    Slot kept(const Partial& p);

    Section finish() { return code_.finish(); }
    Section finish_hoisted() { return code_.finish_hoisted(); }

  private:
    static std::uint64_t key(Unknown u) { return std::uint64_t(u.order) << 32 | u.variable.value; }
    Slot slot(const Partial& p) { return p.is_number ? program_.constant(p.number) : p.slot; }
    Partial value(Expr e);
    Partial times(const Partial& a, const Partial& b);
    Partial plus(const Partial& a, const Partial& b);
    void find_gradient(Expr e);
    void define_eliminated(Expr e);
    PartialRow row_of_known(Expr e);

    ProgramBuilder& program_;
    Pool& pool_;
    SectionBuilder code_;
    IntegerMap<PartialRow> rows_;
    // Work space, kept for the next row.
    std::vector<std::pair<Unknown, Expr>> partials_, gradient_;
    std::vector<Expr> same_;
    PartialRow terms_;
};

}  // namespace cutset

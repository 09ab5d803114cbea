#include "generate/state_jacobian.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

#include "generate/chain_rule.h"

namespace cutset {

namespace {

// In how many assignments and residuals each variable stands, and each derivative. Eliminated variables,
// which refer to them too, stand in none.
class Uses {
  public:
    Uses(const Partition& partition, const std::vector<Block>& blocks, const std::vector<bool>& needed)
        : count_(2 * partition.model.variables.size(), 0) {
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            if (!needed[i]) continue;
            for (const SolvedEquation& s : blocks[i].inner) add(s.value);
            for (const ResidualEquation& r : blocks[i].residuals) add(r.residual);
        }
    }
    std::size_t of(Unknown u) const { return count_[place(u.variable.value, u.order)]; }

  private:
    void add(Expr e) {
        for_each_leaf(e, [&](Expr leaf) {
            if (leaf->op == Op::Variable) ++count_[place(leaf->index, leaf->order)];
        });
    }
    static std::size_t place(std::uint32_t variable, std::uint32_t order) {
        return 2 * std::size_t(variable) + (order > 0);
    }
    std::vector<std::uint32_t> count_;
};

// To eliminate a quantity with p elements in its row and q uses makes up to p·q elements out of p + q.
bool worth_keeping(std::size_t p, std::size_t q) {
    return p * q > 2 * (p + q);
}

// Rows of partial derivatives of what a list of blocks computes. Columns of quantities that are not
// eliminated follow those that were set before; their residuals are rows.
class JacobianBuilder {
  public:
    JacobianBuilder(ProgramBuilder& program, const std::vector<Block>& blocks,
                    const std::vector<bool>& needed)
        : program_(program),
          blocks_(blocks),
          needed_(needed),
          uses_(program.partition, blocks, needed),
          chain_(program, SectionBuilder::Use::Plain) {}

    void add_column(Unknown u) { chain_.set_column(u, next_column_++); }
    void define(Unknown u, Expr value) { chain_.define(u, chain_.row(value)); }
    std::uint32_t columns() const { return next_column_; }
    // The row of the residual that belongs to a column is the column's number plus this.
    void set_row_offset(std::int64_t offset) { offset_ = offset; }

    // Columns of the tearing variables of loops; at first of those that are smooth, when `smooth_only`.
    void number_loops(bool smooth_only) {
        for (std::size_t i = 0; i < blocks_.size(); ++i) {
            const Block& block = blocks_[i];
            if (!needed_[i] || block.torn.empty() || first_column_.contains(i)) continue;
            if (smooth_only && !program_.program.loops[program_.loops.at(&block)].is_smooth()) continue;
            first_column_.emplace(i, next_column_);
            for (Unknown u : block.torn) chain_.set_column(u, next_column_++);
        }
    }

    void add_blocks() {
        for (std::size_t i = 0; i < blocks_.size(); ++i)
            if (needed_[i]) add(i);
    }

    void add_row(std::uint32_t row, Expr e) { add_row(row, chain_.row(e)); }

    std::vector<JacobianEntry> take_entries() {
        std::sort(entries_.begin(), entries_.end(), [](const JacobianEntry& a, const JacobianEntry& b) {
            return std::pair(a.column, a.row) < std::pair(b.column, b.row);
        });
        return std::move(entries_);
    }
    Section finish() { return chain_.finish(); }
    Section finish_hoisted() { return chain_.finish_hoisted(); }

  private:
    void add(std::size_t number) {
        const Block& block = blocks_[number];
        for (const SolvedEquation& s : block.inner) {
            PartialRow row = chain_.row(s.value);
            if (worth_keeping(row.size(), uses_.of(s.unknown))) {
                const std::uint32_t column = next_column_++;
                add_row(residual_row(column), row);
                entries_.push_back({residual_row(column), column, program_.constant(-1)});
                chain_.set_column(s.unknown, column);
            } else {
                chain_.define(s.unknown, std::move(row));
            }
        }
        if (block.torn.empty()) return;
        for (std::uint32_t i = 0; i < block.residuals.size(); ++i)
            add_row(residual_row(first_column_.at(number) + i), chain_.row(block.residuals[i].residual));
    }

    std::uint32_t residual_row(std::uint32_t column) const {
        return static_cast<std::uint32_t>(column + offset_);
    }

    void add_row(std::uint32_t row, const PartialRow& elements) {
        for (const auto& [column, partial] : elements)
            entries_.push_back({row, column, chain_.kept(partial)});
    }

    ProgramBuilder& program_;
    const std::vector<Block>& blocks_;
    const std::vector<bool>& needed_;
    Uses uses_;
    ChainRule chain_;
    std::uint32_t next_column_ = 0;
    std::int64_t offset_ = 0;
    std::unordered_map<std::size_t, std::uint32_t> first_column_;  // by block: of its tearing variables
    std::vector<JacobianEntry> entries_;
};

// Columns of the parameters asked for, and rows of those that are computed from them.
void add_parameters(JacobianBuilder& builder, const Partition& partition,
                    const std::vector<VariableIndex>& by) {
    for (VariableIndex v : by) builder.add_column({v, 0});
    for (VariableIndex v : partition.parameters) {
        const Variable& p = partition.model.variables[v];
        const bool is_column = std::find(by.begin(), by.end(), v) != by.end();
        if (p.adjustable && p.binding && !is_column) builder.define({v, 0}, p.binding);
    }
}

}  // namespace

std::optional<StateJacobian> build_state_jacobian(ProgramBuilder& program, const std::vector<bool>& needed,
                                                  bool whole) {
    const Partition& partition = program.partition;
    try {
        JacobianBuilder builder(program, partition.blocks, needed);
        for (VariableIndex v : partition.states) builder.add_column({v, 0});
        // The integrator's own unknowns come first among those of loops.
        if (whole) builder.number_loops(true);
        builder.number_loops(false);
        const std::uint32_t implicit = builder.columns();
        builder.add_blocks();
        for (std::uint32_t i = 0; i < partition.states.size(); ++i)
            builder.add_row(i, partition.model.pool->variable(partition.states[i], 1));
        StateJacobian result;
        result.columns = builder.columns();
        result.computed = result.columns - implicit;
        result.entries = builder.take_entries();
        result.section = builder.finish_hoisted();
        return result;
    } catch (const std::domain_error&) {  // a third derivative of a table or function
        return std::nullopt;
    }
}

std::optional<LinearizedEquations> build_linearized(ProgramBuilder& program, const std::vector<Block>& blocks,
                                                    const std::vector<bool>& needed,
                                                    const DerivativeRequest& request, bool start) {
    const Partition& partition = program.partition;
    Pool& pool = *partition.model.pool;
    LinearizedEquations result;
    result.states = partition.states.size();
    result.by = request.by;
    if (!start) result.of = request.of;
    try {
        JacobianBuilder builder(program, blocks, needed);
        if (!start)
            for (VariableIndex v : partition.states) builder.add_column({v, 0});
        add_parameters(builder, partition, request.by);
        const std::uint32_t given = builder.columns();
        builder.set_row_offset(std::int64_t(result.states + result.of.size()) - given);
        builder.number_loops(false);
        builder.add_blocks();
        for (std::uint32_t i = 0; i < result.states; ++i)
            builder.add_row(i, pool.variable(partition.states[i], start ? 0 : 1));
        for (std::uint32_t i = 0; i < result.of.size(); ++i)
            builder.add_row(std::uint32_t(result.states) + i, pool.variable(request.of[i]));
        result.intermediates = builder.columns() - given;
        result.entries = builder.take_entries();
        result.section = start ? builder.finish() : builder.finish_hoisted();
        return result;
    } catch (const std::domain_error&) {
        return std::nullopt;
    }
}

}  // namespace cutset

#include "generate/rate_jacobian.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

#include "generate/chain_rule.h"

namespace cutset {

namespace {

// In how many assignments and residuals each variable stands.
class Uses {
  public:
    Uses(const Partition& partition, const std::vector<bool>& needed)
        : count_(partition.model.variables.size(), 0) {
        for (std::size_t i = 0; i < partition.blocks.size(); ++i) {
            if (!needed[i]) continue;
            for (const SolvedEquation& s : partition.blocks[i].inner) add(s.value);
            for (const ResidualEquation& r : partition.blocks[i].residuals) add(r.residual);
        }
        for (const Eliminated& e : partition.eliminated) add(e.value);
    }
    std::size_t of(Unknown u) const { return count_[u.variable.value]; }

  private:
    void add(Expr e) {
        for_each_leaf(e, [&](Expr leaf) {
            if (leaf->op == Op::Variable) ++count_[leaf->index];
        });
    }
    std::vector<std::uint32_t> count_;
};

// To eliminate a quantity with p elements in its row and q uses makes up to p·q elements out of p + q.
bool worth_keeping(std::size_t p, std::size_t q) {
    return p * q > 2 * (p + q);
}

class RateJacobianBuilder {
  public:
    RateJacobianBuilder(ProgramBuilder& program, const std::vector<bool>& needed)
        : program_(program),
          partition_(program.partition),
          needed_(needed),
          uses_(partition_, needed),
          chain_(program, SectionBuilder::Use::Plain) {}

    RateJacobian build(bool whole) {
        for (VariableIndex v : partition_.states) chain_.set_column({v, 0}, next_column_++);
        // The integrator's own unknowns come first among those of loops.
        if (whole) number_loops(true);
        number_loops(false);
        for (std::size_t i = 0; i < partition_.blocks.size(); ++i)
            if (needed_[i]) add(partition_.blocks[i]);
        for (std::uint32_t i = 0; i < partition_.states.size(); ++i) {
            const Expr rate = partition_.model.pool->variable(partition_.states[i], 1);
            add_row(i, chain_.row(rate));
        }
        std::sort(entries_.begin(), entries_.end(), [](const JacobianEntry& a, const JacobianEntry& b) {
            return std::pair(a.column, a.row) < std::pair(b.column, b.row);
        });
        RateJacobian result;
        result.columns = next_column_;
        result.entries = std::move(entries_);
        result.section = chain_.finish_hoisted();
        return result;
    }

  private:
    void number_loops(bool whole_only) {
        for (std::size_t i = 0; i < partition_.blocks.size(); ++i) {
            const Block& block = partition_.blocks[i];
            if (!needed_[i] || block.torn.empty() || first_column_.contains(i)) continue;
            if (whole_only && program_.program.loops[program_.loops.at(&block)].has_switches()) continue;
            first_column_.emplace(i, next_column_);
            for (Unknown u : block.torn) chain_.set_column(u, next_column_++);
        }
    }

    void add(const Block& block) {
        for (const SolvedEquation& s : block.inner) {
            PartialRow row = chain_.row(s.value);
            if (worth_keeping(row.size(), uses_.of(s.unknown))) {
                const std::uint32_t column = next_column_++;
                add_row(column, row);
                entries_.push_back({column, column, program_.constant(-1)});
                chain_.set_column(s.unknown, column);
            } else {
                chain_.define(s.unknown, std::move(row));
            }
        }
        if (block.torn.empty()) return;
        const std::size_t number = static_cast<std::size_t>(&block - partition_.blocks.data());
        for (std::uint32_t i = 0; i < block.residuals.size(); ++i)
            add_row(first_column_.at(number) + i, chain_.row(block.residuals[i].residual));
    }

    void add_row(std::uint32_t row, const PartialRow& elements) {
        for (const auto& [column, partial] : elements)
            entries_.push_back({row, column, chain_.kept(partial)});
    }

    ProgramBuilder& program_;
    const Partition& partition_;
    const std::vector<bool>& needed_;
    Uses uses_;
    ChainRule chain_;
    std::uint32_t next_column_ = 0;
    std::unordered_map<std::size_t, std::uint32_t> first_column_;  // by block: of its iterated unknowns
    std::vector<JacobianEntry> entries_;
};

}  // namespace

std::optional<RateJacobian> build_rate_jacobian(ProgramBuilder& program, const std::vector<bool>& needed,
                                                bool whole) {
    try {
        return RateJacobianBuilder(program, needed).build(whole);
    } catch (const std::domain_error&) {  // a third derivative of a table or function
        return std::nullopt;
    }
}

}  // namespace cutset

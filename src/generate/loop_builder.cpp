#include "generate/loop_builder.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "generate/chain_rule.h"
#include "generate/symmetric_matrix.h"

namespace cutset {

namespace {

// ∂residuals/∂torn, through the inner assignments.
void build_jacobian(ProgramBuilder& program, const Block& block, Loop& loop) {
    ChainRule chain(program, SectionBuilder::Use::InLoop);
    for (std::uint32_t j = 0; j < block.torn.size(); ++j) chain.set_column(block.torn[j], j);
    for (const SolvedEquation& s : block.inner) chain.define(s.unknown, chain.row(s.value));
    for (std::uint32_t i = 0; i < block.residuals.size(); ++i)
        for (const auto& [column, partial] : chain.row(block.residuals[i].residual))
            loop.jacobian_entries.push_back({i, column, chain.kept(partial)});
    std::sort(loop.jacobian_entries.begin(), loop.jacobian_entries.end(),
              [](const JacobianEntry& a, const JacobianEntry& b) {
                  return std::pair(a.column, a.row) < std::pair(b.column, b.row);
              });
    loop.jacobian = chain.finish();
}

}  // namespace

Section build_rest(ProgramBuilder& program, const Block& block, const std::vector<std::size_t>& inner) {
    SectionBuilder code(program, SectionBuilder::Use::InLoop);
    for (std::size_t k : inner) code.assign(program.slot_of(block.inner[k].unknown), block.inner[k].value);
    return code.finish();
}

Loop build_loop(ProgramBuilder& program, const Block& block) {
    const FlatModel& model = program.partition.model;
    constexpr double infinite = std::numeric_limits<double>::infinity();
    Loop loop;
    loop.linear = block.kind == BlockKind::Linear;
    loop.constant_matrix = block.constant_matrix;
    loop.block = &block;
    for (Unknown u : block.torn) {
        const Variable& v = model.variables[u.variable];
        loop.torn.push_back(program.slot_of(u));
        loop.nominal.push_back(u.order == 0 ? nominal_of(model.variables[u.variable]) : 1);
        loop.minimum.push_back(u.order == 0 ? v.minimum.value_or(-infinite) : -infinite);
        loop.maximum.push_back(u.order == 0 ? v.maximum.value_or(infinite) : infinite);
    }
    SectionBuilder residual(program, SectionBuilder::Use::InLoop);
    for (const SolvedEquation& s : block.inner) residual.assign(program.slot_of(s.unknown), s.value);
    for (const ResidualEquation& r : block.residuals) {
        loop.residual_slots.push_back(program.quantity());
        residual.assign(loop.residual_slots.back(), r.residual);
    }
    loop.residual = residual.finish();
    build_jacobian(program, block, loop);
    use_symmetry(program.program.constants, loop);
    return loop;
}

}  // namespace cutset

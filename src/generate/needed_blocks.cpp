#include "generate/needed_blocks.h"

#include <algorithm>

namespace cutset {

NeededBlocks::NeededBlocks(const ProgramBuilder& program)
    : program_(program),
      variables_(program.partition.model.variables.size(), false),
      derivatives_(program.partition.model.variables.size(), false) {}

void NeededBlocks::want(Unknown u) {
    (u.order == 0 ? variables_ : derivatives_)[u.variable.value] = true;
}

void NeededBlocks::want(Expr e) {
    std::vector<Expr> open{e};
    while (!open.empty()) {
        const Expr next = open.back();
        open.pop_back();
        for_each_leaf(next, [&](Expr leaf) {
            if (leaf->op != Op::Variable) return;
            const Unknown u{leaf->variable(), leaf->order};
            if ((u.order == 0 ? variables_ : derivatives_)[u.variable.value]) return;
            want(u);
            if (u.order != 0) return;
            if (const std::uint32_t position = program_.eliminated_position[u.variable.value])
                open.push_back(program_.partition.eliminated[position - 1].value);
        });
    }
}

void NeededBlocks::want(const Block& block) {
    for (Unknown u : block.torn) want(u);
    for (const SolvedEquation& s : block.inner) want(s.unknown);
}

std::vector<bool> NeededBlocks::find() {
    const std::vector<Block>& blocks = program_.partition.blocks;
    std::vector<bool> needed(blocks.size(), false);
    inner_.assign(blocks.size(), {});
    const auto wanted = [&](Unknown u) {
        return (u.order == 0 ? variables_ : derivatives_)[u.variable.value];
    };
    for (std::size_t i = blocks.size(); i-- > 0;) {
        const Block& block = blocks[i];
        needed[i] = std::any_of(block.torn.begin(), block.torn.end(), wanted) ||
                    std::any_of(block.inner.begin(), block.inner.end(),
                                [&](const SolvedEquation& s) { return wanted(s.unknown); });
        if (!needed[i]) continue;
        for (std::size_t k = block.inner.size(); k-- > 0 && !block.torn.empty();) {
            if (!wanted(block.inner[k].unknown)) continue;
            inner_[i].push_back(k);
            want(block.inner[k].value);
        }
        std::reverse(inner_[i].begin(), inner_[i].end());
        for (const SolvedEquation& s : block.inner) want(s.value);
        for (const ResidualEquation& r : block.residuals) want(r.residual);
    }
    return needed;
}

}  // namespace cutset

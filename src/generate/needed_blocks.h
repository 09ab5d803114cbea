// Which blocks of a Partition must be computed for given quantities, directly or through others.
#pragma once

#include <vector>

#include "generate/section_builder.h"

namespace cutset {

class NeededBlocks {
  public:
    explicit NeededBlocks(const ProgramBuilder& program);

    void want(Unknown u);
    void want(Expr e);
    // Wants all unknowns of the block.
    void want(const Block& block);
    // By position in Partition::blocks. Call after all that is wanted has been said.
    std::vector<bool> find();
    // After `find`: by block, the unknowns other than the torn ones that something outside it needs, directly
    // or through others of the block; positions in Block::inner in order.
    const std::vector<std::vector<std::size_t>>& inner() const { return inner_; }

  private:
    const ProgramBuilder& program_;
    std::vector<bool> variables_, derivatives_;  // by variable
    std::vector<std::vector<std::size_t>> inner_;
};

}  // namespace cutset

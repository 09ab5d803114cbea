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

  private:
    const ProgramBuilder& program_;
    std::vector<bool> variables_, derivatives_;  // by variable
};

}  // namespace cutset

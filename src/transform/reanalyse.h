// An edited model is sorted from what its text before the edit was sorted to, where the edit touches a part
// of it only.
#pragma once

#include <optional>
#include <vector>

#include "ir/flat_identity.h"
#include "ir/flat_model.h"
#include "ir/partition.h"
#include "transform/transform.h"

namespace cutset {

// `partition` was made of a model with the frame of `now`, the same numbers, and other equations in place of
// those that are `changed`; its leaves are of the same order of age (FlatIdentity). Gives what sorting `now`
// would give, to the last digit, by sorting again the blocks to which these equations belong. All else stays
// as it was, because nothing else is decided by what has changed:
//
//   - an equation's form depends on itself alone (expr/expr.h),
//   - what is eliminated exactly is decided by exact equations: the changed ones neither are nor were,
//   - which variables are states is decided by the derivatives that stand in equations, matching and the
//     order of blocks by the unknowns: the same ones as before, as written and after elimination,
//   - tearing is decided within a block.
//
// Nothing where that cannot be said: then all is sorted. So it is with constraints between states, with
// initial conditions beyond initial values of states, with variables that vanish from all equations, with
// sign(e) that switches, with equations that are not plain, and with those of what may change at events only.
std::optional<Partition> reanalyse(Partition partition, const FlatModel& now, const FlatIdentity& identity,
                                   const std::vector<EquationIndex>& changed,
                                   const TransformOptions& options);

}  // namespace cutset

// Discrete equations: those that determine variables which change at events only,
//
//     m = D(relations, int(x), sign(x), pre(m), m, d, p)
//
// A relation between continuous quantities has a value of its own between events, so that a discrete equation
// depends on no continuous unknown: it is not part of the algebraic loops that its relations look at.
#pragma once

#include <vector>

#include "ir/flat_model.h"

namespace cutset {

// Moves the discrete equations out of `equations`; what they determine becomes discrete. These are variables
// declared boolean, integer or as an enumeration, conditions whose value before an event is asked for, and
// discrete variables that no when clause sets, each with an equation that has it alone on one side. A
// variable whose equation varies between events (noevent(x > 0)) stays with the continuous ones.
void separate_discrete(FlatModel& model);

// The other way round, for questions that look at one instant: discrete equations are equations like any
// other, and pre(m) is the value from which m starts.
void join_discrete(FlatModel& model);

// The variables that discrete equations determine on which an expression depends directly: not by pre() and
// not through relations that have a value of their own. In order of first occurrence.
class DiscreteDependencies {
  public:
    explicit DiscreteDependencies(const FlatModel& model);
    std::vector<VariableIndex> operator()(Expr e) const;

  private:
    const FlatModel& model_;
    std::vector<bool> discrete_;  // by variable
};

}  // namespace cutset

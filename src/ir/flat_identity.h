// What sorting sees of a FlatModel. Two texts whose models have the same frame, the same equations and the
// same numbers have the same Partition, to the last digit: only the places in the texts differ, to which
// messages refer. Where only some plain equations differ, sorting may be able to begin with the Partition of
// the other (transform/reanalyse.h).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/fingerprint.h"
#include "base/integer_map.h"
#include "ir/flat_model.h"

namespace cutset {

// A leaf, without its age.
struct Unaged {
    Op op = Op::Variable;
    std::uint32_t index = 0, order = 0;
};

struct FlatIdentity {
    // All but what follows: variables, conditions, the order in which leaves were mentioned (by which terms
    // are ordered), which equations are plain and what they differentiate …
    Fingerprint frame;
    // By EquationIndex. 0: not plain, so that it belongs to the frame. A plain equation is between smooth
    // functions of variables and time, and not exact (ir/exact_sum.h).
    std::vector<std::uint64_t> equations;
    std::vector<Unaged> leaves;  // oldest first
    std::vector<Span> places;    // in texts, each once, in the order in which they are met
    // Values that are given as a number.
    struct Numbers {
        std::vector<VariableIndex> of;
        std::vector<double> values;
    };
    Numbers parameters;
    Numbers starts;  // x(0) of continuous variables
};
FlatIdentity identity_of(const FlatModel& model);

// Where something stands now. Both lists are in the same order, of the same length, and have everything once.
class PlaceMap {
  public:
    PlaceMap(const std::vector<Span>& before, const std::vector<Span>& now);
    std::optional<Span> find(Span before) const;

  private:
    std::vector<IntegerMap<Span>> by_source_;
};

}  // namespace cutset

// What sorting sees of a FlatModel. Two texts whose models have the same structure, and the same numbers of
// parameters, have the same Partition, to the last digit: only the places in the texts differ, to which
// messages refer.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/fingerprint.h"
#include "base/integer_map.h"
#include "ir/flat_model.h"

namespace cutset {

struct FlatIdentity {
    // All but what follows: variables, equations, the order in which expressions were made …
    Fingerprint structure;
    std::vector<Span> places;  // in texts, each once, in the order in which they are met
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

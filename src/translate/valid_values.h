// Which values of parameters and initial values a Partition is valid for: those with which translating the
// model anew would give the same one. The parameters that shaped the model have the values they had then, and
// every decision that sorting took by a value (Partition::decisions) comes out as it did.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "ir/partition.h"

namespace cutset {

class ValidValues {
  public:
    // Of the varied parameters. The Partition was made with TransformOptions::remember_decisions.
    ValidValues(std::shared_ptr<const Partition> partition, const std::vector<VariableIndex>& varied);

    // The value that a varied parameter is given; nothing: it has the one that the model gives it.
    using Given = std::function<std::optional<double>(VariableIndex)>;
    bool contain(const Given& given) const;

  private:
    std::shared_ptr<const Partition> partition_;
    // The varied ones and those that are computed from them, in order of computation.
    struct Affected {
        VariableIndex variable;
        bool varied;
    };
    std::vector<Affected> affected_;
    std::unordered_map<std::uint32_t, std::size_t> position_;  // in `affected_`, by variable; looked up only
    std::vector<VariableIndex> fixed_;                         // those that shaped the model
    Decisions decisions_;                                      // that depend on them
};

// Which variables of a flat model have an initial value, before it is sorted.
struct WrittenStarts {
    explicit WrittenStarts(const FlatModel& flat);
    std::vector<bool> has_start;  // by variable
    bool of_internal_variables =
        false;  // quantities of the experiment, whose initial values are made of others
};

// By variable: whether its initial value is nothing but a number that a run may hold at another one
// (SimulateOptions::given_starts), because nothing besides depends on it.
std::vector<bool> held_starts(const Partition& partition, const WrittenStarts& starts);

}  // namespace cutset

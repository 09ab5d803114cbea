// One Program for runs with other and other values of some quantities: each becomes a parameter that the run
// gives.
#pragma once

#include <optional>
#include <vector>

#include "ir/partition.h"
#include "translate/question.h"

namespace cutset {

struct VariedParameters {
    std::vector<std::vector<VariableIndex>> parameters;  // by varied quantity
    std::vector<VariableIndex> started;                  // variables whose initial values are varied
    bool initials = false;                               // there are initial values among the varied ones

    std::vector<VariableIndex> all() const;
    // The further parameter for an initial value must not touch what index reduction adds and chooses, and of
    // what is no state an initial value is a guess, by which iterations are scaled.
    bool fit(const Partition& sorted) const;
};

// The experiment with the values of what is varied.
Experiment experiment_of(const TranslationQuestion& question);
// The same question about one set of values, with nothing varied.
TranslationQuestion for_these_values(const TranslationQuestion& question);

// The parameters of what is varied; those of initial values are added to the model. Nothing where the values
// of the question do not stand in the model as numbers.
std::optional<VariedParameters> vary(FlatModel& flat, const TranslationQuestion& question);

// All parameters that a run can be given values of.
std::vector<VariableIndex> parameters_of(const Partition& partition);

}  // namespace cutset

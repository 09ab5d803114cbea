// Static and initial-value design: which parameters, inputs or initial values make given variables have given
// values?
//
// Before numbers, structure: the equations (derivatives zero, or states at their initial values) and the
// conditions must be matched with the variables and what is sought. A condition that cannot be is explained
// by the smallest set of equations that it is one too many for, and by what could be sought instead; what is
// left over, by what could be given.
#pragma once

#include <vector>

#include "operations/points/steady.h"

namespace cutset {

struct DesignConflict {
    std::size_t condition = 0;                   // of StaticQuestion::conditions
    std::vector<std::size_t> with;               // other conditions of the set
    std::vector<EquationIndex> equations;        // of the set
    std::vector<VariableIndex> could_be_sought;  // each makes room for the condition
};
struct DesignOpen {
    std::vector<VariableIndex> sought;     // those of what is sought that nothing determines
    std::vector<VariableIndex> variables;  // any of these could be given
    std::vector<EquationIndex> equations;
};
struct DesignStructure {
    std::vector<DesignConflict> conflicts;
    std::vector<DesignOpen> open;
    bool sound() const { return conflicts.empty() && open.empty(); }
};

DesignStructure examine_design(const FlatModel& model, const StaticQuestion& question);
void report_design(const FlatModel& model, const StaticQuestion& question, const DesignStructure& structure,
                   Diagnostics& diagnostics);

// Structure, then numbers. Without a point the reasons have been reported.
SteadyResult design(const FlatModel& model, const StaticQuestion& question, const SteadyOptions& options,
                    Diagnostics& diagnostics);

}  // namespace cutset

// "How is x computed": the chain of equations from states, inputs and parameters to a variable.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/partition.h"
#include "operations/structure/state_reasons.h"

namespace cutset {

struct WhereStep {
    std::string text;      // `R1.I := (E.V - C.V)/R1.R`, or one equation of a system
    std::string submodel;  // of the equation
    Span where;
    std::size_t system = 0;  // steps of one system of equations share a number; 0: a plain assignment
};

struct WhereAnswer {
    std::vector<WhereStep> steps;  // in order of computation, the last computes the variable
    std::vector<VariableIndex> states, inputs, parameters, discretes;  // that the chain starts from
    bool uses_time = false;
};

// `name` is a path as in results, or der(x) for a derivative. Nothing when no variable has that name.
std::optional<WhereAnswer> where(const Partition& partition, const std::string& name);
// The same, of a state how its derivative is computed, which it is integrated from; the name says which of
// the two.
struct NamedWhereAnswer {
    std::string name;
    bool integrated = false;
    WhereAnswer answer;
    std::optional<StateReason> why;  // it is a state, or none; of continuous variables
};
std::optional<NamedWhereAnswer> where_computed(const Partition& partition, const std::string& name);
// All names that `where` knows, for suggestions.
std::vector<std::string> variable_names(const Partition& partition);

}  // namespace cutset

// The boundary of a flat model as the experiment chooses it: variables that are known (--known), what is
// computed instead (--unknown), and inputs that are given (--input). What its paths and expressions mean, and
// what may be given at all, the language of the model says.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "flat/experiment.h"
#include "ir/flat_model.h"

namespace cutset {

// The variables that a path names, all elements of an array.
struct BoundaryTarget {
    std::vector<VariableIndex> variables;
    std::vector<std::uint32_t> dimensions;  // where the language keeps them
};

class BoundaryLanguage {
  public:
    virtual ~BoundaryLanguage() = default;
    // No variables where there are none of that path, which has been reported.
    virtual BoundaryTarget target(const std::string& path, const char* option) = 0;
    // One value for each variable; none where the expression has none that fits, which has been reported.
    virtual std::vector<Expr> values(const written::Expression& value, const BoundaryTarget& of,
                                     const char* what) = 0;
    // Why it is no unknown that could be freed, or no input; nothing where it is one.
    virtual std::optional<Diagnostic> not_free(const std::string& path, VariableIndex v) = 0;
    virtual std::optional<Diagnostic> not_an_input(const std::string& path, VariableIndex v) = 0;
    // From now on it is given from outside, or freed; false when it was already.
    virtual bool give(VariableIndex v) = 0;
    virtual void report(Diagnostic d) = 0;
};

// Knowns and freed variables; before the inputs, which may give values of knowns.
void read_knowns(FlatModel& model, const Experiment& experiment, BoundaryLanguage& language);
// Equations of inputs.
void add_inputs(FlatModel& model, const Experiment& experiment, BoundaryLanguage& language);
// Knowns that no value was given for, when both are done.
void check_knowns(const FlatModel& model, const Experiment& experiment, BoundaryLanguage& language);

}  // namespace cutset

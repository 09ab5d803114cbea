// What every instantiation writes the same way into a flat model, once names are resolved.
#pragma once

#include <string>
#include <vector>

#include "flat/experiment.h"
#include "ir/flat_model.h"

namespace cutset {

class FlatBuilder {
  public:
    explicit FlatBuilder(FlatModel& model) : model_(model), pool_(*model.pool) {}

    // A connection set: potentials are equal, flows into it sum to zero. Nothing is written for what holds by
    // itself, a = a or 0 = 0.
    void potentials(Expr one, Expr other, Origin origin);
    void flows(const std::vector<Expr>& terms, Origin origin);
    // A connector that nothing is connected to: nothing flows.
    void no_flow(VariableIndex flow, Origin origin);

    // The value that the experiment gives an input.
    void input(VariableIndex v, Expr value);
    // The column of a file, by time.
    Expr over_time(TableData table, const std::string& path);
    // A quantity computed with the model: equal to the value, or to its integral, or an input that has it.
    VariableIndex quantity(const Experiment::Quantity& quantity, Expr value);

  private:
    FlatModel& model_;
    Pool& pool_;
};

// "a parameter", "an input" …: what a variable is declared as.
const char* declared_word(const Variable& v);

}  // namespace cutset

// Static questions: a model posed so that its initialization problem is the question.
//
//     stationary   0 = F(t, 0, x, y, d, p)             derivatives zero, time held, samples at fixed points
//     initial      0 = F(t, x', x, y, d, p), x = x0    the states at their initial values
//
// with conditions v = value beside them, and as many parameters, inputs or initial values p sought. What is
// sought becomes a parameter as `p = ?` is in the language, so that sorting, tearing, exact Jacobians and
// messages of the initialization problem are used (transform/partition_initial.h).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "ir/flat_model.h"
#include "transform/transform.h"

namespace cutset {

struct StaticQuestion {
    bool stationary = true;
    double time = 0;
    std::vector<VariableIndex> sought;  // parameters, inputs of the model; when not stationary also states
    struct Condition {
        VariableIndex variable;
        std::uint32_t order = 0;  // 1: its derivative
        Expr value = nullptr;     // of the model's pool; none of a derivative: any value, to be found
    };
    // When stationary, a derivative that is given is not zero, and its variable keeps its initial value.
    // Without anything sought, conditions are about what a stationary point leaves open.
    std::vector<Condition> conditions;
    std::vector<std::pair<VariableIndex, double>> guesses;
    struct Bound {
        VariableIndex variable;
        double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
    };
    std::vector<Bound> bounds;
};

struct StaticModel {
    FlatModel model;
    TransformOptions options;
    std::vector<VariableIndex> found;  // by what is sought: the parameter that holds its value
    // Sampled variables: in equilibrium they have the value that each sample gives them anew.
    std::vector<VariableIndex> sampled;
    bool delayed = false;  // delays stand in the equations; in equilibrium they give what goes in
    // When clauses that wait for something: applied until nothing changes, see settle_discrete.
    std::vector<WhenClause> whens;
};

// Nothing when something that is sought cannot be; that is reported. Expects a model whose choice of boundary
// variables has been made (choose_known).
std::optional<StaticModel> pose(FlatModel model, const StaticQuestion& question, Diagnostics& diagnostics);

// The variable of that path, as in results; reported and nothing when there is none.
std::optional<VariableIndex> find_named(const FlatModel& model, const std::string& path,
                                        const std::string& option, Diagnostics& diagnostics);

// Discrete variables that `whens` give other values, with the variables having `values` (by index).
std::vector<std::pair<VariableIndex, double>> pending_changes(const StaticModel& posed,
                                                              const std::vector<double>& values, double time);

// An equation that does not hold, in units of its terms: |left - right| / Σ|terms|, at most 1.
struct Misfit {
    double residual = 0;               // the largest; 0 when all equations hold exactly
    std::optional<Equation> equation;  // where
};
// Of the equations and conditions as they were before anything was transformed, derivatives from
// `derivatives`.
Misfit misfit(const FlatModel& model, const std::vector<double>& values,
              const std::vector<std::pair<VariableIndex, double>>& derivatives, double time);

}  // namespace cutset

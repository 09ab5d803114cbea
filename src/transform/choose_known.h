// The choice of boundary variables: a model with more unknowns than equations becomes a problem with a
// solution once some variables are given from outside.
//
//     needed = unknowns - equations (exactly dependent ones not counted)
//
// Equations count as those of the model; what the language says about loose ends (nothing flows into a cut
// that nothing is joined to, the default of a terminal) holds as far as the choice leaves room for it. A
// choice is sound when equations and knowns together can be matched with the variables, whatever order of
// derivative they occur in; a known that is differentiated then needs index reduction, which comes later.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "ir/flat_model.h"

namespace cutset {

// An equation as the modeller knows it.
struct ShownEquation {
    std::string text;
    std::string submodel;
    Span where;
};

struct BoundaryReport {
    std::size_t unknowns = 0, equations = 0;
    std::size_t needed = 0;

    struct Entry {
        VariableIndex variable;
        bool chosen = false;          // by the user; else proposed
        bool differentiated = false;  // so it must be given as a smooth function of time
        std::string why;
        std::vector<VariableIndex> alternatives;  // each could stand in its place
    };
    std::vector<Entry> knowns;  // those chosen that can be, then the proposed ones: together sound

    // Loose ends that hold as the language says, and what could be given instead.
    struct Loose {
        EquationIndex equation;
        ShownEquation shown;
        std::vector<VariableIndex> alternatives;
    };
    std::vector<Loose> loose;
    struct Lifted {
        EquationIndex equation;
        ShownEquation shown;
        bool expected = false;  // a known stands in the same cut
    };
    std::vector<Lifted> lifted;  // those that the chosen knowns leave no room for

    // A known that cannot be one: with these it is one equation too many.
    struct Conflict {
        VariableIndex dropped;
        std::vector<VariableIndex> knowns;  // `dropped` included
        std::vector<VariableIndex> variables;
        std::vector<ShownEquation> equations;
    };
    std::vector<Conflict> conflicts;
    // What the choice leaves undetermined.
    struct Missing {
        std::vector<VariableIndex> variables;
        std::vector<ShownEquation> equations;
    };
    std::vector<Missing> missing;
    std::size_t missing_count = 0;

    bool sound() const { return conflicts.empty() && missing_count == 0; }
};

// Judges FlatModel::knowns and proposes what is missing. Nothing when the model has errors of its own (too
// many equations, contradictions), which are reported.
std::optional<BoundaryReport> examine_boundary(const FlatModel& model, Diagnostics& diagnostics);

// Turns FlatModel::knowns and `freed` into equations of the model: v = value for each known, equations that
// leave no room for them removed, freed parameters as unknowns. Errors are reported when the choice is not
// sound. To be called before `transform`; does nothing to a model without a choice.
void choose_known(FlatModel& model, Diagnostics& diagnostics);

// A smooth function of time that stands for the value of a known where only the structure is asked for; it
// prints as `given_v(time)`.
Expr unspecified_function(FlatModel& model, VariableIndex v);
std::string unspecified_function_name(const FlatModel& model, VariableIndex v);

// What is wrong with a choice, one error for each conflict and one for what is missing.
void report_boundary(const FlatModel& model, const BoundaryReport& report, Diagnostics& diagnostics);

}  // namespace cutset

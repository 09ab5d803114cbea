// What is wanted of a model, as given on the command line: expressions over its variables and the time,
// conditions on them, and what may be changed.
//
//     --minimize "integral(x**2 + u**2) + 10*x"      integral(…) runs from the start to the end
//     --subject "v < 3"      --end "x = 1"
//     --over "u=-1:1"        lower:upper[:guess], each may be left out
//
// Expressions become quantities of the Experiment, and thereby outputs of a Program.
#pragma once

#include <limits>
#include <optional>
#include <string>

#include "translate/question.h"
#include "translate/workspace.h"

namespace cutset {

struct GoalRange {
    std::optional<double> lower, upper, guess;
};
struct Over {
    std::string path;
    GoalRange range;
};
// "u=0:3.5", "u=0:3.5:1", "u". Nothing when errors were reported.
std::optional<Over> parse_over(const std::string& option, const std::string& text, Diagnostics& diagnostics);
// "10", "T=0.1:2", "0.1:2:1".
std::optional<GoalRange> parse_horizon(const std::string& text, Diagnostics& diagnostics);

// The expression becomes the quantity `name` of the experiment, an output of that path. False when errors
// were reported.
bool add_quantity(Workspace& workspace, Experiment& experiment, const std::string& option,
                  const std::string& text, const std::string& name);

// A quantity of the experiment, within an expression.
tree::Expression quantity_reference(const std::string& name, Span where);
// 3, -3.
std::optional<double> plain_number(const tree::Expression& e);

// lower <= quantity <= upper
struct GoalCondition {
    std::string text;  // as it was written
    std::string quantity;
    double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
    bool at_end = false;  // written with @end: "v@end = 0"
};
std::optional<GoalCondition> add_condition(Workspace& workspace, Experiment& experiment,
                                           const std::string& option, const std::string& text,
                                           const std::string& name);

// A condition on values at both ends, "y(0) = 1", "y(0) - y(2) = 0": quantities whose values at the initial
// time and at the end add up to the target.
struct BoundaryGoal {
    std::string text;
    std::optional<std::string> at_start, at_end;  // quantities
    double target = 0;
};
// `text` has values at the ends written as y(from), y(to).
std::optional<BoundaryGoal> add_boundary(Workspace& workspace, Experiment& experiment,
                                         const std::string& text, double from, double to,
                                         const std::string& name);

}  // namespace cutset

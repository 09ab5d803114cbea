#include "objects/equation_messages.h"

#include <fmt/format.h>

#include "base/message_parts.h"

namespace cutset::objects::messages {

namespace {

using Words = std::string_view;

}  // namespace

Diagnostic equation_types(Span where, Words left, Words right) {
    return make_error(where, "equation-types",
                      fmt::format("the left side is {}, the right side {}", left, right),
                      left == "Boolean" || right == "Boolean"
                          ? "`if b then 1 else 0` makes a number of a Boolean, `x <> 0` a Boolean of a number"
                          : "");
}
Diagnostic equation_sizes(Span where, Words left, Words right) {
    return make_error(where, "equation-sizes",
                      fmt::format("the left side is {}, the right side {}", left, right));
}
Diagnostic equation_false(Span where, double left, double right, bool of_derivative) {
    return make_error(
        where, "equation-false", fmt::format("this says {} = {}, and no variable is left in it", left, right),
        of_derivative ? "what a `when` gives a value changes at events only, and its derivative "
                        "is 0; a state is set anew by reinit(x, …)"
                      : "");
}
Diagnostic branch_counts(Span where, std::size_t first, std::size_t other) {
    return make_error(where, "branch-counts",
                      fmt::format("the branches of this `if` have {} and {} equations", first, other),
                      "numbers may differ only where the condition depends on parameters alone");
}
Diagnostic branch_targets(Span where) {
    return make_error(where, "branch-targets",
                      "the branches of this `if` give values to different discrete variables",
                      "give each of them a value in every branch");
}
Diagnostic structure_in_branch(Span where, Words what) {
    return make_error(where, "structure-in-branch",
                      fmt::format("{} stands in an `if` whose condition may change during the run", what),
                      "let the condition depend on parameters only");
}
Diagnostic no_variable(Span where) {
    return make_error(where, "no-variable", "a variable is wanted here");
}
Diagnostic when_target(Span where) {
    return make_error(where, "when-target",
                      "an equation of `when` has one variable on its left side, to which it gives a value");
}
Diagnostic when_condition(Span where, Words found) {
    return make_error(where, "when-condition",
                      fmt::format("the condition of `when` is Boolean, this is {}", found));
}
Diagnostic only_in_when(Span where, Words what) {
    return make_error(where, "only-in-when", fmt::format("`{}` stands in `when` only", what));
}
Diagnostic not_in_when(Span where, Words what) {
    return make_error(where, "not-in-when", fmt::format("{} does not stand in `when`", what));
}
Diagnostic nested_when(Span where) {
    return make_error(where, "nested-when", "`when` does not stand in `when`",
                      "say `when c1 and c2`, or `if` inside");
}
Diagnostic reinit_target(Span where, Words name) {
    return make_error(where, "reinit-target",
                      fmt::format("`reinit` sets a continuous variable, and `{}` is none", name));
}
Diagnostic assigned_twice(Span where, Words name) {
    return make_error(where, "assigned-twice",
                      fmt::format("`{}` is assigned inside and outside of `when` of one algorithm", name),
                      "write `if edge(c) then … else pre(…)`");
}
Diagnostic algorithm_target(Span where, Words name) {
    return make_error(where, "algorithm-target",
                      fmt::format("an algorithm gives values to variables, and `{}` is none", name));
}
Diagnostic algorithm_varies(Span where) {
    return make_error(where, "algorithm-varies",
                      "how often a loop of an algorithm in a model is repeated must be known before the run",
                      "put it into a function");
}
Diagnostic parameter_without_value(Span where, Words name) {
    return make_error(where, "parameter-without-value", fmt::format("parameter `{}` has no value", name),
                      fmt::format("give it one in the modification of its component, or --set {}=…", name));
}
Diagnostic discrete_by_declaration(Span where, std::string_view name) {
    return make_error(where, "discrete-by-declaration",
                      fmt::format("the discrete variable {} is given a value by its declaration", name),
                      "a discrete Real is determined in a `when`; else take `discrete` away");
}
Diagnostic parameter_from_start(Span where, Words name, Words value) {
    Diagnostic d = make_error(where, "parameter-from-start",
                              fmt::format("parameter `{}` has no value, its start {} is taken", name, value));
    d.severity = Severity::Warning;
    return d;
}
Diagnostic parameter_varies(Span where, Words name) {
    return make_error(where, "parameter-varies",
                      fmt::format("the value of parameter `{}` depends on a variable", name),
                      "a parameter is constant during the run");
}
Diagnostic element_of_scalar(Span where, Words shape) {
    return make_error(where, "needs-each", fmt::format("this modifies an array, and its value is {}", shape),
                      "`each` gives all elements the same value");
}
Diagnostic assertion_fails(Span where, Words text) {
    return make_error(where, "assertion", std::string(text));
}
Diagnostic clocked_branches(Span where) {
    return make_error(where, "clocked-when", "a `when` of a clock has no `elsewhen`",
                      "`if` in its equations chooses, or a `when` of its own");
}
Diagnostic clocked_condition(Span where) {
    return make_error(where, "clocked-when", "a clock is no condition here",
                      "`when Clock(…) then` stands among the equations of a model");
}

}  // namespace cutset::objects::messages

#include "objects/equation_messages.h"

#include <fmt/format.h>

namespace cutset::objects::messages {

namespace {

using Words = std::string_view;

Diagnostic equation_error(const char* code, Span where, std::string message, std::string help = "") {
    Diagnostic d;
    d.code = code;
    d.where = where;
    d.message = std::move(message);
    d.help = std::move(help);
    return d;
}

}  // namespace

Diagnostic equation_types(Span where, Words left, Words right) {
    return equation_error(
        "equation-types", where, fmt::format("the left side is {}, the right side {}", left, right),
        left == "Boolean" || right == "Boolean"
            ? "`if b then 1 else 0` makes a number of a Boolean, `x <> 0` a Boolean of a number"
            : "");
}
Diagnostic equation_sizes(Span where, Words left, Words right) {
    return equation_error("equation-sizes", where,
                          fmt::format("the left side is {}, the right side {}", left, right));
}
Diagnostic equation_false(Span where, double left, double right) {
    return equation_error("equation-false", where,
                          fmt::format("this says {} = {}, and no variable is left in it", left, right));
}
Diagnostic branch_counts(Span where, std::size_t first, std::size_t other) {
    return equation_error("branch-counts", where,
                          fmt::format("the branches of this `if` have {} and {} equations", first, other),
                          "numbers may differ only where the condition depends on parameters alone");
}
Diagnostic branch_targets(Span where) {
    return equation_error("branch-targets", where,
                          "the branches of this `if` give values to different discrete variables",
                          "give each of them a value in every branch");
}
Diagnostic structure_in_branch(Span where, Words what) {
    return equation_error("structure-in-branch", where,
                          fmt::format("{} stands in an `if` whose condition may change during the run", what),
                          "let the condition depend on parameters only");
}
Diagnostic no_variable(Span where) {
    return equation_error("no-variable", where, "a variable is wanted here");
}
Diagnostic when_target(Span where) {
    return equation_error(
        "when-target", where,
        "an equation of `when` has one variable on its left side, to which it gives a value");
}
Diagnostic when_condition(Span where, Words found) {
    return equation_error("when-condition", where,
                          fmt::format("the condition of `when` is Boolean, this is {}", found));
}
Diagnostic only_in_when(Span where, Words what) {
    return equation_error("only-in-when", where, fmt::format("`{}` stands in `when` only", what));
}
Diagnostic not_in_when(Span where, Words what) {
    return equation_error("not-in-when", where, fmt::format("{} does not stand in `when`", what));
}
Diagnostic nested_when(Span where) {
    return equation_error("nested-when", where, "`when` does not stand in `when`",
                          "say `when c1 and c2`, or `if` inside");
}
Diagnostic reinit_target(Span where, Words name) {
    return equation_error("reinit-target", where,
                          fmt::format("`reinit` sets a continuous variable, and `{}` is none", name));
}
Diagnostic assigned_twice(Span where, Words name) {
    return equation_error("assigned-twice", where,
                          fmt::format("`{}` is assigned inside and outside of `when` of one algorithm", name),
                          "write `if edge(c) then … else pre(…)`");
}
Diagnostic algorithm_target(Span where, Words name) {
    return equation_error("algorithm-target", where,
                          fmt::format("an algorithm gives values to variables, and `{}` is none", name));
}
Diagnostic algorithm_varies(Span where) {
    return equation_error(
        "algorithm-varies", where,
        "how often a loop of an algorithm in a model is repeated must be known before the run",
        "put it into a function");
}
Diagnostic parameter_without_value(Span where, Words name) {
    return equation_error(
        "parameter-without-value", where, fmt::format("parameter `{}` has no value", name),
        fmt::format("give it one in the modification of its component, or --set {}=…", name));
}
Diagnostic parameter_from_start(Span where, Words name, Words value) {
    Diagnostic d =
        equation_error("parameter-from-start", where,
                       fmt::format("parameter `{}` has no value, its start {} is taken", name, value));
    d.severity = Severity::Warning;
    return d;
}
Diagnostic parameter_varies(Span where, Words name) {
    return equation_error("parameter-varies", where,
                          fmt::format("the value of parameter `{}` depends on a variable", name),
                          "a parameter is constant during the run");
}
Diagnostic element_of_scalar(Span where, Words shape) {
    return equation_error("needs-each", where,
                          fmt::format("this modifies an array, and its value is {}", shape),
                          "`each` gives all elements the same value");
}
Diagnostic assertion_fails(Span where, Words text) {
    return equation_error("assertion", where, std::string(text));
}
Diagnostic clocked(Span where) {
    return equation_error("not-supported", where, "equations of clocks cannot be simulated",
                          "`when sample(start, interval)` acts at instants");
}

}  // namespace cutset::objects::messages

#include "objects/value_messages.h"

#include <fmt/format.h>

#include "base/foreign_words.h"
#include "base/message_parts.h"

namespace cutset::objects::messages {

namespace {

using Words = std::string_view;

std::string perhaps(Words near) {
    return near.empty() ? "" : fmt::format("did you mean `{}`?", near);
}

}  // namespace

Diagnostic operand_type(Span where, Words op, Words left, Words right) {
    return make_error(
        where, "operand-type",
        right.empty() ? fmt::format("`{}` has no meaning for {}", op, left)
                      : fmt::format("`{}` has no meaning between {} and {}", op, left, right),
        left == "Boolean" || right == "Boolean" ? "`if b then 1 else 0` makes a number of a Boolean" : "");
}
Diagnostic no_overload(Span where, Words op, Words left, Words right) {
    return make_error(where, "no-overload",
                      right.empty()
                          ? fmt::format("no operator {} is declared for {}", op, left)
                          : fmt::format("no operator {} is declared for {} and {}", op, left, right));
}
Diagnostic several_overloads(Span where, Words op, Words record) {
    return make_error(where, "several-overloads",
                      fmt::format("more than one function of operator {} of {} fits", op, record),
                      "call the function by its name");
}
Diagnostic operand_sizes(Span where, Words op, Words left, Words right) {
    return make_error(where, "operand-sizes", fmt::format("`{}` does not fit {} and {}", op, left, right));
}
Diagnostic not_square(Span where, Words shape) {
    return make_error(where, "not-square", fmt::format("a square matrix is wanted here, this is {}", shape));
}
Diagnostic condition_type(Span where, Words found) {
    return make_error(where, "condition-type", fmt::format("a condition is Boolean, this is {}", found),
                      "compare it, for example `… <> 0`");
}
Diagnostic branch_types(Span where, Words first, Words second) {
    return make_error(where, "branch-types",
                      fmt::format("the branches of this `if` differ: {} and {}", first, second));
}
Diagnostic branch_sizes(Span where, Words first, Words second) {
    return make_error(where, "branch-sizes",
                      fmt::format("the branches of this `if` differ in size: {} and {}", first, second),
                      "sizes may differ only where the condition depends on parameters alone");
}
Diagnostic element_types(Span where, Words first, Words second) {
    return make_error(
        where, "element-types",
        fmt::format("the elements of an array have one type, here are {} and {}", first, second));
}
Diagnostic element_sizes(Span where, Words first, Words second) {
    return make_error(
        where, "element-sizes",
        fmt::format("the elements of an array have one size, here are {} and {}", first, second));
}
Diagnostic wrong_type(Span where, Words what, Words wanted, Words found) {
    std::string help;
    if (wanted == "Integer" && found == "Real") help = "`integer(…)` makes a whole number of it";
    if (wanted == "Boolean") help = "compare it, for example `… <> 0`";
    if (found == "Boolean" && wanted != "Boolean") help = "`if b then 1 else 0` makes a number of a Boolean";
    return make_error(where, "wrong-type", fmt::format("{} is {}, this is {}", what, wanted, found), help);
}
Diagnostic wrong_size(Span where, Words what, Words wanted, Words found) {
    return make_error(where, "wrong-size", fmt::format("{} is {}, this is {}", what, wanted, found));
}
Diagnostic missing_field(Span where, Words what, Words field, Words record) {
    return make_error(where, "missing-field",
                      fmt::format("{} needs `{}`, which {} has not", what, field, record));
}
Diagnostic not_known(Span where, Words what, Words text) {
    return make_error(where, "not-known",
                      fmt::format("{} must be known before the run, and {} is not", what, text),
                      "let it depend on constants and parameters only");
}
Diagnostic not_whole(Span where, double value) {
    return make_error(where, "not-whole", fmt::format("a whole number is wanted here, this is {}", value));
}
Diagnostic negative_size(Span where, double value) {
    return make_error(where, "negative-size", fmt::format("a size is not negative, this is {}", value));
}
Diagnostic open_size(Span where) {
    return make_error(where, "open-size", "nothing says how large the dimension `:` is",
                      "give a size or a value");
}
Diagnostic too_large(Span where, double elements, std::size_t limit) {
    return make_error(where, "too-large",
                      fmt::format("an array of {} elements is too large, the limit is {}", elements, limit));
}
Diagnostic too_deep(Span where) {
    return make_error(where, "too-deep", "calls and declarations are nested too deeply here",
                      "does a function call itself, or a value depend on itself?");
}
Diagnostic too_many_steps(Span where, Words function, std::size_t limit) {
    return make_error(where, "too-many-steps",
                      fmt::format("the call of {} takes more than {} statements", function, limit),
                      "does its loop end?");
}
Diagnostic index_outside(Span where, double index, std::uint32_t size, Words of) {
    return make_error(where, "index-outside",
                      fmt::format("index {} is outside of {}, which has {} element{}", index, of, size,
                                  size == 1 ? "" : "s"));
}
Diagnostic range_differs(Span where, std::string_view iterator, std::uint32_t first, std::uint32_t other) {
    return make_error(
        where, "range-differs",
        fmt::format("{} is an index of dimensions of {} and of {} elements", iterator, first, other),
        "give it a range: `for i in 1:n`");
}

Diagnostic vectorized_outputs(Span where, std::string_view function, std::size_t outputs) {
    return make_error(
        where, "vectorized-outputs",
        fmt::format("{} is called for each element of an array, and has {} outputs", function, outputs),
        "only functions with one result are; write a loop");
}

Diagnostic not_parameter(Span where, std::string_view what) {
    return make_error(where, "not-a-parameter", fmt::format("{} varies", what),
                      "it must depend on parameters and constants only");
}

Diagnostic file_not_written(Span where, std::string_view function) {
    return make_warning(where, "file-not-written", fmt::format("{} writes no file here", function),
                        "what is computed stands in the result file of the run: -o FILE");
}

Diagnostic routine_failed(Span where, std::string_view function, std::string_view problem) {
    return make_error(where, "routine-failed", fmt::format("{} cannot be computed: {}", function, problem),
                      "look at the sizes of what it is given");
}

Diagnostic too_many_indices(Span where, std::size_t indices, std::size_t dimensions) {
    return make_error(where, "too-many-indices",
                      fmt::format("{} {} given, and there {} {} dimension{}", indices,
                                  indices == 1 ? "index is" : "indices are", dimensions == 1 ? "is" : "are",
                                  dimensions == 0 ? std::string("no") : std::to_string(dimensions),
                                  dimensions == 1 ? "" : "s"),
                      "give at most one index for each dimension");
}

Diagnostic index_type(Span where, Words found) {
    return make_error(
        where, "index-type",
        fmt::format("an index is an Integer, a Boolean or a value of an enumeration, this is {}", found));
}
Diagnostic varying_slice(Span where) {
    return make_error(where, "varying-slice",
                      "which elements a vector of indices chooses must be known before the run");
}
Diagnostic too_many_indices(Span where, Words name, Words shape, std::size_t given) {
    return make_error(where, "too-many-indices",
                      fmt::format("{} is {} and has {} indices here", name, shape, given));
}
Diagnostic no_such_field(Span where, Words field, Words record, Words near) {
    return make_error(where, "unknown-name", fmt::format("{} has no `{}`", record, field), perhaps(near));
}
Diagnostic no_record(Span where, Words name, Words type) {
    return make_error(where, "no-record", fmt::format("`{}` is {} and has no parts", name, type));
}
Diagnostic end_outside(Span where) {
    return make_error(where, "end-outside", "`end` stands for a size among indices only");
}
Diagnostic range_type(Span where, Words found) {
    return make_error(
        where, "range-type",
        fmt::format("a range goes from number to number or over values of one enumeration, this is {}",
                    found));
}
Diagnostic range_step(Span where) {
    return make_error(where, "range-step", "the step of a range is zero");
}
Diagnostic no_range(Span where, Words iterator) {
    return make_error(where, "no-range",
                      fmt::format("no array that `{}` is an index of says over what it goes", iterator),
                      fmt::format("write `{} in 1:n`", iterator));
}
Diagnostic unknown_function(Span where, Words name, Words near) {
    const std::string foreign = foreign_function_help(name, "der(x)");
    return make_error(where, "unknown-function", fmt::format("there is no function `{}`", name),
                      foreign.empty() ? perhaps(near) : foreign);
}
Diagnostic argument_count(Span where, Words name, Words wanted, std::size_t given) {
    return make_error(where, "argument-count", fmt::format("{} takes {}, {} are given", name, wanted, given));
}
Diagnostic argument_missing(Span where, Words function, Words input) {
    return make_error(where, "argument-missing", fmt::format("{} needs a value of `{}`", function, input));
}
Diagnostic argument_twice(Span where, Words function, Words input) {
    return make_error(where, "argument-twice", fmt::format("`{}` of {} is given twice", input, function));
}
Diagnostic no_such_argument(Span where, Words function, Words input, Words near) {
    return make_error(where, "unknown-argument", fmt::format("{} has no input `{}`", function, input),
                      perhaps(near));
}
Diagnostic argument_of(Span where, Words function, Words wanted) {
    return make_error(where, "argument-type", fmt::format("{} wants {}", function, wanted));
}
Diagnostic no_result(Span where, Words function) {
    return make_error(where, "no-result", fmt::format("{} has no result that could stand here", function));
}
Diagnostic not_a_function(Span where, Words name) {
    return make_error(where, "not-a-function", fmt::format("`{}` is no function", name));
}
Diagnostic partial_function(Span where, Words function) {
    return make_error(where, "partial-function", fmt::format("{} is partial and cannot be called", function),
                      "redeclare it with a complete function");
}
Diagnostic not_supported(Span where, Words what, Words instead) {
    return make_error(where, "not-supported", fmt::format("{} cannot be simulated", what),
                      std::string(instead));
}
Diagnostic only_of_variable(Span where, Words function) {
    return make_error(where, "only-of-variable",
                      fmt::format("{} is asked of a variable, not of an expression", function));
}
Diagnostic no_such_solver(Span where, Words name) {
    return make_error(where, "unknown-solver",
                      fmt::format("there is no solver method \"{}\" of a clock", name),
                      "ExplicitEuler, ExplicitMidPoint2, ExplicitRungeKutta4, ImplicitEuler, "
                      "ImplicitTrapezoid or External");
}
Diagnostic clock_count(Span where, Words function, std::int64_t least) {
    return make_error(where, "clock-count",
                      fmt::format("{} wants a whole number from {} to 1e9 here", function, least));
}
Diagnostic varying_interval(Span where) {
    return make_error(where, "varying-interval", "the interval of a clock varies",
                      "a clock of events ticks where you say: Clock(time >= next)");
}
Diagnostic rule_left_out(Span where, Words function, Words rule) {
    return make_warning(where, "rule-left-out",
                        fmt::format("the {} given for {} does not fit its arguments", rule, function),
                        "it is done without: the function itself is differentiated or iterated");
}
Diagnostic derivative_of(Span where, Words what) {
    return make_error(where, "derivative-of", fmt::format("{} has no derivative", what));
}
Diagnostic text_varies(Span where) {
    return make_error(where, "text-varies",
                      "a text must be known before the run, and this one depends on what varies");
}
Diagnostic external_function(Span where, Words function, Words symbol) {
    return make_error(where, "external-function",
                      fmt::format("the external function `{}` of {} is not among those that are built in",
                                  symbol, function),
                      "write it as an algorithm");
}
Diagnostic assertion(Span where, Words function, Words text) {
    return make_error(where, "assertion", fmt::format("{}: {}", function, text));
}
Diagnostic function_size(Span where, Words function, Words name) {
    return make_error(where, "function-size",
                      fmt::format("the size of `{}` in {} is not known at the call", name, function),
                      "let it depend on sizes of inputs, constants and parameters");
}
Diagnostic assigned_input(Span where, Words function, Words name) {
    return make_error(where, "assigned-input",
                      fmt::format("{} assigns to `{}`, which is an input or a constant", function, name));
}
Diagnostic unknown_target(Span where, Words function, Words name, Words near) {
    return make_error(where, "unknown-name", fmt::format("{} has no variable `{}`", function, name),
                      perhaps(near));
}
Diagnostic result_count(Span where, Words function, std::size_t wanted, std::size_t found) {
    return make_error(where, "result-count",
                      fmt::format("{} results are taken here, {} has {}", wanted, function, found));
}
Diagnostic not_in_function(Span where, Words what) {
    return make_error(where, "not-in-function", fmt::format("{} has no meaning in a function", what));
}
Diagnostic function_too_wide(Span where, Words function, std::size_t limit) {
    return make_error(where, "function-too-wide",
                      fmt::format("the arguments of {} are more than {} numbers", function, limit));
}
Diagnostic open_loop_range(Span where) {
    return make_error(where, "open-loop-range",
                      "over what a loop goes in a model must be known before the run");
}
Diagnostic table_file(Span where, Words file, Words problem) {
    return make_error(where, "table-file", fmt::format("the table in {} cannot be read: {}", file, problem));
}
Diagnostic table_empty(Span where) {
    return make_error(where, "table-empty", "this table has no row, or no column beside the first",
                      "give it by `table`, or name its file and say `tableOnFile = true`");
}
Diagnostic table_order(Span where) {
    return make_error(where, "table-order", "the abscissas of this table do not rise");
}
Diagnostic used_before_assigned(Span where, Words function, Words name) {
    return make_error(where, "used-before-assigned",
                      fmt::format("{} uses `{}` before it has a value", function, name));
}

}  // namespace cutset::objects::messages

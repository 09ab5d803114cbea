#include "objects/value_messages.h"

#include <fmt/format.h>

namespace cutset::objects::messages {

namespace {

using Words = std::string_view;

Diagnostic value_error(const char* code, Span where, std::string message, std::string help = "") {
    Diagnostic d;
    d.code = code;
    d.where = where;
    d.message = std::move(message);
    d.help = std::move(help);
    return d;
}

std::string perhaps(Words near) {
    return near.empty() ? "" : fmt::format("did you mean `{}`?", near);
}

}  // namespace

Diagnostic operand_type(Span where, Words op, Words left, Words right) {
    return value_error(
        "operand-type", where,
        right.empty() ? fmt::format("`{}` has no meaning for {}", op, left)
                      : fmt::format("`{}` has no meaning between {} and {}", op, left, right),
        left == "Boolean" || right == "Boolean" ? "`if b then 1 else 0` makes a number of a Boolean" : "");
}
Diagnostic no_overload(Span where, Words op, Words left, Words right) {
    return value_error("no-overload", where,
                       right.empty()
                           ? fmt::format("no operator {} is declared for {}", op, left)
                           : fmt::format("no operator {} is declared for {} and {}", op, left, right));
}
Diagnostic several_overloads(Span where, Words op, Words record) {
    return value_error("several-overloads", where,
                       fmt::format("more than one function of operator {} of {} fits", op, record),
                       "call the function by its name");
}
Diagnostic operand_sizes(Span where, Words op, Words left, Words right) {
    return value_error("operand-sizes", where, fmt::format("`{}` does not fit {} and {}", op, left, right));
}
Diagnostic not_square(Span where, Words shape) {
    return value_error("not-square", where, fmt::format("a square matrix is wanted here, this is {}", shape));
}
Diagnostic condition_type(Span where, Words found) {
    return value_error("condition-type", where, fmt::format("a condition is Boolean, this is {}", found),
                       "compare it, for example `… <> 0`");
}
Diagnostic branch_types(Span where, Words first, Words second) {
    return value_error("branch-types", where,
                       fmt::format("the branches of this `if` differ: {} and {}", first, second));
}
Diagnostic branch_sizes(Span where, Words first, Words second) {
    return value_error("branch-sizes", where,
                       fmt::format("the branches of this `if` differ in size: {} and {}", first, second),
                       "sizes may differ only where the condition depends on parameters alone");
}
Diagnostic element_types(Span where, Words first, Words second) {
    return value_error(
        "element-types", where,
        fmt::format("the elements of an array have one type, here are {} and {}", first, second));
}
Diagnostic element_sizes(Span where, Words first, Words second) {
    return value_error(
        "element-sizes", where,
        fmt::format("the elements of an array have one size, here are {} and {}", first, second));
}
Diagnostic wrong_type(Span where, Words what, Words wanted, Words found) {
    std::string help;
    if (wanted == "Integer" && found == "Real") help = "`integer(…)` makes a whole number of it";
    if (wanted == "Boolean") help = "compare it, for example `… <> 0`";
    if (found == "Boolean" && wanted != "Boolean") help = "`if b then 1 else 0` makes a number of a Boolean";
    return value_error("wrong-type", where, fmt::format("{} is {}, this is {}", what, wanted, found), help);
}
Diagnostic wrong_size(Span where, Words what, Words wanted, Words found) {
    return value_error("wrong-size", where, fmt::format("{} is {}, this is {}", what, wanted, found));
}
Diagnostic missing_field(Span where, Words what, Words field, Words record) {
    return value_error("missing-field", where,
                       fmt::format("{} needs `{}`, which {} has not", what, field, record));
}
Diagnostic not_known(Span where, Words what, Words text) {
    return value_error("not-known", where,
                       fmt::format("{} must be known before the run, and {} is not", what, text),
                       "let it depend on constants and parameters only");
}
Diagnostic not_whole(Span where, double value) {
    return value_error("not-whole", where, fmt::format("a whole number is wanted here, this is {}", value));
}
Diagnostic negative_size(Span where, double value) {
    return value_error("negative-size", where, fmt::format("a size is not negative, this is {}", value));
}
Diagnostic open_size(Span where) {
    return value_error("open-size", where, "nothing says how large the dimension `:` is",
                       "give a size or a value");
}
Diagnostic too_large(Span where, double elements, std::size_t limit) {
    return value_error("too-large", where,
                       fmt::format("an array of {} elements is too large, the limit is {}", elements, limit));
}
Diagnostic too_deep(Span where) {
    return value_error("too-deep", where, "calls and declarations are nested too deeply here",
                       "does a function call itself, or a value depend on itself?");
}
Diagnostic too_many_steps(Span where, Words function, std::size_t limit) {
    return value_error("too-many-steps", where,
                       fmt::format("the call of {} takes more than {} statements", function, limit),
                       "does its loop end?");
}
Diagnostic index_outside(Span where, double index, std::uint32_t size, Words of) {
    return value_error("index-outside", where,
                       fmt::format("index {} is outside of {}, which has {} element{}", index, of, size,
                                   size == 1 ? "" : "s"));
}
Diagnostic index_type(Span where, Words found) {
    return value_error(
        "index-type", where,
        fmt::format("an index is an Integer, a Boolean or a value of an enumeration, this is {}", found));
}
Diagnostic varying_slice(Span where) {
    return value_error("varying-slice", where,
                       "which elements a vector of indices chooses must be known before the run");
}
Diagnostic too_many_indices(Span where, Words name, Words shape, std::size_t given) {
    return value_error("too-many-indices", where,
                       fmt::format("{} is {} and has {} indices here", name, shape, given));
}
Diagnostic no_such_field(Span where, Words field, Words record, Words near) {
    return value_error("unknown-name", where, fmt::format("{} has no `{}`", record, field), perhaps(near));
}
Diagnostic no_record(Span where, Words name, Words type) {
    return value_error("no-record", where, fmt::format("`{}` is {} and has no parts", name, type));
}
Diagnostic end_outside(Span where) {
    return value_error("end-outside", where, "`end` stands for a size among indices only");
}
Diagnostic range_type(Span where, Words found) {
    return value_error(
        "range-type", where,
        fmt::format("a range goes from number to number or over values of one enumeration, this is {}",
                    found));
}
Diagnostic range_step(Span where) {
    return value_error("range-step", where, "the step of a range is zero");
}
Diagnostic no_range(Span where, Words iterator) {
    return value_error("no-range", where,
                       fmt::format("no array that `{}` is an index of says over what it goes", iterator),
                       fmt::format("write `{} in 1:n`", iterator));
}
Diagnostic unknown_function(Span where, Words name, Words near) {
    return value_error("unknown-function", where, fmt::format("there is no function `{}`", name),
                       perhaps(near));
}
Diagnostic argument_count(Span where, Words name, Words wanted, std::size_t given) {
    return value_error("argument-count", where,
                       fmt::format("{} takes {}, {} are given", name, wanted, given));
}
Diagnostic argument_missing(Span where, Words function, Words input) {
    return value_error("argument-missing", where, fmt::format("{} needs a value of `{}`", function, input));
}
Diagnostic argument_twice(Span where, Words function, Words input) {
    return value_error("argument-twice", where, fmt::format("`{}` of {} is given twice", input, function));
}
Diagnostic no_such_argument(Span where, Words function, Words input, Words near) {
    return value_error("unknown-argument", where, fmt::format("{} has no input `{}`", function, input),
                       perhaps(near));
}
Diagnostic argument_of(Span where, Words function, Words wanted) {
    return value_error("argument-type", where, fmt::format("{} wants {}", function, wanted));
}
Diagnostic no_result(Span where, Words function) {
    return value_error("no-result", where, fmt::format("{} has no result that could stand here", function));
}
Diagnostic not_a_function(Span where, Words name) {
    return value_error("not-a-function", where, fmt::format("`{}` is no function", name));
}
Diagnostic partial_function(Span where, Words function) {
    return value_error("partial-function", where, fmt::format("{} is partial and cannot be called", function),
                       "redeclare it with a complete function");
}
Diagnostic not_supported(Span where, Words what, Words instead) {
    return value_error("not-supported", where, fmt::format("{} cannot be simulated", what),
                       std::string(instead));
}
Diagnostic only_of_variable(Span where, Words function) {
    return value_error("only-of-variable", where,
                       fmt::format("{} is asked of a variable, not of an expression", function));
}
Diagnostic derivative_of(Span where, Words what) {
    return value_error("derivative-of", where, fmt::format("{} has no derivative", what));
}
Diagnostic text_varies(Span where) {
    return value_error("text-varies", where,
                       "a text must be known before the run, and this one depends on what varies");
}
Diagnostic external_function(Span where, Words function, Words symbol) {
    return value_error("external-function", where,
                       fmt::format("the external function `{}` of {} is not among those that are built in",
                                   symbol, function),
                       "write it as an algorithm");
}
Diagnostic assertion(Span where, Words function, Words text) {
    return value_error("assertion", where, fmt::format("{}: {}", function, text));
}
Diagnostic function_size(Span where, Words function, Words name) {
    return value_error("function-size", where,
                       fmt::format("the size of `{}` in {} is not known at the call", name, function),
                       "let it depend on sizes of inputs, constants and parameters");
}
Diagnostic assigned_input(Span where, Words function, Words name) {
    return value_error("assigned-input", where,
                       fmt::format("{} assigns to `{}`, which is an input or a constant", function, name));
}
Diagnostic unknown_target(Span where, Words function, Words name, Words near) {
    return value_error("unknown-name", where, fmt::format("{} has no variable `{}`", function, name),
                       perhaps(near));
}
Diagnostic result_count(Span where, Words function, std::size_t wanted, std::size_t found) {
    return value_error("result-count", where,
                       fmt::format("{} results are taken here, {} has {}", wanted, function, found));
}
Diagnostic not_in_function(Span where, Words what) {
    return value_error("not-in-function", where, fmt::format("{} has no meaning in a function", what));
}
Diagnostic function_too_wide(Span where, Words function, std::size_t limit) {
    return value_error("function-too-wide", where,
                       fmt::format("the arguments of {} are more than {} numbers", function, limit));
}
Diagnostic open_loop_range(Span where) {
    return value_error("open-loop-range", where,
                       "over what a loop goes in a model must be known before the run");
}
Diagnostic table_file(Span where, Words file, Words problem) {
    return value_error("table-file", where, fmt::format("the table in {} cannot be read: {}", file, problem));
}
Diagnostic table_empty(Span where) {
    return value_error("table-empty", where, "this table has no row, or no column beside the first",
                       "give it by `table`, or name its file and say `tableOnFile = true`");
}
Diagnostic table_order(Span where) {
    return value_error("table-order", where, "the abscissas of this table do not rise");
}
Diagnostic used_before_assigned(Span where, Words function, Words name) {
    return value_error("used-before-assigned", where,
                       fmt::format("{} uses `{}` before it has a value", function, name));
}

}  // namespace cutset::objects::messages

#include "instantiate/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/foreign_words.h"
#include "base/message_parts.h"
#include "expr/elementary_functions.h"
#include "expr/expr.h"

namespace cutset::messages {

namespace {

Diagnostic make(const char* code, Span where, Text submodel, std::string message, std::string help = "") {
    Diagnostic d = make_error(where, code, std::move(message), std::move(help));
    d.submodel = submodel;
    return d;
}

Diagnostic warning(Diagnostic d) {
    d.severity = Severity::Warning;
    return d;
}

std::string did_you_mean(Text name, Text near, Text otherwise = "") {
    if (near.empty()) return otherwise;
    const auto same = [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
    };
    if (name != near && std::equal(name.begin(), name.end(), near.begin(), near.end(), same))
        return fmt::format("did you mean `{}`? Upper and lower case make different names.", near);
    return fmt::format("did you mean `{}`?", near);
}

std::string in_file(Text file, std::size_t line) {
    if (file.empty()) return "";
    return line ? fmt::format(" ({}, line {})", file, line) : fmt::format(" ({})", file);
}

std::string of(Text submodel) {
    return submodel.empty() ? "the model" : submodel;
}

std::string figure(double v) {
    return number_text(v);
}

}  // namespace

Diagnostic nothing_to_run() {
    return make("no-model", {}, "", "no model was loaded");
}

Diagnostic no_model_in_file(Text file) {
    return make("no-model", {}, "", fmt::format("{} declares no model", file),
                "a model is written `model name … end`");
}

Diagnostic unknown_model(Span where, Text name, Text near, Names models_of_file) {
    return make("unknown-model", where, "", fmt::format("there is no model `{}`", name),
                did_you_mean(name, near,
                             models_of_file.empty() ? "" : "the file declares " + and_list(models_of_file)));
}

Diagnostic defined_twice(Span where, Text submodel, Text what, Text name, Span first) {
    // Parameters are looked at before variables, whatever their order.
    if (first.source == where.source && first.begin > where.begin) std::swap(first, where);
    return with_related(
        make("defined-twice", where, submodel, fmt::format("{} `{}` is declared twice", what, name),
             "rename one of them, or remove it"),
        first, "first declared here");
}

Diagnostic unknown_name(Span where, Text submodel, Text name, Text in_submodel, Text model, Text near,
                        Text enclosing) {
    const std::string message =
        in_submodel.empty()
            ? fmt::format("`{}` is not declared in model {}", name, model)
            : fmt::format("submodel {} (a {}) has no variable `{}`", in_submodel, model, name);
    std::string help = enclosing.empty() ? did_you_mean(name, near) : "";
    if (!enclosing.empty())
        help = fmt::format(
            "the enclosing model {0} has `{1}`: pass it as a parameter, or declare it `internal {1}` there "
            "and "
            "`external {1}` here",
            enclosing, name);
    if (name == "dt" || (name.size() > 1 && name[0] == 'd' && name.substr(1) == near))
        help = fmt::format("a derivative is written der({0}) or {0}'", name == "dt" ? "x" : near);
    if (name == "t" && enclosing.empty()) help = "the time is called `time`";
    if (help.empty() && (name == "pi" || name == "PI" || name == "Pi"))
        help = fmt::format("declare `constant {} = 3.14159265358979`", name);
    if (help.empty() && in_submodel.empty())
        help = fmt::format("declare it: `local {0}`, `parameter {0}`, or list it in a cut", name);
    return make("unknown-name", where, submodel, message, help);
}

Diagnostic not_a_variable(Span where, Text submodel, Text name, Text what) {
    return make("not-a-variable", where, submodel, fmt::format("`{}` is a {}, not a variable", name, what),
                what == "submodel" ? fmt::format("a variable of it is written `{}.v`", name)
                                   : fmt::format("name one of the variables of the {}", what));
}

Diagnostic unknown_submodel(Span where, Text submodel, Text name, Text model, Text near, bool is_variable) {
    if (is_variable)
        return make("unknown-submodel", where, submodel,
                    fmt::format("`{}` is a variable of {}, not a submodel", name, model),
                    did_you_mean(name, near));
    return make("unknown-submodel", where, submodel,
                fmt::format("model {} has no submodel `{}`", model, name),
                did_you_mean(name, near, "declare it: `submodel (type) " + name + "`"));
}

Diagnostic unknown_type(Span where, Text submodel, Text type, Text near, Names files) {
    Diagnostic d =
        make("unknown-type", where, submodel, fmt::format("there is no model type `{}`", type),
             did_you_mean(type, near, "name its file with `library \"file.dym\"` or give --library"));
    d.details.push_back("looked in the enclosing models and in " + and_list(files));
    return d;
}

Diagnostic not_in_this_structure(Span where, Text submodel, Text what, Text name) {
    return make("not-in-structure", where, submodel,
                fmt::format("{} `{}` is declared only under a condition that does not hold here", what, name),
                "use it under the same condition");
}

Diagnostic submodel_not_made_yet(Span where, Text submodel, Text name) {
    return make(
        "structure-from-submodel", where, submodel,
        fmt::format("the structure of a model cannot depend on a value inside its submodel `{}`", name),
        "declare a structure parameter here and pass it to the submodel");
}

Diagnostic contains_itself(Span where, Text submodel, Text name, Text type) {
    return make(
        "recursive-model", where, submodel,
        fmt::format("model type {} contains itself: submodel `{}` has that type again", type, name),
        "a model that repeats itself needs an end: put the submodel under `if n > 1 then begin … end`");
}

Diagnostic too_deep(Span where, Text submodel, Text name, std::size_t limit) {
    return make(
        "recursive-model", where, submodel,
        fmt::format(
            "submodel `{}` lies more than {} levels deep: the model probably contains itself without end",
            name, limit),
        "check the condition that should end the repetition");
}

Diagnostic external_not_found(Span where, Text submodel, Text name, Text near, Text hidden_in) {
    std::string help = fmt::format("declare `internal {}` in a model around this one", name);
    if (!hidden_in.empty())
        help = fmt::format("model {} has `{}`: declare it `internal {}` there", hidden_in, name, name);
    else if (!near.empty())
        help = did_you_mean(name, near);
    return make("external-not-found", where, submodel,
                fmt::format("no enclosing model declares `internal {}`", name), help);
}

Diagnostic not_known_before_run(Span where, Text submodel, Text what, Text varying) {
    return make(
        "structure-varies", where, submodel,
        varying.empty() ? fmt::format("{} has no finite value", what)
                        : fmt::format("{} must be known before the run, but depends on {}", what, varying),
        varying.empty() ? "" : "use structure parameters, parameters, constants and loop variables only");
}

Diagnostic not_an_integer(Span where, Text submodel, Text what, double value) {
    return make("not-an-integer", where, submodel,
                fmt::format("{} must be a whole number, not {}", what, figure(value)));
}

Diagnostic negative_size(Span where, Text submodel, Text name, long value) {
    return make("negative-size", where, submodel, fmt::format("the size of {} is negative: {}", name, value));
}

Diagnostic too_many_scalars(Span where, Text submodel, Text name, double count) {
    return make(
        "too-large", where, submodel,
        count > 1
            ? fmt::format(
                  "`{}` brings {:.0f} elements: the model would have more than 5 million scalar variables",
                  name, count)
            : fmt::format("with `{}` the model has more than 5 million scalar variables or submodels", name),
        "check the structure parameter that gives the size");
}

Diagnostic too_many_submodels(Span where, Text submodel, Text name, double count) {
    return make("too-large", where, submodel,
                fmt::format("`{}` brings {:.0f} submodels: a model has at most 5 million", name, count),
                "each level multiplies them: check the types that it is made of");
}

Diagnostic too_many_factors(Span where, Text submodel, std::size_t count, std::size_t limit) {
    return make("too-large", where, submodel,
                fmt::format("a product of {} factors: more than {} are not taken", count, limit),
                "introduce variables for parts of it");
}

Diagnostic product_too_large(Span where, Text submodel, Text first, Text second, double terms, double limit) {
    return make("too-large", where, submodel,
                fmt::format("the product of {} and {} has {:.0f} terms: more than {:.0f} are not taken",
                            first, second, terms, limit),
                "compute it in a function: there loops stay loops");
}

Diagnostic too_many_repetitions(Span where, Text submodel, double count) {
    return make("too-large", where, submodel,
                fmt::format("this loop repeats {:.0f} times: the loops have more than 20 million "
                            "repetitions and statements in all",
                            count),
                "check its bounds");
}

Diagnostic index_out_of_range(Span where, Text submodel, Text name, long index, std::size_t size) {
    return make("index-out-of-range", where, submodel,
                size == 0 ? fmt::format("{} has no elements; index {} is out of range", name, index)
                          : fmt::format("index {} of {} is out of range: it has elements 1 to {}", index,
                                        name, size));
}

Diagnostic index_missing(Span where, Text submodel, Text name, Text shape) {
    return make("index-missing", where, submodel, fmt::format("{} is {}: say which element", name, shape),
                fmt::format("for example {}[1]", name));
}

Diagnostic too_many_indices(Span where, Text submodel, Text name, Text shape, std::size_t count) {
    return make(
        "wrong-index-count", where, submodel,
        fmt::format("{} is {} and is given {} ind{}", name, shape, count, count == 1 ? "ex" : "ices"));
}

Diagnostic unknown_argument(Span where, Text submodel, Text name, Text type, Text near, Names parameters) {
    return make("unknown-argument", where, submodel,
                fmt::format("model type {} has no parameter `{}`", type, name),
                did_you_mean(name, near,
                             parameters.empty() ? fmt::format("{} has no parameters", type)
                                                : "its parameters are " + and_list(parameters)));
}

Diagnostic argument_not_parameter(Span where, Text submodel, Text name, Text component, VariableKind kind) {
    using Kind = VariableKind;
    if (kind == Kind::Constant)
        return make("argument-not-parameter", where, submodel,
                    fmt::format("`{}` is a constant: its value cannot be changed from outside", name),
                    "declare it `parameter` to make it changeable");
    return make("argument-not-parameter", where, submodel,
                fmt::format("`{}` is {}, not a parameter", name,
                            kind == Kind::Input      ? "an input"
                            : kind == Kind::Output   ? "an output"
                            : kind == Kind::Terminal ? "a terminal"
                            : kind == Kind::Discrete ? "a discrete variable"
                                                     : "a variable"),
                kind == Kind::Input || kind == Kind::Terminal
                    ? fmt::format("give it by an equation: `{}.{} = …`", component, name)
                    : "");
}

Diagnostic argument_given_twice(Span where, Text submodel, Text name, Span first) {
    return with_related(
        make("argument-given-twice", where, submodel, fmt::format("parameter `{}` is given twice", name)),
        first, "first given here");
}

Diagnostic positional_after_named(Span where, Text submodel, Text component) {
    return make("positional-after-named", where, submodel,
                fmt::format("a value without a name follows named ones in the parameters of `{}`", component),
                "put values without names first, or name this one");
}

Diagnostic too_many_arguments(Span where, Text submodel, Text component, Text type, Names parameters) {
    return make("too-many-arguments", where, submodel,
                fmt::format("`{}` is given more values than model type {} has parameters ({})", component,
                            type, parameters.size()),
                parameters.empty() ? "" : "its parameters are, in this order, " + and_list(parameters));
}

Diagnostic parameters_without_value(Span where, Text submodel, Names parameters, Text first, Text component,
                                    Text in_place_type) {
    Diagnostic d =
        make("missing-value", where, submodel,
             parameters.size() == 1 ? fmt::format("parameter {} has no value", parameters[0])
                                    : fmt::format("{} parameters have no value", parameters.size()));
    if (parameters.size() > 1) add_names(d, parameters);
    if (!in_place_type.empty())
        d.help = fmt::format(
            "`model {0}` is a submodel as well as a type; if it is meant as a type only, write `model type "
            "{0}`",
            in_place_type);
    else if (component.empty())
        d.help = fmt::format("write `parameter {} = …`, or give --set {}=…", first, parameters[0]);
    else
        d.help =
            fmt::format("give it in the submodel statement, `{}({} = …)`, as a default, or by --set {}=…",
                        component, first, parameters[0]);
    return d;
}

Diagnostic parameter_cycle(Span where, Text submodel, Names cycle) {
    return make("parameter-cycle", where, submodel,
                cycle.size() == 1
                    ? fmt::format("the value of {} depends on itself", cycle[0])
                    : fmt::format("the values of {} depend on one another in a circle", and_list(cycle)));
}

Diagnostic parameter_varies(Span where, Text submodel, Text name, Text varying) {
    return make("parameter-varies", where, submodel,
                fmt::format("the value of parameter {} depends on {}, which is not known before the run",
                            name, varying),
                "use parameters and constants only, or make it a variable with an equation");
}

Diagnostic parameter_not_finite(Span where, Text submodel, Text name, Text expression) {
    return make(
        "parameter-not-finite", where, submodel,
        fmt::format("the value of {} cannot be computed: {}", name, expression),
        "look for a division by zero, a root or logarithm of a negative number, or an external function");
}

Diagnostic parameter_size(Span where, Text submodel, Text name, Text declared, Text given) {
    return make("size-mismatch", where, submodel,
                fmt::format("{} is {}, but its value is {}", name, declared, given));
}

Diagnostic constant_without_value(Span where, Text submodel, Text name) {
    return make("missing-value", where, submodel, fmt::format("constant `{}` has no value", name),
                fmt::format("write `constant {} = …`", name));
}

Diagnostic variable_with_value(Span where, Text submodel, Text name) {
    return make("variable-with-value", where, submodel,
                fmt::format("`{}` varies with time: a value in its declaration has no meaning", name),
                fmt::format("write `{0}(0) = …` for an initial value, `{0} = …` on a line of its own for an "
                            "equation, or declare "
                            "`parameter {0} = …`",
                            name));
}

Diagnostic condition_as_number(Span where, Text submodel) {
    return make("condition-as-number", where, submodel, "a condition stands where a number is expected",
                "`if condition then 1 else 0` makes a number of it");
}

Diagnostic number_as_condition(Span where, Text submodel) {
    return make("number-as-condition", where, submodel, "a number stands where a condition is expected",
                "compare it, for example `… <> 0`");
}

Diagnostic text_as_number(Span where, Text submodel) {
    return make("text-as-number", where, submodel, "a text stands where a number is expected");
}

Diagnostic number_too_large(Span where, Text submodel) {
    return make("number-too-large", where, submodel, "this number is too large");
}

Diagnostic branches_differ(Span where, Text submodel) {
    return make("condition-as-number", where, submodel,
                "the branches of this `if` are of different kinds: a condition and a number");
}

Diagnostic else_missing(Span where, Text submodel) {
    return make("else-missing", where, submodel, "an `if` that is a value needs an `else`");
}

Diagnostic array_where_scalar(Span where, Text submodel, Text shape) {
    return make("size-mismatch", where, submodel,
                fmt::format("a single number is expected here, this is {}", shape),
                "name one element, for example x[1]");
}

Diagnostic divided_by_zero(Span where, Text submodel, bool in_product) {
    return make("divided-by-zero", where, submodel,
                in_product ? "a division by zero: what this is divided by is 0"
                           : "a division by zero: the value of this is 0",
                "give its parameters other values, or divide by something else");
}

Diagnostic division_by_array(Span where, Text submodel, Text shape) {
    return make("size-mismatch", where, submodel, fmt::format("cannot divide by {}", shape),
                "write the equation the other way round: `A*x = b`");
}

Diagnostic equation_sizes(Span where, Text submodel, Text left, Text right) {
    return make("size-mismatch", where, submodel,
                fmt::format("the two sides differ in size: left {}, right {}", left, right));
}

Diagnostic equation_types(Span where, Text submodel, bool left_is_condition) {
    return make("condition-as-number", where, submodel,
                left_is_condition ? "the left side is a condition, the right side a number"
                                  : "the left side is a number, the right side a condition",
                "`if condition then 1 else 0` makes a number of a condition");
}

Diagnostic types_differ(Span where, Text submodel, Text left, Text right) {
    return make("types-differ", where, submodel, fmt::format("one side is {}, the other {}", left, right),
                "compare and equate things of one type");
}

Diagnostic type_mismatch(Span where, Text submodel, Text variable, Text type, Span declared, Text value,
                         Text help) {
    Diagnostic d = make("type-mismatch", where, submodel,
                        fmt::format("`{}` is {}, and this is {}", variable, type, value), help);
    d.related.push_back({declared, "declared here"});
    return d;
}

Diagnostic literal_of_several(Span where, Text submodel, Text name, const std::vector<std::string>& with) {
    Diagnostic d = make("literal-of-several", where, submodel,
                        fmt::format("`{}` is a value of several enumerations", name),
                        "compare it with a variable of the one that is meant, or rename it in the others");
    for (const std::string& one : with) d.details.push_back("(" + one + ")");
    return d;
}

Diagnostic literal_as_number(Span where, Text submodel) {
    return make("literal-as-number", where, submodel,
                "a value of an enumeration stands where a number is expected",
                "compare it: `if mode = on then … else …`");
}

Diagnostic joined_to_itself(Span where, Text submodel) {
    return warning(make("joined-to-itself", where, submodel, "this joins a cut to itself, which says nothing",
                        "name what it should be joined to, or remove it"));
}

Diagnostic unknown_function(Span where, Text submodel, Text name, Text near, bool is_variable) {
    const std::string foreign = is_variable ? "" : foreign_function_help(name, "der(x)");
    return make("unknown-function", where, submodel,
                is_variable ? fmt::format("`{}` is a variable, not a function", name)
                            : fmt::format("there is no function or table `{}`", name),
                is_variable ? fmt::format("an element is written {0}[i], a product {0}*(…)", name)
                : !foreign.empty()
                    ? foreign
                    : did_you_mean(name, near,
                                   fmt::format("there are {}, delay, and the tables and functions that you "
                                               "declare",
                                               names_of_functions(", "))));
}

Diagnostic wrong_argument_count(Span where, Text submodel, Text name, Text wanted, std::size_t given) {
    return make(
        "wrong-argument-count", where, submodel,
        fmt::format("{} takes {} argument{} and is given {}", name, wanted, wanted == "1" ? "" : "s", given));
}

Diagnostic wrong_result_count(Span where, Text submodel, Text name, std::size_t wanted, std::size_t given) {
    return make("wrong-result-count", where, submodel,
                fmt::format("{} returns {} result{}, {} variable{} take{} them", name, wanted, plural(wanted),
                            given, plural(given), given == 1 ? "s" : ""));
}

Diagnostic several_results(Span where, Text submodel, Text name, std::size_t count) {
    return make("several-results", where, submodel,
                fmt::format("{} returns {} results and cannot stand in an expression", name, count),
                fmt::format("write `y1 y2 = {}(…)` on a line of its own", name));
}

Diagnostic argument_size(Span where, Text submodel, Text function, Text argument, Text declared, Text given) {
    return make("size-mismatch", where, submodel,
                fmt::format("argument {} of {} is {}, given is {}", argument, function, declared, given));
}

Diagnostic argument_type(Span where, Text submodel, Text function, Text argument, Text wanted, Span declared,
                         Text help) {
    Diagnostic d = make("type-mismatch", where, submodel,
                        fmt::format("argument `{}` of {} is {}, and this is not", argument, function, wanted),
                        std::string(help));
    d.related.push_back({declared, "declared here"});
    return d;
}

Diagnostic argument_after_named(Span where, Text submodel, Text function) {
    return make("argument-after-named", where, submodel,
                fmt::format("an argument of {} without name follows one with a name", function),
                "arguments by position come first, then those by name");
}

Diagnostic argument_twice(Span where, Text submodel, Text function, Text argument) {
    return make("argument-twice", where, submodel,
                fmt::format("argument `{}` of {} is given twice", argument, function));
}

Diagnostic new_outside_when(Span where, Text submodel) {
    return make("new-outside-when", where, submodel, "`new` has a meaning inside `when … then … end` only",
                "write `when condition then new(d) = … end`");
}

Diagnostic derivative_of_discrete(Span where, Text submodel, Text name) {
    return make("derivative-of-discrete", where, submodel,
                fmt::format("derivative of {}, which is discrete: it is declared so, or `new` sets it", name),
                fmt::format("to set a state anew in a `when` write `reinit({}, …)` instead of `new`", name));
}

Diagnostic change_of_expression(Span where, Text submodel) {
    return make("change-of-expression", where, submodel, "`change` takes the name of a variable");
}

Diagnostic no_derivative(Span where, Text submodel) {
    return make("no-derivative", where, submodel,
                "this derivative needs a third derivative of a table or function, which is not available");
}

Diagnostic too_many_starts(Span where, Text submodel, std::size_t order) {
    return make(
        "too-many-starts", where, submodel,
        fmt::format("a derivative of order {} takes {} initial value{}", order, order, plural(order)));
}

Diagnostic start_given_twice(Span where, Text submodel, Text variable, Span first) {
    return with_related(make("start-given-twice", where, submodel,
                             fmt::format("{} is given two different initial values", variable)),
                        first, "the first one");
}

Diagnostic guess_of_discrete(Span where, Text submodel, Text name) {
    return make("guess-of-discrete", where, submodel,
                fmt::format("`{}` is discrete: nothing is searched for, so it has no guess", name),
                fmt::format("give its initial value: `discrete {}=…`", name));
}

Diagnostic only_equations_in_choice(Span where, Text submodel) {
    return make("only-equations-in-choice", where, submodel,
                "this choice is made during the run, so only equations can stand in it",
                "put declarations, connections and initial values outside, or let the condition depend on "
                "parameters only");
}

Diagnostic choice_without_else(Span where, Text submodel, std::size_t equations) {
    return make("choice-without-else", where, submodel,
                fmt::format("this choice is made during the run and has no `else`: {} would be missing there",
                            equations == 1 ? "an equation" : fmt::format("{} equations", equations)),
                "write as many equations after `else`");
}

Diagnostic choice_counts_differ(Span where, Text submodel, std::size_t first, std::size_t other) {
    return make("choice-counts-differ", where, submodel,
                fmt::format("this choice is made during the run, but its branches have {} and {} equations",
                            first, other),
                "a model has as many equations as unknowns at all times: write as many in each branch");
}

Diagnostic changing_parameter_shapes(Span where, Text submodel, Text name) {
    return make("changing-parameter-shapes", where, submodel,
                fmt::format("`{}` is set by a when clause, but sizes, loops or submodels depend on it", name),
                "only choices of equations, `if … then … else …`, can follow it during a run");
}

Diagnostic range_not_here(Span where, Text submodel, Text name) {
    return make("range-not-here", where, submodel,
                name.empty() ? "a range `i:k` can only stand among indices"
                             : fmt::format("a range of elements of {} cannot stand here", name),
                "ranges choose elements of vectors and matrices in equations: `x[2:4]`, `A[:, 1]`");
}

Diagnostic matrix_wanted(Span where, Text submodel, Text function, Text wanted, Text shape) {
    return make("matrix-wanted", where, submodel,
                fmt::format("{} is of {}, but this is {}", function, wanted, shape));
}

Diagnostic inverse_too_large(Span where, Text submodel, std::uint32_t size, std::uint32_t largest) {
    return make(
        "inverse-too-large", where, submodel,
        fmt::format("the inverse of a matrix of {} by {} is no formula of reasonable size (at most {})", size,
                    size, largest),
        "let the equations be solved: for `x = inv(A)*b` write `A*x = b`");
}

Diagnostic table_file_not_text(Span where, Text table) {
    return make(
        "table-file-not-text", where, "",
        fmt::format("table {}: the name of its file is not a text parameter of the model", table),
        "write `parameter file=\"data.csv\"` in the model of the table, or the name itself between quotes");
}

Diagnostic table_only_linear(Span where, Text table) {
    return make(
        "table-only-linear", where, "",
        fmt::format("table {}: with three arguments a table is linear, not smooth or periodic, and has one "
                    "column",
                    table));
}

Diagnostic table_one_argument(Span where, Text table, Text word) {
    return make("table-one-argument", where, "",
                fmt::format("table {}: only a table of one argument can be `{}`", table, word));
}

Diagnostic table_jump_at_end(Span where, Text table, Text file, Text line) {
    return make("table-jump-at-end", where, "",
                fmt::format("table {}: its last point stands twice{}", table,
                            file.empty() ? "" : fmt::format(" ({}, {})", file, line)),
                "a jump lies between points: give one more after it");
}

Diagnostic table_not_in_file(Span where, Text table, Text file, Text name, Text near) {
    return make("table-not-in-file", where, "",
                fmt::format("table {}: {} has no matrix `{}`", table, file, name), did_you_mean(name, near));
}

Diagnostic joined_without_unit(Span where, Text submodel, Text without, Text first, Text first_unit,
                               Text other, Text other_unit) {
    return make(
        "joined-without-unit", where, submodel,
        fmt::format("{} has no unit, but is joined to {} in {} and to {} in {}: which of them is it in?",
                    without, first, first_unit, other, other_unit),
        fmt::format("give {} a unit where it is declared", without));
}

Diagnostic second_main(Span where, Text submodel, Text what, Span first) {
    return with_related(
        make("second-main", where, submodel, fmt::format("a model has one main {}", what),
             fmt::format("write `main` before one of them only; the others are declared by `{} …`", what)),
        first, "the first one");
}

Diagnostic derivative_not_here(Text option, Text path) {
    return make(
        "derivative-not-here", {}, "",
        fmt::format("{} {}: a derivative cannot be given, only a variable", option, path),
        "give the variable as a function of time, or write an equation for its derivative in the model");
}

Diagnostic step_is_zero(Span where, Text submodel, Text variable) {
    return make("step-is-zero", where, submodel,
                fmt::format("the step of {} is 0: `for` would not end", variable));
}

Diagnostic start_of_parameter(Span where, Text submodel, Text name, Text kind) {
    return make("start-of-parameter", where, submodel,
                fmt::format("`{}` is {}: it has no initial value", name, kind));
}

Diagnostic state_of_other(Span where, Text submodel, Text name, Text kind) {
    return make("state-of-other", where, submodel,
                fmt::format("`{}` is {}: it cannot be a state", name, kind));
}

Diagnostic state_said_twice(Span where, Text submodel, Text variable, Span first) {
    Diagnostic d = with_related(make("state-said-twice", where, submodel,
                                     fmt::format("`state` says something else of {} than before", variable),
                                     "remove one of them; the first one counts"),
                                first, "the first one");
    d.severity = Severity::Warning;
    return d;
}

Diagnostic question_mark(Span where, Text submodel) {
    return make("question-mark", where, submodel, "`?` can only stand alone as the value of a parameter",
                "`parameter p = ?` lets the initial conditions determine p");
}

Diagnostic when_target(Span where, Text submodel, Text name, Text kind, bool reinit) {
    return make("when-target", where, submodel,
                reinit ? fmt::format("`reinit` changes a state, but `{}` is {}", name, kind)
                       : fmt::format("`new` changes a discrete variable, but `{}` is {}", name, kind),
                reinit ? "for a discrete variable write `new(d) = …`"
                       : fmt::format("declare it as `discrete {}=…`", name));
}

Diagnostic value_before(Span where, Text submodel, Text name) {
    Diagnostic d =
        make("value-before", where, submodel,
             fmt::format("`{0}` on the right of `new({0}) = …` is taken as its value before the event", name),
             fmt::format("write `pre({})` to say so", name));
    d.severity = Severity::Note;
    return d;
}

Diagnostic delay_history(Span where, Text submodel) {
    return make("delay-history", where, submodel,
                "the history of a delay is more than a function of the time and of parameters",
                "no equations hold before the start: write a number, a parameter or an expression of `time`");
}

Diagnostic implicit_in_if(Span where, Text submodel) {
    return make("when-equation", where, submodel, "an equation in `new(…)` cannot stand in an `if`",
                "write the choice inside the equation: `new(a) + new(b) = if c then 5 else 3`; a plain "
                "`new(d) = …` may stand in an `if`");
}

Diagnostic nothing_new(Span where, Text submodel) {
    return make(
        "when-equation", where, submodel,
        "this equation has no `new(…)` left to determine: the others of this `when` determine all of them",
        "remove one of the equations, or write `new(…)` for a variable that none of them determines");
}

Diagnostic new_not_determined(Span where, Text submodel, Text name, std::size_t equations,
                              std::size_t unknowns) {
    return make("when-equation", where, submodel,
                fmt::format("the equations of this `when` do not determine `new({})`: {} for {} values", name,
                            equations, unknowns),
                "add an equation, or write `pre(…)` for a value that stays");
}

Diagnostic given_twice(Span where, Text submodel, Text name, double first, double second, Span first_where) {
    return with_related(
        make("set-twice", where, submodel,
             fmt::format("two `when` with the same condition give {} the values {} and {}", name, first,
                         second),
             "join them with `elsewhen`, of which the first that becomes true acts, or give one "
             "value"),
        first_where, "the other one");
}

Diagnostic default_of_local(Span where, Text submodel, Text name, Text kind) {
    return make("default-of-local", where, submodel,
                fmt::format("`default` is for terminals, but `{}` is {} that nothing outside can refer to",
                            name, kind),
                fmt::format("declare it `terminal {}`, or write an equation", name));
}

Diagnostic unknown_cut(Span where, Text submodel, Text name, Text type, Text near, Names cuts) {
    return make("unknown-cut", where, submodel, fmt::format("model {} has no cut `{}`", type, name),
                did_you_mean(name, near, cuts.empty() ? "it has no cuts" : "its cuts are " + and_list(cuts)));
}

Diagnostic unknown_path(Span where, Text submodel, Text name, Text type, Text near, bool is_cut,
                        Names paths) {
    return make("unknown-path", where, submodel, fmt::format("model {} has no path `{}`", type, name),
                is_cut ? fmt::format("`{0}` is a cut: write `a:{0}`", name)
                       : did_you_mean(name, near,
                                      paths.empty() ? "it has no paths with names"
                                                    : "its paths are " + and_list(paths)));
}

Diagnostic vector_not_declared(Span where, Text submodel, Text name) {
    return make("unknown-name", where, submodel, fmt::format("vector `{}` is not declared", name),
                fmt::format("declare `terminal {}[n]` before listing its elements in a cut", name));
}

Diagnostic negative_cut(Span where, Text submodel, Text name) {
    return make("negative-cut", where, submodel,
                fmt::format("a minus has no meaning before `{}`, which is a cut", name));
}

Diagnostic parameter_with_both_signs(Span where, Text submodel, Text name) {
    Diagnostic d =
        make("both-signs", where, submodel,
             fmt::format("parameter {} is joined with a minus here and without one elsewhere", name));
    d.help = "declare it as a variable, or give the two cuts parameters of their own";
    return d;
}

Diagnostic unknown_unit(Span where, Text name, Text unit, Text symbol, Text near) {
    Diagnostic d =
        make("unknown-unit", where, "",
             symbol.empty() || symbol == unit
                 ? fmt::format("`{}` has a unit that is not known: [{}]", name, unit)
                 : fmt::format("`{}` has a unit that is not known: `{}` in [{}]", name, symbol, unit));
    d.help = near.empty() ? "docs/dymola-language.md lists the units; a quantity without one is written [1]"
                          : fmt::format("did you mean `{}`? docs/dymola-language.md lists the units", near);
    return d;
}

Diagnostic cut_contains_itself(Span where, Text submodel, Text name) {
    return make("cut-contains-itself", where, submodel, fmt::format("cut {} contains itself", name));
}

Diagnostic node_from_outside(Span where, Text submodel, Text name, Text type) {
    return make("node-from-outside", where, submodel,
                fmt::format("`{}` is a node of {}: nodes are not visible outside their model", name, type),
                fmt::format("declare it `cut {}` there", name));
}

Diagnostic no_main(Span where, Text submodel, Text component, Text type, bool has_main_path, Names cuts,
                   Names paths) {
    std::string help;
    if (has_main_path)
        help = "only a cut may stand here; name one of its cuts";
    else if (!cuts.empty() || !paths.empty())
        help = "declare one of them `main`, or name it:";
    if (!cuts.empty()) help += fmt::format(" {}:{}", component, cuts[0]);
    if (!paths.empty() && !has_main_path) help += fmt::format(" {}..{}", component, paths[0]);
    return make("no-main-cut", where, submodel,
                fmt::format("submodel {} (a {}) has no main {}", component, type,
                            has_main_path ? "cut" : "cut or path"),
                help);
}

Diagnostic no_such_connection(Span where, Text submodel, Text component, Text type, Text name, bool has_path,
                              Text near) {
    return make("no-such-connection", where, submodel,
                has_path ? fmt::format("a cut is needed here, and `{}` of submodel {} (a {}) is a path", name,
                                       component, type)
                         : fmt::format("submodel {} (a {}) has no path or cut `{}`", component, type, name),
                has_path ? "" : did_you_mean(name, near));
}

Diagnostic not_connectable(Span where, Text submodel, Text name, Text near, bool is_variable) {
    return make(
        "not-connectable", where, submodel,
        is_variable
            ? fmt::format("`{}` is a variable; a connection joins submodels, cuts, nodes and paths", name)
            : fmt::format("there is no submodel, cut, node or path `{}` here", name),
        did_you_mean(name, near));
}

Diagnostic cut_expected(Span where, Text submodel, Text what) {
    return make("cut-expected", where, submodel, fmt::format("{} joins cuts, and this is not a cut", what),
                "name a cut, `submodel:cut`; paths are joined by `to`, `from`, `par`, `loop`");
}

Diagnostic cut_expected_in_list(Span where, Text submodel, bool is_path) {
    return make("cut-expected", where, submodel,
                is_path ? "a temporary cut is a list of cuts, and this is a path"
                        : "a temporary cut is a list of cuts, and this connection has no value");
}

Diagnostic paths_expected(Span where, Text submodel, Text op) {
    if (op == "reversed")
        return make("path-expected", where, submodel,
                    "`reversed` turns a path round, and this is not a path");
    return make(
        "path-expected", where, submodel,
        fmt::format("`{}` needs two paths{}; this is not a path", op, op == "par" ? " or two cuts" : ""));
}

Diagnostic goes_on_from_other_end(Span where, Text submodel, Text op) {
    return warning(make(
        "connection-other-end", where, submodel,
        fmt::format(
            "after a path that ends in a cut, `{}` goes on from the other end of the path, not from the cut",
            op),
        "begin the chain with a cut, or start a new connection statement at this one"));
}

Diagnostic cuts_differ(Span where, Text submodel, Text why, Text a, Text b, Span declared_a,
                       Span declared_b) {
    Diagnostic d = make("cut-mismatch", where, submodel, "these cuts do not fit together: " + why);
    d.details = {a, b};
    if (declared_a.known()) d.related.push_back({declared_a, a});
    if (declared_b.known()) d.related.push_back({declared_b, b});
    return d;
}

Diagnostic units_differ(Span where, Text submodel, Text a, Text unit_a, Text b, Text unit_b, Span declared_a,
                        Span declared_b) {
    Diagnostic d = make(
        "unit-mismatch", where, submodel,
        fmt::format("this join makes {} [{}] and {} [{}] equal, but they do not measure the same quantity", a,
                    unit_a, b, unit_b));
    d = with_related(std::move(d), declared_a, fmt::format("{} [{}]", a, unit_a));
    return with_related(std::move(d), declared_b, fmt::format("{} [{}]", b, unit_b));
}

Diagnostic quantities_differ(Span where, Text submodel, Text a, Text quantity_a, Text b, Text quantity_b,
                             Span declared_a, Span declared_b) {
    Diagnostic d =
        make("quantity-mismatch", where, submodel,
             fmt::format("this join makes {} ({}) and {} ({}) equal", a, quantity_a, b, quantity_b));
    d = with_related(std::move(d), declared_a, fmt::format("{}: {}", a, quantity_a));
    return with_related(std::move(d), declared_b, fmt::format("{}: {}", b, quantity_b));
}

Diagnostic joined_parameters_differ(Span where, Text submodel, Text a, double value_a, Text b, double value_b,
                                    Span declared_a, Span declared_b) {
    Diagnostic d = make(
        "joined-parameters-differ", where, submodel,
        fmt::format("this join makes the parameters {} and {} equal, but they have different values", a, b),
        "give the value in one place only");
    d.details = {fmt::format("{} = {}", a, figure(value_a)), fmt::format("{} = {}", b, figure(value_b))};
    d = with_related(std::move(d), declared_a, a);
    return with_related(std::move(d), declared_b, b);
}

Diagnostic structural_join(Span where, Text submodel, Text name, double before, Text from, double now) {
    return make(
        "structural-join", where, submodel,
        fmt::format("this join gives {} the value {} of {}, but {} has shaped the model already with {}",
                    name, figure(now), from, name, figure(before)),
        "give the value in the submodel statement");
}

Diagnostic table_unreadable(Span where, Text table, Text file, Text problem) {
    return make("table-unreadable", where, "",
                fmt::format("table {}: cannot read {}: {}", table, file, problem),
                "files named in a model are relative to the model's file");
}

Diagnostic table_row_width(Span where, Text table, std::size_t wanted, std::size_t given, Text file,
                           std::size_t line) {
    return make(
        "table-row", where, "",
        fmt::format("table {} needs {} columns, here are {}{}", table, wanted, given, in_file(file, line)),
        file.empty() ? "" : "the columns are the arguments, then the value; or a heading names them");
}

Diagnostic table_not_a_number(Span where, Text table, Text file, std::size_t line, Text cell) {
    return make("table-row", where, "",
                fmt::format("table {}: `{}` is not a number{}", table, cell, in_file(file, line)));
}

Diagnostic table_not_rising(Span where, Text table, Text argument, double before, double after, Text file,
                            Text line) {
    return make(
        "table-not-rising", where, "",
        fmt::format("table {}: {} must rise from point to point, but {} follows {}{}", table, argument,
                    figure(after), figure(before), file.empty() ? "" : fmt::format(" ({}, {})", file, line)));
}

Diagnostic table_point_twice(Span where, Text table, double x, double y, Text file, Text line) {
    return make("table-point-twice", where, "",
                fmt::format("table {}: the point ({}, {}) is given twice{}", table, figure(x), figure(y),
                            file.empty() ? "" : fmt::format(" ({}, {})", file, line)));
}

Diagnostic table_point_missing(Span where, Text table, double x, double y, Text file) {
    return make("table-point-missing", where, "",
                fmt::format("table {} needs a value for every pair of its arguments; ({}, {}) is missing{}",
                            table, figure(x), figure(y), in_file(file, 0)));
}

Diagnostic table_too_short(Span where, Text table, std::size_t count, Text file) {
    return make("table-too-short", where, "",
                fmt::format("table {} needs at least two points, here {} {}{}", table,
                            count == 1 ? "is" : "are", count, in_file(file, 0)));
}

Diagnostic table_not_constant(Span where, Text table) {
    return make("table-not-constant", where, "",
                fmt::format("the data of table {} must be numbers or constants", table));
}

Diagnostic not_in_function(Span where, Text what) {
    return make("not-in-function", where, "", fmt::format("{} cannot stand inside a function", what),
                "a function computes its results from its arguments alone");
}

Diagnostic function_unknown_name(Span where, Text function, Text name, Text near) {
    return make("unknown-name", where, "",
                function.empty() ? fmt::format("`{}` is not a constant", name)
                                 : fmt::format("`{}` is not declared in function {}", name, function),
                did_you_mean(name, near, "a function sees its arguments, its locals and constants only"));
}

Diagnostic function_assigns_input(Span where, Text function, Text name, bool loop) {
    return make("function-assigns-input", where, "",
                fmt::format("`{}` is {} of function {} and cannot be assigned", name,
                            loop ? "a loop variable" : "an argument", function),
                "use a local variable");
}

Diagnostic function_size(Span where, Text name) {
    return make(
        "function-size", where, "",
        fmt::format("the size of {} must be a whole number that is known when the function is called", name),
        "constants and sizes of arguments are: local y[size(x)], with an argument x[:]");
}

Diagnostic function_too_large(Span where, Text function, Text name, double count, std::size_t limit) {
    return make("too-large", where, "",
                fmt::format("`{}` brings {} element{}: function {} would have more than {} numbers", name,
                            count, count == 1 ? "" : "s", function, limit));
}

Diagnostic function_without_result(Span where, Text function) {
    return make("function-without-result", where, "", fmt::format("function {} returns nothing", function),
                "name its results after `returns`");
}

Diagnostic function_too_wide(Span where, Text function, std::size_t limit) {
    return make("function-too-wide", where, "",
                fmt::format("function {} has more than {} scalar arguments", function, limit));
}

Diagnostic break_outside_loop(Span where, Text function) {
    return make("break-outside-loop", where, "",
                fmt::format("`break` in function {} stands in no `for` or `while`", function),
                "`return` leaves the function");
}

Diagnostic impure_in_function(Span where, Text callee, Text function) {
    return make("impure-call", where, "",
                fmt::format("function {} calls {}, which is impure, and is therefore impure itself", function,
                            callee),
                "write a line `impure` in it too");
}

Diagnostic impure_in_equation(Span where, Text submodel, Text function) {
    return make(
        "impure-call", where, submodel,
        fmt::format("{} is impure: it gives something else each time, and this holds at all times", function),
        "call it at events: `when sample(0, 1) then new(d) = … end`, or in an `initial` equation");
}

Diagnostic derivative_rule(Span where, Text function, Text rule) {
    return make(
        "derivative-rule", where, "", fmt::format("{} does not fit as the derivative of {}", rule, function),
        "it takes the arguments of the function, then differentials of those that `without` and `constant` "
        "do not name (of order 2: of the differentials), and has results of the same sizes");
}

Diagnostic inverse_rule(Span where, Text function, Text argument, Text rule) {
    return make(
        "inverse-rule", where, "",
        fmt::format("{} does not fit as an inverse of {} for `{}`", rule, function, argument),
        "the function has one result; its inverse takes the same arguments with the result in the place "
        "of that argument, which are single numbers, and gives the argument");
}

Diagnostic smooth_order(Span where, Text submodel) {
    return make("smooth-order", where, submodel,
                "the first argument of `smooth` is a whole number, 0 or more",
                "it says how many derivatives of the second are continuous");
}

Diagnostic size_of(Span where, Text submodel, Text shape) {
    return make(
        "size-of", where, submodel, fmt::format("there is no such size of {}", shape),
        "size(x) is the number of elements of a vector, size(A, 1) and size(A, 2) those of rows and columns");
}

Diagnostic result_not_assigned(Span where, Text function, Text name) {
    return make("result-not-assigned", where, "",
                fmt::format("function {} never assigns its result `{}`", function, name));
}

Diagnostic used_before_assigned(Span where, Text function, Text name) {
    return make("used-before-assigned", where, "",
                fmt::format("function {} uses `{}` before it has a value", function, name),
                fmt::format("assign it first, or give it a value where it is declared: `{} = 0`", name));
}

Diagnostic result_perhaps_not_assigned(Span where, Text function, Text name) {
    return warning(
        make("result-perhaps-not-assigned", where, "",
             fmt::format("function {} does not assign its result `{}` on all ways", function, name),
             "add `else`, or assign it before the `if`"));
}

Diagnostic calls_too_deep(Span where, Text function, std::size_t limit) {
    return make("calls-too-deep", where, "",
                fmt::format("function {} is called through more than {} others that call one another",
                            function, limit),
                "let functions call fewer others in a row");
}

Diagnostic unknown_setting(Text option, Text path, Text part, Text submodel, Text type, bool variable,
                           Text near) {
    return make("unknown-path", {}, "",
                fmt::format("{} {}: {} (model {}) has no {} `{}`", option, path, of(submodel), type,
                            variable ? "variable" : "submodel", part),
                did_you_mean(part, near));
}

Diagnostic setting_index(Text option, Text path, Text part, Text shape) {
    return make("unknown-path", {}, "",
                fmt::format("{} {}: `{}` is {}, and the index does not fit", option, path, part, shape));
}

Diagnostic set_not_parameter(Text option, Text path, Text kind, Span declared, bool input, bool constant) {
    Diagnostic d = make("set-not-parameter", {}, "",
                        fmt::format("{} {}: this is {}, not a parameter", option, path, kind),
                        constant ? "declare it `parameter` to make it changeable"
                        : input  ? fmt::format("give it by --input \"{}=…\"", path)
                                 : fmt::format("an initial value is given by --init {}=…", path));
    return with_related(std::move(d), declared, "declared here");
}

Diagnostic init_of_parameter(Text option, Text path, Text kind) {
    return make("init-of-parameter", {}, "", fmt::format("{} {}: this is {}", option, path, kind),
                fmt::format("a parameter is given by --set {}=…", path));
}

Diagnostic submodel_inputs_not_given(Span where, Text submodel, Names inputs, Span declared) {
    Diagnostic d = make(
        "input-not-given", where, submodel,
        inputs.size() == 1 ? fmt::format("nothing outside the submodel gives its input {}", inputs[0])
                           : fmt::format("nothing outside gives {} inputs of submodels", inputs.size()),
        fmt::format("write an equation for it, `{} = …`, join its cut, or give it a default", inputs[0]));
    d.concern = Concern::OpenInputs;
    if (inputs.size() > 1) add_names(d, inputs);
    return with_related(std::move(d), declared, "declared here");
}

}  // namespace cutset::messages

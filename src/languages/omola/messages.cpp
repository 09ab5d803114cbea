#include "languages/omola/messages.h"

#include <fmt/format.h>

#include "base/foreign_words.h"
#include "base/message_parts.h"

namespace cutset::omola {

Diagnostic stray_character(Span where, std::string_view text) {
    return make_error(where, "stray-character", fmt::format("`{}` cannot stand here", text),
                      "comments start with `%` and go to the end of the line; braces are not used");
}

Diagnostic ends_early(Span where, std::string_view wanted) {
    return make_error(where, "incomplete-text", fmt::format("the text ends here, but {} is missing", wanted));
}

Diagnostic no_end(Span where, const std::string& name) {
    return make_error(where, "no-end", fmt::format("the class {} has no END", name),
                      "close each WITH by an END");
}

Diagnostic dot_arguments(Span where) {
    return make_error(where, "dot-arguments",
                      "dot has one argument, and the order of the derivative as a second one",
                      "write dot(x) or dot(x, 2)");
}

Diagnostic declared_twice(Span where, const std::string& name, Span first) {
    Diagnostic d = make_error(where, "declared-twice", fmt::format("there is another class `{}`", name),
                              "rename one of them");
    d.related.push_back({first, "it is declared here first"});
    return d;
}

Diagnostic unknown_class(Span where, const std::string& name, const std::string& near) {
    return make_error(where, "unknown-class", fmt::format("there is no class `{}`", name),
                      did_you_mean(near));
}

Diagnostic unknown_name(Span where, const std::string& name, const std::string& near) {
    return make_error(where, "unknown-name", fmt::format("there is no attribute `{}` here", name),
                      did_you_mean(near));
}

Diagnostic unknown_function(Span where, const std::string& name, const std::string& near) {
    const std::string foreign = foreign_function_help(name, "dot(x)");
    return make_error(where, "unknown-function", fmt::format("there is no function `{}`", name),
                      foreign.empty() ? did_you_mean(near) : foreign);
}

Diagnostic wrong_number_of_arguments(Span where, const std::string& name, std::size_t wanted,
                                     std::size_t found) {
    return make_error(where, "wrong-number-of-arguments",
                      fmt::format("`{}` has {} arguments, {} are given", name, wanted, found));
}

Diagnostic unknown_category(Span where, const std::string& name) {
    return make_note(where, "unknown-category",
                     fmt::format("the category {} is kept, and has no part in the simulation", name));
}

Diagnostic unknown_type(Span where, const std::string& name, const std::string& type) {
    return make_error(where, "unknown-type",
                      fmt::format("`{}` has the type {}, which there is not", name, type),
                      "write TYPE Real, Integer, Boolean, String, or the values in brackets");
}

Diagnostic unknown_realization(Span where, const std::string& name) {
    return make_error(where, "unknown-realization", fmt::format("the model has no realization `{}`", name));
}

Diagnostic no_realization_there(const std::string& choice) {
    return make_error("no-realization-there",
                      fmt::format("--realization {}: no model of the file has it", choice),
                      "write path=NAME: the path of a submodel, and the name of one of its realizations");
}

Diagnostic unknown_in_expression(Span where) {
    return make_error(where, "unknown-in-expression",
                      "UNKNOWN is not a number: it can be the value of an attribute only");
}

Diagnostic other_case(Span where, const std::string& written, const std::string& meant, Span declared) {
    Diagnostic d = make_note(where, "other-case", fmt::format("`{}` is taken as `{}`", written, meant));
    d.related.push_back({declared, "it is declared here"});
    return d;
}

Diagnostic declared_automatically(Span where, const std::string& name) {
    return make_note(
        where, "declared-automatically",
        fmt::format("`{}` is declared nowhere: it is taken as a variable of the realization", name),
        "declare it in `variables:` or `parameters:` to say what it is");
}

Diagnostic inside_itself(Span where, const std::string& name) {
    return make_error(where, "inside-itself", fmt::format("{} would contain itself", name),
                      "take out one of the classes or submodels on the way round");
}

Diagnostic assigns_expression(Span where) {
    return make_error(where, "assigns-expression", "only an attribute can be given a value",
                      "equations stand in `equations:`");
}

Diagnostic terminals_differ(Span where, const std::string& name, const std::string& terminal, Span declared) {
    Diagnostic d =
        make_error(where, "terminals-differ",
                   fmt::format("{} is redefined by a model without the terminal {}", name, terminal),
                   "what takes the place of a submodel must have terminals of the same structure");
    d.related.push_back({declared, "the terminal is declared here"});
    return d;
}

Diagnostic object_of_no_kind(Span where, const std::string& name) {
    return make_note(
        where, "no-part",
        fmt::format("{} is neither a model nor a terminal nor a parameter: it has no part in the simulation",
                    name));
}

Diagnostic has_no_parts(Span where, const std::string& name) {
    return make_error(where, "has-no-parts",
                      fmt::format("`{}` is a simple variable: nothing stands inside it", name));
}

Diagnostic size_not_known(Span where, const std::string& name) {
    return make_error(
        where, "size-not-known",
        fmt::format("the size of `{}` must follow from numbers and parameters with a value", name));
}

Diagnostic range_not_known(Span where, const std::string& name) {
    return make_error(
        where, "range-not-known",
        fmt::format("the range of `{}` must follow from numbers and parameters with a value", name));
}

Diagnostic order_of_expression(Span where) {
    return make_error(where, "order-of-expression",
                      "higher derivatives can be taken of variables of the model itself",
                      "give the first derivative a name of its own");
}

Diagnostic not_here(Span where) {
    return make_error(where, "not-here", "this cannot stand here");
}

Diagnostic not_in_event(Span where) {
    return make_error(where, "not-in-event", "the body of an event holds assignments",
                      "write x := e, or new(x) := e");
}

Diagnostic selects_structure(Span where, const std::string& name) {
    return make_error(
        where, "selects-structure",
        fmt::format("{} is a Structure: events can select between realizations of equations", name));
}

Diagnostic constraint_count(Span where, std::size_t relations, const std::string& names) {
    return make_error(
        where, "constraint-count",
        fmt::format("{} relations between parameters determine as many of them, but these have no value: {}",
                    relations, names),
        "give values to all but as many parameters as there are relations");
}

Diagnostic not_a_terminal(Span where, const std::string& name) {
    return make_error(where, "not-a-terminal", fmt::format("`{}` is not a terminal", name),
                      "a connection is written a.out AT b.in");
}

Diagnostic one_terminal(Span where, const std::string& name) {
    return make_error(
        where, "one-terminal",
        fmt::format("a connection joins one terminal with another: give the indices of {}", name));
}

Diagnostic terminal_open(Span where, const std::string& side) {
    return make_error(
        where, "terminal-open",
        fmt::format("the terminal on the {} has no components, and what it is joined to does not say which",
                    side),
        "name its components");
}

Diagnostic no_value_along(Span where, const std::string& name) {
    return make_error(
        where, "no-value",
        fmt::format("{} does not vary with time, and neither it nor what it is joined to has a value", name),
        "give one of them a value");
}

Diagnostic both_write(Span where, const std::string& a, const std::string& b) {
    return make_error(where, "both-write",
                      fmt::format("{} and {} both write the value of this connection", a, b),
                      "one of them must read it");
}

Diagnostic across_with_through(Span where, const std::string& a, std::string_view a_is, const std::string& b,
                               std::string_view b_is, Span a_where, Span b_where) {
    Diagnostic d = make_error(
        where, "across-with-through",
        fmt::format("{} is {}, {} is {}: an across value cannot be joined to a flow", a, a_is, b, b_is));
    d.related.push_back({a_where, "the one stands here"});
    d.related.push_back({b_where, "the other stands here"});
    return d;
}

Diagnostic quantities_differ(Span where, const std::string& a, const std::string& a_is, const std::string& b,
                             const std::string& b_is, Span a_where, Span b_where) {
    Diagnostic d =
        make_error(where, "quantities-differ", fmt::format("{} is a {}, {} is a {}", a, a_is, b, b_is));
    d.related.push_back({a_where, "the one stands here"});
    d.related.push_back({b_where, "the other stands here"});
    return d;
}

Diagnostic units_differ(Span where, const std::string& a, const std::string& a_is, const std::string& b,
                        const std::string& b_is, Span a_where, Span b_where) {
    Diagnostic d = make_error(
        where, "units-differ",
        fmt::format("{} has the unit {}, {} has {}: they measure different things", a, a_is, b, b_is));
    d.related.push_back({a_where, "the one stands here"});
    d.related.push_back({b_where, "the other stands here"});
    return d;
}

Diagnostic words_differ(Span where, const std::string& word, const std::string& a, const std::string& a_is,
                        const std::string& b, const std::string& b_is, Span a_where, Span b_where) {
    Diagnostic d = make_error(where, "words-differ",
                              fmt::format("{} of {} is {}, that of {} is {}", word, a, a_is, b, b_is));
    d.related.push_back({a_where, "the one stands here"});
    d.related.push_back({b_where, "the other stands here"});
    return d;
}

Diagnostic structures_differ(Span where, const std::string& a, std::size_t a_size, const std::string& b,
                             std::size_t b_size, Span a_where, Span b_where) {
    Diagnostic d = make_error(where, "structures-differ",
                              fmt::format("{} has {} simple terminals, {} has {}", a, a_size, b, b_size));
    d.related.push_back({a_where, "the one stands here"});
    d.related.push_back({b_where, "the other stands here"});
    return d;
}

Diagnostic values_differ(Span where, const std::string& a, double a_is, const std::string& b, double b_is,
                         Span a_where, Span b_where) {
    Diagnostic d = make_error(
        where, "values-differ",
        fmt::format("{} is {}, {} is {}, but they are joined and do not vary with time", a, a_is, b, b_is));
    d.related.push_back({a_where, "the one stands here"});
    d.related.push_back({b_where, "the other stands here"});
    return d;
}

Diagnostic lengths_differ(Span where, const std::string& a, long a_size, const std::string& b, long b_size) {
    return make_error(where, "lengths-differ",
                      fmt::format("{} has {} elements, {} has {}", a, a_size, b, b_size));
}

Diagnostic quantity_unit(Span where, const std::string& quantity, const std::string& unit,
                         std::string_view usual) {
    return make_error(where, "quantity-unit", fmt::format("{} is not a unit of {}", unit, quantity),
                      fmt::format("its unit in SI is {}", usual));
}

}  // namespace cutset::omola

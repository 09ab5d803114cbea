#include "languages/el/messages.h"

#include <fmt/format.h>

#include "base/foreign_words.h"
#include "base/message_parts.h"

namespace cutset::el {

Diagnostic unterminated_comment(Span opening) {
    return make_error(opening, "unterminated-comment", "the comment that starts here never ends",
                      "close it with `*/`; #LIBRARY_INFO ends with END #LIBRARY_INFO");
}

Diagnostic stray_character(Span where, std::string_view text) {
    return make_error(
        where, "stray-character", fmt::format("`{}` cannot stand here", text),
        "a line goes on in the next one after `\\` at its end; comments start with `--` or `//`");
}

Diagnostic unsupported_directive(Span where, std::string_view text) {
    return make_error(where, "unsupported-directive", fmt::format("`{}` is not supported", text),
                      "#include \"file\", #define NAME text and #LIBRARY_INFO are");
}

Diagnostic not_a_macro(Span where) {
    return make_error(where, "not-a-macro", "#define gives a name to the rest of the line: #define N 4",
                      "what has arguments is a FUNCTION");
}

Diagnostic macros_too_large(Span where) {
    return make_error(where, "macros-too-large", "macros stand for more than a million words here",
                      "a macro that doubles itself grows fast: use arrays and EXPAND");
}

Diagnostic keyword_as_name(Span where, std::string_view word, std::string_view wanted) {
    return make_error(
        where, "keyword-as-name",
        fmt::format("`{}` is a word of EL and cannot be used as a name; {} is wanted here", word, wanted),
        "choose another name: words of EL are in upper case");
}

Diagnostic ends_early(Span where, std::string_view wanted) {
    return make_error(
        where, "incomplete-statement", fmt::format("the statement ends here, but {} is missing", wanted),
        "a statement goes on in the next line after an operator, a comma, `\\`, or inside brackets");
}

Diagnostic not_constant(Span where, const std::string& name) {
    return make_error(where, "not-constant",
                      fmt::format("`{}` is declared outside of a component, but is no constant", name),
                      "write CONST before its type, or declare it in DATA or DECLS");
}

Diagnostic priority_not_a_number(Span where) {
    return make_error(where, "priority", "PRIORITY wants an integer", "write INIT PRIORITY 10");
}

Diagnostic no_end(Span where, std::string_view block, const std::string& name) {
    return make_error(where, "no-end", fmt::format("the {} {} has no end", block, name),
                      fmt::format("close it with END {}", block));
}

Diagnostic not_a_declaration(Span where, std::string_view text) {
    return make_error(
        where, "not-a-declaration", fmt::format("a declaration begins with its type, not with `{}`", text),
        "write REAL, INTEGER, BOOLEAN or ENUM before the name; submodels stand in TOPOLOGY, ports in PORTS");
}

Diagnostic counts_another(Span where, Span counted) {
    Diagnostic d =
        make_error(where, "counts-another", "the last part of FOR must change the variable that counts",
                   "write FOR (i = 1; i <= n; i = i + 1)");
    d.related.push_back({counted, "this one counts"});
    return d;
}

Diagnostic declared_twice(Span where, const std::string& name, Span first) {
    Diagnostic d = make_error(where, "declared-twice", fmt::format("`{}` is declared twice", name),
                              "rename one of them; parents and children share one space of names");
    d.related.push_back({first, "it is declared here first"});
    return d;
}

Diagnostic unknown_parent(Span where, const std::string& name, const std::string& near) {
    return make_error(where, "unknown-parent", fmt::format("there is no parent `{}`", name),
                      did_you_mean(near));
}

Diagnostic own_parent(Span where, const std::string& name) {
    return make_error(where, "own-parent", fmt::format("`{}` is its own parent", name),
                      "remove it from IS_A");
}

Diagnostic label_replaces_nothing(Span where, const std::string& label) {
    return make_error(
        where, "label-replaces-nothing",
        fmt::format("no parent has an equation <{}> that this one could replace", label),
        fmt::format("write <{}> for an equation of its own, or see the labels of the parents", label));
}

Diagnostic label_twice(Span where, const std::string& label, Span first) {
    Diagnostic d = make_error(where, "label-twice", fmt::format("there is another equation <{}>", label),
                              fmt::format("write <:{}> to replace it", label));
    d.related.push_back({first, "it stands here"});
    return d;
}

Diagnostic unknown_name(Span where, const std::string& name, const std::string& whole,
                        const std::string& near) {
    return make_error(where, "unknown-name",
                      whole.empty() ? fmt::format("there is no `{}` here", name)
                                    : fmt::format("`{}` has no `{}`", whole, name),
                      did_you_mean(near, "declare it in DATA, DECLS or PORTS"));
}

Diagnostic comparison_as_equation(Span where) {
    return make_error(where, "unexpected", "`==` compares and gives TRUE or FALSE",
                      "an equation is written with `=`");
}

Diagnostic name_alone(Span where, const std::string& name) {
    return make_error(where, "unexpected", fmt::format("`{}` alone is no statement", name),
                      fmt::format("a call is written `{0}()`, an equation `{0} = …`", name));
}

Diagnostic unknown_function(Span where, const std::string& name, const std::string& near) {
    const std::string foreign = foreign_function_help(name, "x'", "x**y");
    return make_error(where, "unknown-function", fmt::format("there is no function `{}`", name),
                      foreign.empty() ? did_you_mean(near) : foreign);
}

Diagnostic unknown_component(Span where, const std::string& name, const std::string& near) {
    return make_error(where, "unknown-component",
                      fmt::format("there is no component `{}` that could be used here", name),
                      did_you_mean(near));
}

Diagnostic unknown_port(Span where, const std::string& name, const std::string& near) {
    return make_error(where, "unknown-port", fmt::format("there is no port type `{}`", name),
                      did_you_mean(near));
}

Diagnostic unknown_parameter(Span where, const std::string& name, const std::string& component,
                             const std::string& near) {
    return make_error(where, "unknown-parameter",
                      fmt::format("{} has no construction parameter `{}`", component, name),
                      did_you_mean(near));
}

Diagnostic unknown_data(Span where, const std::string& name, const std::string& component,
                        const std::string& near) {
    return make_error(where, "unknown-data", fmt::format("{} has no data `{}`", component, name),
                      did_you_mean(near));
}

Diagnostic too_many_indices(Span where, const std::string& name, std::size_t dimensions) {
    return make_error(where, "too-many-indices", fmt::format("`{}` has {} dimensions", name, dimensions),
                      "give one index for each");
}

Diagnostic index_outside(Span where, const std::string& value, const std::string& name, long size) {
    return make_error(where, "index-outside",
                      fmt::format("`{}` has no element {}; its indices go from 1 to {}", name, value, size));
}

Diagnostic index_not_known(Span where) {
    return make_error(where, "index-not-known",
                      "which port or submodel is meant must be known when the model is made",
                      "use numbers, construction parameters and indices of EXPAND");
}

Diagnostic has_no_parts(Span where, const std::string& name) {
    return make_error(where, "has-no-parts",
                      fmt::format("`{}` is a variable: nothing stands inside it", name));
}

Diagnostic not_a_value(Span where, const std::string& name) {
    return make_error(where, "not-a-value", fmt::format("`{}` is a port or a submodel, not a value", name),
                      fmt::format("name one of its variables: {}.x", name));
}

Diagnostic not_an_expression_here(Span where) {
    return make_error(where, "not-an-expression", "this cannot stand in an expression here",
                      "the derivative of a variable is written x'");
}

Diagnostic derivative_of_constant(Span where) {
    return make_error(where, "derivative-of-constant", "this is a constant: it has no derivative");
}

Diagnostic order_of_submodel(Span where, const std::string& name) {
    return make_error(
        where, "order-of-submodel",
        fmt::format("second derivatives can be taken of variables of the component itself, not of {}", name),
        fmt::format("give the first derivative of {} a name of its own", name));
}

Diagnostic not_a_table(Span where, int dimensions, std::size_t limit) {
    return make_error(where, "not-a-table",
                      fmt::format("a TABLE_{}D with rising points and a value for each, known when the model "
                                  "is made, is wanted here (at most {} points)",
                                  dimensions, limit),
                      "write TABLE_1D t = {{x1, x2}, {y1, y2}} in DATA");
}

Diagnostic wrong_number_of_arguments(Span where, const std::string& name, std::size_t wanted,
                                     std::size_t found) {
    return make_error(where, "wrong-number-of-arguments",
                      fmt::format("`{}` has {} arguments, {} are given", name, wanted, found));
}

Diagnostic range_not_known(Span where, const std::string& name) {
    return make_error(where, "range-not-known",
                      fmt::format("the range of `{}` must be known when the model is made", name),
                      "use numbers, construction parameters, enumerations and sets");
}

Diagnostic expanded_too_far(Span where) {
    return make_error(where, "expanded-too-far", "written out this becomes too large",
                      "divide it, or write a FUNCTION");
}

Diagnostic size_not_known(Span where, const std::string& name) {
    return make_error(
        where, "size-not-known",
        fmt::format("the size of `{}` must be known when the model is made, and at most 100000", name),
        "use numbers, construction parameters, constants and sets");
}

Diagnostic data_not_known(Span where, const std::string& name) {
    return make_error(where, "data-not-known",
                      fmt::format("`{}` needs a value that is known when the model is made", name),
                      "texts, sets and tables are given as literals");
}

Diagnostic type_of_variable(Span where, const std::string& name) {
    return make_error(
        where, "type-of-variable", fmt::format("`{}` cannot change during a run with this type", name),
        "declare texts and sets in DATA or as CONST; variables are REAL, INTEGER, BOOLEAN or ENUM");
}

Diagnostic closes_nothing(Span where, const std::string& name) {
    return make_error(where, "closes-nothing", fmt::format("CLOSE names `{}`, which no parent has", name));
}

Diagnostic abstract_submodel(Span where, const std::string& name, Span declared) {
    Diagnostic d = make_error(where, "abstract-submodel",
                              fmt::format("{} is abstract: it can be a parent, not a submodel", name),
                              "use one of its children");
    d.related.push_back({declared, "it is declared here"});
    return d;
}

Diagnostic too_many_data(Span where, const std::string& name, std::size_t wanted, std::size_t found) {
    return make_error(where, "too-many-data",
                      fmt::format("{} has {} data, {} are given", name, wanted, found),
                      "give them by name: R = 100");
}

Diagnostic data_from_variable(Span where, const std::string& name) {
    return make_error(
        where, "data-from-variable",
        fmt::format("data of a submodel are given by data: `{}` would change during the run", name),
        "write an equation in CONTINUOUS instead");
}

Diagnostic too_many_parameters(Span where, const std::string& name, std::size_t wanted, std::size_t found) {
    return make_error(where, "too-many-parameters",
                      fmt::format("{} has {} construction parameters, {} are given", name, wanted, found),
                      "data stand in the brackets after the name of the submodel");
}

Diagnostic parameter_without_value(Span where, const std::string& name, const std::string& component,
                                   Span declared) {
    Diagnostic d =
        make_error(where, "parameter-without-value",
                   fmt::format("the construction parameter {} of {} is given no value", name, component),
                   fmt::format("write {}({} = …)", component, name));
    d.related.push_back({declared, "it is declared here"});
    return d;
}

Diagnostic parameter_not_known(Span where, const std::string& name, const std::string& component,
                               Span declared) {
    Diagnostic d = make_error(where, "parameter-not-known",
                              fmt::format("the construction parameter {} of {} needs a value of its type "
                                          "that is known when the model is made",
                                          name, component),
                              "use numbers, construction parameters and constants");
    d.related.push_back({declared, "it is declared here"});
    return d;
}

Diagnostic inside_itself(Span where, const std::string& name, Span declared) {
    Diagnostic d = make_error(where, "inside-itself", fmt::format("{} would contain itself", name));
    d.related.push_back({declared, "it is declared here"});
    return d;
}

Diagnostic ports_differ(Span where, const std::string& a, const std::string& a_type, const std::string& b,
                        const std::string& b_type) {
    return make_error(where, "ports-differ",
                      fmt::format("{} is of port type {}, {} of {}", a, a_type, b, b_type),
                      "join ports of the same type with equal construction parameters");
}

Diagnostic not_a_port(Span where, const std::string& name) {
    return make_error(where, "not-a-port",
                      fmt::format("`{}` is not a port of the component or of a submodel", name));
}

Diagnostic no_path(Span where, const std::string& name, const std::string& component) {
    return make_error(
        where, "no-path",
        fmt::format("{} has no PATH, so {} alone does not say which port is meant", component, name),
        fmt::format("write {}.port, or PATH in TO out in {}", name, component));
}

Diagnostic sizes_differ(Span where, const std::string& a, std::size_t a_size, const std::string& b,
                        std::size_t b_size) {
    return make_error(where, "sizes-differ", fmt::format("{} has {} ports, {} has {}", a, a_size, b, b_size));
}

Diagnostic only_pairs(Span where, const std::string& port, const std::string& a, const std::string& b) {
    return make_error(where, "only-pairs",
                      fmt::format("no variable of {} is SUM or EQUAL: only one OUT can be joined to one IN, "
                                  "but {} and {} are joined otherwise",
                                  port, a, b));
}

Diagnostic branches_both_ways(Span where, const std::string& port, const std::string& a,
                              const std::string& b) {
    return make_error(where, "branches-both-ways",
                      fmt::format("{} has a modifier with a direction: one OUT may be joined to several IN, "
                                  "or several OUT to one IN; {} and {} are joined otherwise",
                                  port, a, b),
                      "put a component for the junction between them");
}

Diagnostic joined_twice(Span where, const std::string& name, const std::string& port, Span first) {
    Diagnostic d = make_error(where, "joined-twice",
                              fmt::format("{} can be joined only once: {} is SINGLE", name, port));
    d.related.push_back({first, "it is joined here"});
    return d;
}

Diagnostic cardinality(Span where, const std::string& name, std::size_t joined, Span declared) {
    Diagnostic d =
        make_error(where, "cardinality",
                   fmt::format("{} is joined {} times, which its CARDINALITY does not allow", name, joined));
    d.related.push_back({declared, "it is declared here"});
    return d;
}

Diagnostic not_in_topology(Span where) {
    return make_error(where, "not-in-topology", "this cannot stand in TOPOLOGY",
                      "submodels, CONNECT, PATH, EXPAND and IF … INSERT can");
}

Diagnostic not_in_continuous(Span where) {
    return make_error(
        where, "not-in-continuous", "this cannot stand in CONTINUOUS",
        "equations, EXPAND, IF … INSERT, SEQUENTIAL and ASSERT can; IF … THEN stands in WHEN and SEQUENTIAL");
}

Diagnostic not_in_discrete(Span where) {
    return make_error(where, "not-in-discrete", "this cannot stand in DISCRETE",
                      "WHEN, ASSERT, EXPAND and IF … INSERT can");
}

Diagnostic not_in_function(Span where) {
    return make_error(where, "not-in-function", "this cannot stand in a function",
                      "assignments, IF, FOR, WHILE, BREAK, RETURN and ASSERT can");
}

Diagnostic not_in_bounds(Span where) {
    return make_error(where, "not-in-bounds", "BOUNDS holds lines of the form variable = expression",
                      "other statements belong in INIT or BODY");
}

Diagnostic belongs_in(Span where, std::string_view block) {
    return make_error(where, "belongs-in", fmt::format("this belongs in {}", block));
}

Diagnostic not_sequential(Span where) {
    return make_error(where, "not-sequential", "this cannot be executed here",
                      "assignments, IF, FOR over a range that is known, and STOP can; loops that take as "
                      "long as they like stand in a FUNCTION");
}

Diagnostic event_outside_when(Span where) {
    return make_error(where, "event-outside-when", "AFTER and AT schedule an event: they stand in a WHEN");
}

Diagnostic insert_not_known(Span where) {
    return make_error(where, "insert-not-known",
                      "whether this is inserted must be known when the model is made",
                      "use construction parameters and constants, or write ZONE or IF in the equation");
}

Diagnostic stop_time_in_component(Span where) {
    return make_error(
        where, "stop-time",
        "a component ends the run by TSTOP = TIME in a WHEN; other values belong in the experiment");
}

Diagnostic assigns_derivative(Span where) {
    return make_error(where, "assigns-derivative",
                      "the derivative can be given a value only where a higher one occurs in the component",
                      "an equation says what it is");
}

Diagnostic assigns_expression(Span where) {
    return make_error(where, "assigns-expression", "only a variable can be given a value");
}

Diagnostic assigns_array(Span where) {
    return make_error(where, "assigns-array", "the elements of an array are given values one by one",
                      "use FOR (i IN 1,n)");
}

Diagnostic assigns_data(Span where, const std::string& name) {
    return make_error(where, "assigns-data",
                      fmt::format("`{}` is data: it keeps its value during a run", name),
                      "declare it in DECLS as DISCR");
}

Diagnostic not_always_assigned(Span where, const std::string& name) {
    return make_error(where, "not-always-assigned",
                      fmt::format("`{}` gets a value in some of the branches only", name),
                      "give it one before the IF, or in ELSE");
}

Diagnostic call_without_out(Span where, const std::string& name) {
    return make_error(
        where, "call-without-out", fmt::format("a call of {} by itself changes nothing here", name),
        fmt::format("use its value, y = {}(…), or let it have an OUT argument; inside a function, one",
                    name));
}

Diagnostic state_as_boundary(Span where, const std::string& name) {
    return make_warning(
        where, "state-as-boundary",
        fmt::format("{} is differentiated: EcosimPro does not take a state as a boundary", name),
        fmt::format("here {} must be given by a smooth function; an equation {} = f(TIME) in the "
                    "component is understood by both",
                    name, name));
}

Diagnostic not_printed(Span where, const std::string& name) {
    return make_note(
        where, "not-printed",
        fmt::format("{} in a component is left out: it shows something during the run, and changes nothing",
                    name),
        "REPORT_TABLE of the experiment writes values");
}

Diagnostic external_function(Span where, const std::string& name) {
    return make_error(
        where, "external-function",
        fmt::format("{} is computed by a library in another language, which EL files cannot call here", name),
        "write its BODY in EL");
}

Diagnostic type_in_function(Span where, const std::string& name) {
    return make_error(where, "type-in-function",
                      fmt::format("`{}` has a type that functions do not have here", name),
                      "REAL, INTEGER, BOOLEAN, ENUM and arrays of them can be used");
}

Diagnostic boundary_in_when(Span where, const std::string& name) {
    return make_warning(
        where, "boundary-in-when",
        fmt::format("{} is a boundary of this experiment: what WHEN gives it has no effect", name));
}

Diagnostic boundary_without_value(Span where, const std::string& name) {
    return make_warning(
        where, "boundary-without-value",
        fmt::format("the boundary {} has no equation in BOUNDS and no initial value: it is 0", name));
}

Diagnostic bounds_data(Span where, const std::string& name) {
    return make_error(where, "bounds-data", fmt::format("`{}` is data: INIT or BODY gives it a value", name));
}

Diagnostic not_a_boundary(Span where, const std::string& name, const std::string& partition, Span declared) {
    Diagnostic d = make_error(where, "not-a-boundary",
                              fmt::format("`{}` is no boundary of the partition {}", name, partition),
                              "name it in BOUNDS of the partition");
    d.related.push_back({declared, "the partition is made here"});
    return d;
}

Diagnostic port_boundary_open(Span where, const std::string& name) {
    return make_error(where, "port-boundary-open",
                      fmt::format("the boundary {} needs an equation in BOUNDS of the experiment", name));
}

Diagnostic init_of_element(Span where, const std::string& name) {
    return make_error(
        where, "init-of-element",
        fmt::format("INIT cannot give {} a value: it stands in an element of an array of submodels or ports",
                    name),
        "give it in INIT of that component, by data");
}

Diagnostic init_in_part(Span where, const std::string& name) {
    return make_warning(
        where, "init-in-part",
        fmt::format("INIT of the submodel gives {} a value later: this one has no effect", name));
}

}  // namespace cutset::el

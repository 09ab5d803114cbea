#include "objects/rule_messages.h"

#include <fmt/format.h>

#include <string>

#include "base/message_parts.h"

namespace cutset::objects::messages {

Diagnostic not_in_this_class(Span where, std::string_view what, std::string_view kind,
                             std::string_view allowed) {
    return make_error(where, "not-in-this-class", fmt::format("{} in a {}", what, kind),
                      fmt::format("a {} has {}", kind, allowed));
}

Diagnostic reserved_name(Span where, std::string_view name) {
    return make_error(where, "reserved-name", fmt::format("{} is the name of a builtin type", name),
                      "choose another name");
}

Diagnostic literal_twice(Span where, std::string_view name, Span first) {
    Diagnostic d = make_error(where, "literal-twice", fmt::format("the value {} stands here twice", name),
                              "the values of an enumeration have different names");
    d.related.push_back({first, "the first one"});
    return d;
}

Diagnostic literal_is_attribute(Span where, std::string_view name) {
    return make_error(where, "literal-is-attribute",
                      fmt::format("{} is an attribute of every enumeration, and no name of a value", name),
                      "choose another name than quantity, min, max, start and fixed");
}

Diagnostic modified_twice(Span where, std::string_view name, Span first) {
    Diagnostic d =
        make_error(where, "modified-twice", fmt::format("{} is modified twice", name), "keep one of the two");
    d.related.push_back({first, "the first time"});
    return d;
}

Diagnostic break_outside_loop(Span where) {
    return make_error(where, "break-outside-loop", "`break` outside a loop",
                      "it leaves the for or while loop around it");
}

Diagnostic return_outside_function(Span where) {
    return make_error(where, "return-outside-function", "`return` outside a function",
                      "it ends the algorithm of a function");
}

Diagnostic stream_needs_flow(Span where, std::string_view name, std::size_t flows) {
    return make_error(where, "stream-needs-flow",
                      fmt::format("the connector {} has stream variables and {} flow variables", name, flows),
                      "a connector with stream variables has exactly one flow variable, which carries them");
}

Diagnostic wrong_base_kind(Span where, std::string_view heir_kind, std::string_view base_kind,
                           std::string_view base, Span declared) {
    Diagnostic d = make_error(where, "wrong-base-kind",
                              fmt::format("a {} cannot inherit from the {} {}", heir_kind, base_kind, base),
                              "the kinds of the two classes do not fit");
    if (declared.known()) d.related.push_back({declared, "it is declared here"});
    return d;
}

Diagnostic simple_type_with_elements(Span where, std::string_view name) {
    return make_error(where, "simple-type-with-elements",
                      fmt::format("{} inherits from a simple type or an array, and has elements", name),
                      "put the value into a component of a record instead");
}

Diagnostic prefix_not_for_kind(Span where, std::string_view prefix, std::string_view kind) {
    return make_error(where, "prefix-not-for-kind",
                      fmt::format("`{}` before a component that is a {}", prefix, kind),
                      "it stands before variables, records and connectors");
}

Diagnostic prefix_given_twice(Span where, std::string_view prefix, std::string_view type) {
    return make_error(
        where, "prefix-given-twice",
        fmt::format("`{}` before a component whose class {} has such a prefix too", prefix, type),
        "take one of them away");
}

Diagnostic flow_is_real(Span where, std::string_view prefix) {
    return make_error(where, "flow-is-real", fmt::format("a {} variable that is not Real", prefix),
                      "what flows is added up at connections");
}

Diagnostic protected_member(Span where, std::string_view name, Span declared) {
    Diagnostic d =
        make_error(where, "protected", fmt::format("{} is protected, and not seen from outside", name),
                   "only the class that declares it, and its heirs, use it");
    if (declared.known()) d.related.push_back({declared, "it is declared here"});
    return d;
}

Diagnostic import_from_class(Span where, std::string_view name) {
    return make_error(where, "import-from-class", fmt::format("{} is no package", name),
                      "only what stands in packages can be imported");
}

Diagnostic conditional_used(Span where, std::string_view name, Span declared) {
    Diagnostic d =
        make_error(where, "conditional-used",
                   fmt::format("{} is there on a condition only, and is used in an equation", name),
                   "a component with a condition is used in connections only");
    d.related.push_back({declared, "it is declared here"});
    return d;
}

Diagnostic modified_outer(Span where, std::string_view name) {
    return make_error(where, "outer-modified", fmt::format("the outer component {} is modified", name),
                      "modify the `inner` one; this is only another name of it");
}

namespace {
Diagnostic also_at(Diagnostic d, Span other, const char* what) {
    if (other.known()) d.related.push_back({other, what});
    return d;
}
}  // namespace

Diagnostic not_like_package(Span where, std::string_view type, std::string_view name, Span declared) {
    return also_at(
        make_error(where, "not-a-package",
                   fmt::format("{} has components, so {} in it is not seen from outside", type, name),
                   "put it into a package, or write `encapsulated` before it"),
        declared, "it is declared here");
}

Diagnostic partial_looked_into(Span where, std::string_view type, std::string_view name) {
    return make_error(where, "partial-package",
                      fmt::format("{} is partial, and has no {} to be used", type, name),
                      "use a package that extends it");
}

Diagnostic imported_twice(Span where, std::string_view name, Span first) {
    return also_at(make_error(where, "imported-twice", fmt::format("{} is imported from two places", name),
                              "import it by its whole name"),
                   first, "the other one");
}

Diagnostic function_of_array(Span where, std::string_view name, Span declared) {
    return also_at(make_error(where, "function-of-array",
                              fmt::format("a function of {}, which is an array of components", name),
                              "functions are called through one component, or through a package"),
                   declared, "it is declared here");
}

Diagnostic outside_instance(Span where, std::string_view name, std::string_view in, Span declared) {
    return also_at(
        make_error(where, "outside-instance",
                   fmt::format("{} belongs to the class around {}, where it has no value", name, in),
                   "only constants of the classes around are seen; give it as an input or a modification"),
        declared, "it is declared here");
}

Diagnostic constant_redeclared(Span where, std::string_view name, Span declared) {
    return also_at(
        make_error(where, "constant-redeclared", fmt::format("the constant {} is redeclared", name),
                   "a constant keeps its declaration; modify its value"),
        declared, "it is declared here");
}

Diagnostic visibility_redeclared(Span where, std::string_view name, bool was_protected, Span declared) {
    return also_at(make_error(where, "visibility-redeclared",
                              fmt::format("{} was {} and is redeclared as {}", name,
                                          was_protected ? "protected" : "public",
                                          was_protected ? "public" : "protected"),
                              "redeclare it in a section of the same kind"),
                   declared, "it is declared here");
}

Diagnostic inherited_differs(Span where, std::string_view name, Span other) {
    return also_at(
        make_error(where, "inherited-differs", fmt::format("{} is inherited with another declaration", name),
                   "give one of the two another name, or `redeclare` what is replaceable"),
        other, "the other one");
}

Diagnostic inner_differs(Span where, std::string_view name, std::string_view how, Span inner) {
    return also_at(
        make_error(where, "inner-differs", fmt::format("`outer {}` does not fit its inner: {}", name, how),
                   "give both the same type"),
        inner, "the inner one");
}

Diagnostic no_subtype(Span where, std::string_view type, std::string_view constraint, std::string_view how,
                      Span declared) {
    return also_at(
        make_error(where, "no-subtype",
                   fmt::format("{} cannot stand for {}{}{}", type, constraint, how.empty() ? "" : ": ", how),
                   "what is put in has all that the replaced class, or its constrainedby, has"),
        declared, "what is replaced");
}

Diagnostic connector_unbalanced(Span where, std::string_view name, std::size_t potentials, std::size_t flows,
                                Span used) {
    return also_at(
        make_error(where, "connector-unbalanced",
                   fmt::format("the connector {} has {} variable{} without a prefix and {} flow variable{}",
                               name, potentials, potentials == 1 ? "" : "s", flows, flows == 1 ? "" : "s"),
                   "there must be as many of both; what is only carried is an input, an output or a stream"),
        used, "it is used here");
}

Diagnostic two_sources(Span where, std::string_view first, std::string_view second, Span declared) {
    return also_at(make_error(where, "two-sources",
                              fmt::format("{} and {} are connected, and both give a value", first, second),
                              "of what is connected one is an output inside or an input from outside"),
                   declared, "joined here");
}

Diagnostic constant_varies(Span where, std::string_view name, std::string_view of, Span declared) {
    return also_at(make_error(where, "constant-varies",
                              fmt::format("the constant {} depends on {}, which is no constant", name, of),
                              "make it a parameter"),
                   declared, "it is declared here");
}

Diagnostic each_missing(Span where, std::string_view attribute, std::string_view name) {
    return make_warning(where, "each-missing",
                        fmt::format("one value of `{}` for all elements of {}", attribute, name),
                        "write `each` before it");
}

Diagnostic protected_modified(Span where, std::string_view name, Span declared) {
    Diagnostic d = make_error(where, "protected",
                              fmt::format("{} is protected, and cannot be modified from outside", name),
                              "an heir of its class can modify it, in `extends`");
    if (declared.known()) d.related.push_back({declared, "it is declared here"});
    return d;
}

}  // namespace cutset::objects::messages

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

Diagnostic protected_modified(Span where, std::string_view name, Span declared) {
    Diagnostic d = make_error(where, "protected",
                              fmt::format("{} is protected, and cannot be modified from outside", name),
                              "an heir of its class can modify it, in `extends`");
    if (declared.known()) d.related.push_back({declared, "it is declared here"});
    return d;
}

}  // namespace cutset::objects::messages

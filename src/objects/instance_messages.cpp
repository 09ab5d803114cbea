#include "objects/instance_messages.h"

#include <fmt/format.h>

#include "base/letters.h"
#include "base/message_parts.h"

namespace cutset::objects::messages {

Diagnostic no_model(std::string_view name, std::string_view near) {
    return make_error("unknown-model", fmt::format("there is no class {}", name),
                      did_you_mean(near,
                                   "give the full name, and with --library or MODELICAPATH where its "
                                   "library is"));
}
Diagnostic not_a_model(Span where, std::string_view name, std::string_view kind) {
    return make_error(where, "not-a-model", fmt::format("{} is a {}, which cannot be simulated", name, kind),
                      "name a model or block");
}
Diagnostic partial_model(Span where, std::string_view name, std::string_view kind) {
    return make_error(where, "partial-class",
                      fmt::format("{} is a partial {}: something is left open in it", name, kind),
                      "extend it in a class that is not partial, or name one that does");
}
Diagnostic unknown_class(Span where, std::string_view name, std::string_view missing, std::string_view in,
                         std::string_view near, bool package_is_there) {
    std::string message = name == missing
                              ? fmt::format("there is no class {}", name)
                              : fmt::format("there is no class {}: {} is not known", name, missing);
    if (!in.empty()) message += fmt::format(" in {}", in);
    return make_error(where, "unknown-class", std::move(message),
                      !near.empty()      ? did_you_mean(near)
                      : package_is_there ? fmt::format("look at what {} has, and at its version", in)
                                         : "libraries are found by --library DIR, the variable "
                                           "MODELICAPATH, or after `cutset library add DIR`");
}
Diagnostic not_a_class(Span where, std::string_view name, Span declared) {
    return with_related(make_error(where, "not-a-class", fmt::format("{} is a component, not a class", name)),
                        declared, "it is declared here");
}
Diagnostic unknown_name(Span where, std::string_view name, std::string_view missing, std::string_view in,
                        std::string_view near) {
    std::string message = name == missing ? fmt::format("{} is not declared", name)
                                          : fmt::format("{} is not declared: there is no {}", name, missing);
    if (!in.empty()) message += fmt::format(" in {}", in);
    std::string help = did_you_mean(near);
    if (missing == "True" || missing == "TRUE" || missing == "False" || missing == "FALSE")
        help = fmt::format("write `{}`", lower_case(missing));
    if (missing.starts_with('d') && missing.substr(1) == near)
        help = fmt::format("if a derivative is meant, write der({})", near);
    if (missing == "t" && name == missing) help = "the time is called `time`";
    if (missing == "pi" && name == missing)
        help = "write Modelica.Constants.pi, or declare `constant Real pi = 3.14159265358979;`";
    return make_error(where, "unknown-name", std::move(message), std::move(help));
}
Diagnostic unknown_connector(Span where, std::string_view name, std::string_view missing, std::string_view in,
                             std::string_view near, const std::vector<std::string>& connectors) {
    Diagnostic d = unknown_name(where, name, missing, in, near);
    if (d.help.empty() && !connectors.empty())
        d.help = fmt::format("connectors of {} are {}", in, and_list(connectors));
    return d;
}
Diagnostic inherits_from_itself(Span where, std::string_view name) {
    return make_error(where, "inherits-itself", fmt::format("{} extends itself", name),
                      "take out one of the extends clauses on the way round");
}
Diagnostic contains_itself(Span where, std::string_view name, std::string_view type) {
    return make_error(where, "contains-itself",
                      fmt::format("the component {} is of class {}, of which it is a part", name, type),
                      "a model cannot contain itself; for structures that repeat use arrays of components");
}
Diagnostic unknown_modifier(Span where, std::string_view name, std::string_view type, std::string_view near) {
    return make_error(where, "unknown-modifier",
                      fmt::format("there is no element {} in {} to modify", name, type), did_you_mean(near));
}
Diagnostic final_modified(Span where, std::string_view name, Span final) {
    return with_related(
        make_error(where, "final-modified", fmt::format("{} is final and cannot be modified", name),
                   "take out the modification, or `final`"),
        final, "it is final here");
}
Diagnostic not_replaceable(Span where, std::string_view name, Span declared) {
    return with_related(make_error(where, "not-replaceable",
                                   fmt::format("{} is not replaceable and cannot be redeclared", name),
                                   "write `replaceable` before its declaration"),
                        declared, "it is declared here");
}
Diagnostic nothing_to_redeclare(Span where, std::string_view name) {
    return make_error(where, "nothing-to-redeclare",
                      fmt::format("`redeclare {}`: no such element is inherited", name),
                      "take out `redeclare`, or extend a class that has it");
}
Diagnostic declared_twice(Span where, std::string_view name, Span first) {
    return with_related(make_error(where, "declared-twice", fmt::format("{} is declared twice", name)), first,
                        "it is declared here first");
}
Diagnostic partial_component(Span where, std::string_view name, std::string_view type, Span declared) {
    return with_related(make_error(where, "partial-class",
                                   fmt::format("the component {} is of the partial class {}", name, type),
                                   "redeclare it with a class that is not partial"),
                        declared, "something is left open in this class");
}
Diagnostic no_inner(Span where, std::string_view name, std::string_view type) {
    return make_error(
        where, "no-inner", fmt::format("`outer {}` finds no `inner {}` around it", name, name),
        fmt::format("declare `inner {} {};` in the model, or in one that it is a part of", type, name));
}
Diagnostic inner_made(Span where, std::string_view name, std::string_view type) {
    return make_warning(
        where, "inner-made",
        fmt::format("nothing around declares `inner {}`: one of class {} is added to the model", name, type),
        fmt::format("write `inner {} {};` to give its parameters", type, name));
}
Diagnostic nested_too_deeply(Span where) {
    return make_error(where, "too-deep", "classes refer to one another too deeply to be looked up here",
                      "is there a class that is defined by itself?");
}
Diagnostic not_supported_here(Span where, std::string_view what, std::string_view help) {
    return make_error(where, "not-supported", fmt::format("{} cannot be translated yet", what),
                      std::string(help));
}
Diagnostic not_a_variable(Span where, std::string_view name, std::string_view what) {
    return make_error(where, "not-a-variable", fmt::format("{} is {}, not a variable", name, what));
}
Diagnostic absent(Span where, std::string_view name, Span declared) {
    return with_related(
        make_error(where, "absent", fmt::format("{} is not there: its condition is false", name),
                   "a conditional component can be referred to by connect only"),
        declared, "its condition");
}
Diagnostic varies(Span where, std::string_view name, std::string_view variability) {
    return make_error(
        where, "not-constant",
        fmt::format("{} is {}, but its value is needed when the model is made", name, variability),
        "sizes and conditions may depend on parameters and constants only");
}
Diagnostic no_value(Span where, std::string_view name, Span declared) {
    return with_related(
        make_error(where, "no-value", fmt::format("{} has no value", name),
                   fmt::format("give one in its declaration, by a modification, or with --set {}=…", name)),
        declared, "it is declared here");
}
Diagnostic value_cycle(Span where, std::string_view name) {
    return make_error(where, "value-cycle", fmt::format("the value of {} depends on itself", name));
}
Diagnostic not_finite(Span where, std::string_view name, std::string_view value) {
    return make_error(where, "not-finite",
                      fmt::format("the value of {} is no finite number: {}", name, value));
}
Diagnostic not_constant_here(Span where, std::string_view name) {
    return make_error(
        where, "not-constant",
        fmt::format("{} belongs to another instance: functions and packages see only constants", name),
        "give it to the function as an input");
}
Diagnostic not_a_connector(Span where, std::string_view name, std::string_view type) {
    return make_error(where, "not-a-connector",
                      fmt::format("{} is of class {}, which is no connector", name, type),
                      "connect takes connectors, or arrays and parts of them");
}
Diagnostic connectors_differ(Span where, std::string_view left, std::string_view right, std::string_view how,
                             Span left_declared, Span right_declared) {
    return with_related(
        with_related(make_error(where, "connectors-differ",
                                fmt::format("{} and {} do not fit together: {}", left, right, how)),
                     left_declared, "one is declared here"),
        right_declared, "the other here");
}
Diagnostic connected_sizes(Span where, std::string_view left, std::string_view left_shape,
                           std::string_view right, std::string_view right_shape) {
    return make_error(
        where, "connected-sizes",
        fmt::format("{} is {}, {} is {}: they cannot be connected", left, left_shape, right, right_shape));
}
Diagnostic unknown_setting(std::string_view option, std::string_view path, std::string_view missing,
                           std::string_view near) {
    return make_error("unknown-name",
                      fmt::format("{} {}: there is no {} in the model", option, path, missing),
                      did_you_mean(near));
}
Diagnostic set_not_parameter(std::string_view option, std::string_view path, std::string_view what,
                             Span declared) {
    return make_error(declared, "not-a-parameter",
                      fmt::format("{} {}: it is {}, not a parameter", option, path, what),
                      "with --init initial values are given, with --known variables are prescribed");
}
Diagnostic set_whole_array(std::string_view path, Span declared) {
    return make_error(declared, "whole-array", fmt::format("{}: one element of an array cannot be set", path),
                      "give all elements: {1, 2, …}");
}
Diagnostic set_final(std::string_view option, std::string_view path, Span declared) {
    return make_error(declared, "final-modified",
                      fmt::format("{} {}: it is final in the model", option, path));
}
Diagnostic too_many_components(Span where, std::string_view path, std::size_t limit) {
    return make_error(where, "too-many-components",
                      fmt::format("with {} the model has more than {} components", path, limit),
                      "is a size wrong?");
}
Diagnostic too_many_variables(Span where, std::string_view path, std::size_t limit) {
    return make_error(where, "too-many-variables", fmt::format("{} has more than {} scalars", path, limit),
                      "is a size wrong?");
}

}  // namespace cutset::objects::messages

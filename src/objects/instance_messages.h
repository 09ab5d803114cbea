// What lookup, inheritance, redeclaration and connection say, in Modelica's words.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace cutset::objects::messages {

Diagnostic no_model(std::string_view name, std::string_view near);
Diagnostic not_a_model(Span where, std::string_view name, std::string_view kind);
Diagnostic partial_model(Span where, std::string_view name, std::string_view kind);
// `package_is_there`: what the class is looked for in was found.
Diagnostic unknown_class(Span where, std::string_view name, std::string_view missing, std::string_view in,
                         std::string_view near, bool package_is_there);
Diagnostic not_a_class(Span where, std::string_view name, Span declared);
Diagnostic unknown_name(Span where, std::string_view name, std::string_view missing, std::string_view in,
                        std::string_view near);
Diagnostic unknown_connector(Span where, std::string_view name, std::string_view missing, std::string_view in,
                             std::string_view near, const std::vector<std::string>& connectors);
Diagnostic inherits_from_itself(Span where, std::string_view name);
Diagnostic contains_itself(Span where, std::string_view name, std::string_view type);
Diagnostic unknown_modifier(Span where, std::string_view name, std::string_view type, std::string_view near);
Diagnostic final_modified(Span where, std::string_view name, Span final);
Diagnostic not_replaceable(Span where, std::string_view name, Span declared);
Diagnostic nothing_to_redeclare(Span where, std::string_view name);
Diagnostic declared_twice(Span where, std::string_view name, Span first);
Diagnostic partial_component(Span where, std::string_view name, std::string_view type, Span declared);
Diagnostic no_inner(Span where, std::string_view name, std::string_view type);
Diagnostic inner_made(Span where, std::string_view name, std::string_view type);
Diagnostic nested_too_deeply(Span where);
Diagnostic not_supported_here(Span where, std::string_view what, std::string_view help);
Diagnostic not_a_variable(Span where, std::string_view name, std::string_view what);
Diagnostic absent(Span where, std::string_view name, Span declared);
Diagnostic varies(Span where, std::string_view name, std::string_view variability);
Diagnostic no_value(Span where, std::string_view name, Span declared);
Diagnostic value_cycle(Span where, std::string_view name);
Diagnostic not_finite(Span where, std::string_view name, std::string_view value);
Diagnostic not_constant_here(Span where, std::string_view name);
Diagnostic not_a_connector(Span where, std::string_view name, std::string_view type);
Diagnostic connectors_differ(Span where, std::string_view left, std::string_view right, std::string_view how,
                             Span left_declared, Span right_declared);
Diagnostic connected_sizes(Span where, std::string_view left, std::string_view left_shape,
                           std::string_view right, std::string_view right_shape);
Diagnostic unknown_setting(std::string_view option, std::string_view path, std::string_view missing,
                           std::string_view near);
Diagnostic set_not_parameter(std::string_view option, std::string_view path, std::string_view what,
                             Span declared);
Diagnostic set_whole_array(std::string_view path, Span declared);
Diagnostic set_final(std::string_view option, std::string_view path, Span declared);
Diagnostic too_many_components(Span where, std::string_view path, std::size_t limit);
Diagnostic too_many_variables(Span where, std::string_view path, std::size_t limit);

}  // namespace cutset::objects::messages

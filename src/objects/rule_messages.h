// What is said about classes that break a rule of their kind.
#pragma once

#include <string_view>

#include "base/diagnostic.h"

namespace cutset::objects::messages {

Diagnostic not_in_this_class(Span where, std::string_view what, std::string_view kind,
                             std::string_view allowed);
Diagnostic reserved_name(Span where, std::string_view name);
Diagnostic literal_twice(Span where, std::string_view name, Span first);
Diagnostic literal_is_attribute(Span where, std::string_view name);
Diagnostic modified_twice(Span where, std::string_view name, Span first);
Diagnostic break_outside_loop(Span where);
Diagnostic return_outside_function(Span where);
Diagnostic stream_needs_flow(Span where, std::string_view name, std::size_t flows);
Diagnostic wrong_base_kind(Span where, std::string_view heir_kind, std::string_view base_kind,
                           std::string_view base, Span declared);
Diagnostic simple_type_with_elements(Span where, std::string_view name);
Diagnostic prefix_not_for_kind(Span where, std::string_view prefix, std::string_view kind);
Diagnostic prefix_given_twice(Span where, std::string_view prefix, std::string_view type);
Diagnostic flow_is_real(Span where, std::string_view prefix);
Diagnostic protected_member(Span where, std::string_view name, Span declared);
Diagnostic import_from_class(Span where, std::string_view name);
Diagnostic conditional_used(Span where, std::string_view name, Span declared);
Diagnostic modified_outer(Span where, std::string_view name);
Diagnostic not_like_package(Span where, std::string_view type, std::string_view name, Span declared);
Diagnostic partial_looked_into(Span where, std::string_view type, std::string_view name);
Diagnostic imported_twice(Span where, std::string_view name, Span first);
Diagnostic function_of_array(Span where, std::string_view name, Span declared);
Diagnostic outside_instance(Span where, std::string_view name, std::string_view in, Span declared);
Diagnostic constant_redeclared(Span where, std::string_view name, Span declared);
Diagnostic visibility_redeclared(Span where, std::string_view name, bool was_protected, Span declared);
Diagnostic inherited_differs(Span where, std::string_view name, Span other);
Diagnostic inner_differs(Span where, std::string_view name, std::string_view how, Span inner);
Diagnostic no_subtype(Span where, std::string_view type, std::string_view constraint, std::string_view how,
                      Span declared);
Diagnostic connector_unbalanced(Span where, std::string_view name, std::size_t potentials, std::size_t flows,
                                Span used);
Diagnostic two_sources(Span where, std::string_view first, std::string_view second, Span declared);
Diagnostic constant_varies(Span where, std::string_view name, std::string_view of, Span declared);
Diagnostic each_missing(Span where, std::string_view attribute, std::string_view name);
Diagnostic protected_modified(Span where, std::string_view name, Span declared);

}  // namespace cutset::objects::messages

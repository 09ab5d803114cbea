// What Modelica does not allow in a class of some kind: equations in a record, a model in a function, two
// literals of one name. What can be told from the text of the class alone is reported once for the class;
// what needs the classes that it names is asked when they are known.
#pragma once

#include "base/diagnostic.h"
#include "ir/object_tree.h"
#include "objects/instance_tree.h"

namespace cutset::objects {

// Of the text alone; other languages have other rules, and nothing is reported.
void check_class_text(const object::Class& text, Diagnostics& diagnostics);

// Whether a class may inherit from the other, by their kinds (MLS 7.1.3).
void check_base_kind(const ClassInstance& heir, const ClassInstance& base, Span where,
                     Diagnostics& diagnostics);

// A class that inherits from a builtin type, or from an array, has no elements of its own.
void check_simple_type(const ClassInstance& type, Diagnostics& diagnostics);

// Whether a component of this type may stand in the class, with these prefixes (MLS 4.4.2, 4.6).
void check_component(const ClassInstance& in, const object::Component& component, const ClassInstance& type,
                     Diagnostics& diagnostics);

// An element of its own and an inherited one of the same name, or two inherited ones: they must be the same
// (MLS 7.1).
void check_inherited_twice(const object::Class& in, const Element& first, const Element& second,
                           Diagnostics& diagnostics);

// An element that redeclares an inherited one (MLS 7.3).
void check_replaced(const object::Class& in, const Element& by, const Element& replaced,
                    Diagnostics& diagnostics);

}  // namespace cutset::objects

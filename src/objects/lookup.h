// What a name means in a place: among the elements of its class, inherited ones included; what the class
// imports; then where the class was written, up to the top or an encapsulated class.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ir/object_tree.h"
#include "objects/class_instances.h"
#include "objects/instance_tree.h"

namespace cutset::objects {

// A class, or an element with the instance that owns it: a component, or a literal of an enumeration.
struct Found {
    ClassInstance* type = nullptr;
    ComponentInstance* owner = nullptr;
    const Element* element = nullptr;
    explicit operator bool() const { return type || element; }
};

// One name; nothing when it is unknown.
Found find_simple(InstanceTree& tree, std::string_view name, Place place);
// A name after a dot: of a class, or of a component.
Found find_member(InstanceTree& tree, ClassInstance& type, std::string_view name);
// A name of classes `A.B.c` up to its first component: `parts` counts the parts that were used.
Found find_prefix(InstanceTree& tree, const object::Name& name, Place place, std::size_t& parts);
// A class; nothing when there is none, or the name is that of a component. `of_component`: it was found
// inside a component, where only functions may be looked up, to be called.
ClassInstance* find_class(InstanceTree& tree, const object::Name& name, Place place,
                          bool* of_component = nullptr);
// The same, or an error in the words of the language.
ClassInstance& class_named(InstanceTree& tree, const object::Name& name, Place place);

// Where an element is declared; unknown for literals.
Span place_of_declaration(const Element& element);

}  // namespace cutset::objects
